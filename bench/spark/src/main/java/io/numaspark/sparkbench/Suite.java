package io.numaspark.sparkbench;

import java.util.List;
import java.util.Map;

/**
 * Queries, and the variants that are measured on each of them in turn.
 *
 * @param name for the command line
 * @param title for people
 * @param baseline name of the variant that the others are compared with
 * @param properties of Spark that all variants have
 * @param goals to print beside the results
 */
record Suite(
    String name,
    String title,
    DeviceKind device,
    List<BenchmarkQuery> workloads,
    List<Variant> variants,
    String baseline,
    Map<String, String> properties,
    List<Goal> goals) {

  /** Spark refuses to start an executor with less than 450 MiB. */
  private static final int LEAST_EXECUTOR_MEBIBYTES = 512;

  Suite {
    workloads = List.copyOf(workloads);
    variants = List.copyOf(variants);
    properties = Map.copyOf(properties);
    goals = List.copyOf(goals);
    if (variants.stream().noneMatch(variant -> variant.name().equals(baseline))) {
      throw new IllegalArgumentException(
          "suite " + name + " has no variant " + baseline + " to compare with");
    }
  }

  /**
   * On an emulated device each measurement has a Spark of its own: there is one device, and what a
   * Spark keeps in memory or has learnt must not reach the next measurement. Elsewhere the Sparks
   * of all variants stay alive, and warm, for the whole run.
   */
  boolean freshSessions() {
    return device != DeviceKind.NONE;
  }

  /** What a variant is compared with. */
  String baselineOf(String variant) {
    return variants.stream()
        .filter(v -> v.name().equals(variant) && v.against() != null)
        .map(Variant::against)
        .findFirst()
        .orElse(baseline);
  }

  /**
   * Heap of all executors of a variant together: what is asked for, or more if an executor would
   * get less than Spark takes.
   */
  int memoryMebibytes(Shape shape) {
    int executors = variants.stream().mapToInt(Variant::executors).max().orElse(1);
    return Math.max(shape.memoryMebibytes(), executors * LEAST_EXECUTOR_MEBIBYTES);
  }

  Suite only(List<BenchmarkQuery> chosen) {
    return new Suite(name, title, device, chosen, variants, baseline, properties, goals);
  }

  Suite onlyVariants(List<Variant> chosen) {
    return new Suite(name, title, device, workloads, chosen, baseline, properties, goals);
  }
}
