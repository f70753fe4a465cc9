package io.numaspark.controller.observe;

import io.numaspark.render.proof.Placement;
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
}
