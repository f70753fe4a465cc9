/**
 * Compares what the kubelet says it has given to containers with what the kernel lets them use.
 *
 * <p>{@link io.numaspark.agent.proof.CgroupReader} reads, {@link io.numaspark.agent.proof.Proof} is
 * pure.
 */
package io.numaspark.agent.proof;
