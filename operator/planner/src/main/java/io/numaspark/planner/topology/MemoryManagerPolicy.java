package io.numaspark.planner.topology;

/** The kubelet's memoryManagerPolicy. */
public enum MemoryManagerPolicy {
  NONE("None"),
  STATIC("Static");

  private final String kubeletName;

  MemoryManagerPolicy(String kubeletName) {
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
  public static MemoryManagerPolicy parse(String name) {
    return KubeletNames.parse(
        values(), MemoryManagerPolicy::kubeletName, "memoryManagerPolicy", name);
  }
}
