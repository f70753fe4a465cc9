/** Whom the agent's connections trust. */
package io.numaspark.agent.tls;
