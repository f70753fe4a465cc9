/** The node's own SparkNodeTopology at the API server: the only object that the agent knows. */
package io.numaspark.agent.cluster;
