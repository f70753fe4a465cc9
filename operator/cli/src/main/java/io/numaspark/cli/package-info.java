/**
 * The {@code numaspark} command: what the operator would decide, from files and without a cluster.
 */
package io.numaspark.cli;
