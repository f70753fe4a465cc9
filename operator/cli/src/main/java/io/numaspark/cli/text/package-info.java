/** What all commands say: columns of text, and what a user has to correct. */
package io.numaspark.cli.text;
