package io.numaspark.planner.topology;

/** The kubelet's topologyManagerScope. */
public enum TopologyManagerScope {
  CONTAINER("container"),
  POD("pod");

  private final String kubeletName;

  TopologyManagerScope(String kubeletName) {
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
  public static TopologyManagerScope parse(String name) {
    return KubeletNames.parse(
        values(), TopologyManagerScope::kubeletName, "topologyManagerScope", name);
  }
}
