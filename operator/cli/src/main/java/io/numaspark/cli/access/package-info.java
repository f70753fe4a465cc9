/** How commands reach an API server, and what they say if it does not answer. */
package io.numaspark.cli.access;
