package io.numaspark.render.proof;

/**
 * Where the kernel lets an executor run, as it read from its own /proc/self/status at start.
 *
 * @param cpus Cpus_allowed_list; null if the executor did not report
 * @param memoryNodes Mems_allowed_list; null if the executor did not report
 */
public record Placement(String cpus, String memoryNodes) {
  /** Of one that has not reported, or cannot. */
  public static final Placement UNREPORTED = new Placement(null, null);
}
