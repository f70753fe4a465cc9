package io.numaspark.controller.observe;

import java.util.Map;

/** What a driver's REST API says of its executors, or why it could not be asked. */
public sealed interface ReportedExecutors {

  /** Executors by Spark's executor id. */
  record Answer(Map<String, Placement> byExecutorId) implements ReportedExecutors {}

  /**
   * The driver did not answer.
   *
   * @param why for people
   */
  record NoAnswer(String why) implements ReportedExecutors {}

  /**
   * Where the kernel lets an executor run, as it read from its own /proc/self/status at start.
   *
   * @param cpus Cpus_allowed_list; null if the executor did not report
   * @param memoryNodes Mems_allowed_list; null if the executor did not report
   */
  record Placement(String cpus, String memoryNodes) {}
}
