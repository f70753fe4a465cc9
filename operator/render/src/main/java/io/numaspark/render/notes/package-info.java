/** What is said about a manifest that is read. */
package io.numaspark.render.notes;
