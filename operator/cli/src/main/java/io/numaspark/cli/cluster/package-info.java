/**
 * {@code kubectl numaspark}: what a cluster's numaspark knows, read with the rights of whoever
 * asks.
 *
 * <p>{@link io.numaspark.cli.cluster.Cluster} alone talks to the API server; tables and documents
 * are made of what it has read, by classes without a client.
 */
package io.numaspark.cli.cluster;
