package io.numaspark.controller.slots;

import java.util.Map;

/**
 * One node, counted.
 *
 * @param executors slots of each pod that requests some by its UID, by the application that it says
 *     to belong to
 */
public record NodeCount(SlotCount slots, Map<ExecutorsOf, Map<String, Integer>> executors) {
  public NodeCount {
    executors = Map.copyOf(executors);
  }

  /** An attempt of an application: the namespace and Spark's own id of the attempt. */
  public record ExecutorsOf(String namespace, String sparkApplicationId) {}
}
