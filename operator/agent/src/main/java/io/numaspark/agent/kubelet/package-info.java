/**
 * What the node's own kubelet says: its effective configuration and what it has given to
 * containers.
 *
 * <p>Nothing here writes, and nothing here asks the API server.
 */
package io.numaspark.agent.kubelet;
