/** Folders on a tmpfs of the node in which executors of one application share shuffle pages. */
package io.numaspark.agent.pages;
