package io.numaspark.agent.proof;

import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import java.util.List;

/**
 * The node's containers with CPUs or memory of their own, as the kubelet and the kernel see them.
 *
 * <p>Immutable: {@link #next} gives the proof of a later reading, {@link #written} the same one
 * with its counters taken as the new start.
 */
public final class Proof {
  /** Longest list of containers; SparkNodeTopologyStatus.exclusive allows no more. */
  public static final int LIMIT = 1024;

  private Proof() {}

  /** Before the first reading. */
  public static Proof start() {
    return new Proof();
  }

  /**
   * Joins a later reading with this one.
   *
   * @param node the node's CPUs
   * @param given what the kubelet said, read before {@code running}
   * @param running what the kernel said
   */
  public Proof next(NodeCpus node, List<PodResources> given, List<KernelContainer> running) {
    return this;
  }

  /** To call when {@link #exclusive} was written: throttling is counted from here on. */
  public Proof written() {
    return this;
  }

  /** For the node's status: sorted, at most {@value #LIMIT}. */
  public List<ExclusiveContainer> exclusive() {
    return List.of();
  }

  /** How many entries were left out of {@link #exclusive} because it was full. */
  public int omitted() {
    return 0;
  }
}
