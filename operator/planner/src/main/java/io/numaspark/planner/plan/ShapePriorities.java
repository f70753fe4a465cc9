package io.numaspark.planner.plan;

import java.util.OptionalInt;

/**
 * What is weighed when a shape is chosen, in addition to its size.
 *
 * @param spreadAcrossCaches whether executors may straddle last-level caches as if it were nothing
 * @param runSeconds how long applications run; empty if that is unknown, and then the start of
 *     executors counts nothing
 */
public record ShapePriorities(boolean spreadAcrossCaches, OptionalInt runSeconds) {
  /** What a profile has that says nothing. */
  public static final ShapePriorities USUAL = new ShapePriorities(false, OptionalInt.empty());
}
