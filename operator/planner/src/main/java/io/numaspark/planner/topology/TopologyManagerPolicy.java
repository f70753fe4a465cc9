package io.numaspark.planner.topology;

/** The kubelet's topologyManagerPolicy. */
public enum TopologyManagerPolicy {
  NONE("none"),
  BEST_EFFORT("best-effort"),
  RESTRICTED("restricted"),
  SINGLE_NUMA_NODE("single-numa-node");

  private final String kubeletName;

  TopologyManagerPolicy(String kubeletName) {
    this.kubeletName = kubeletName;
  }

  /** The value as a KubeletConfiguration spells it. */
  public String kubeletName() {
    return kubeletName;
  }

  /**
   * The value that a KubeletConfiguration spells so.
   *
   * @throws IllegalArgumentException naming the known values
   */
  public static TopologyManagerPolicy parse(String name) {
    return KubeletNames.parse(
        values(), TopologyManagerPolicy::kubeletName, "topologyManagerPolicy", name);
  }
}
