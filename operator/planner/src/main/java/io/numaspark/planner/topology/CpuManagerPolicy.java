package io.numaspark.planner.topology;

/** The kubelet's cpuManagerPolicy. */
public enum CpuManagerPolicy {
  NONE("none"),
  STATIC("static");

  private final String kubeletName;

  CpuManagerPolicy(String kubeletName) {
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
  public static CpuManagerPolicy parse(String name) {
    return KubeletNames.parse(values(), CpuManagerPolicy::kubeletName, "cpuManagerPolicy", name);
  }
}
