/**
 * The node agent: one per node, in up to two containers.
 *
 * <p>The reader is unprivileged. It reads the hardware, asks the kubelet, and writes the node's
 * SparkNodeTopology. The writer exists only where a profile says Enforce; it sets knobs that the
 * reader names over a local socket, and nothing else.
 */
package io.numaspark.agent;
