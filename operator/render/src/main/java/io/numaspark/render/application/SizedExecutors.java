package io.numaspark.render.application;

import io.numaspark.render.application.RenderResult.Refusal;
import java.util.List;
import java.util.Optional;

/** The executors of an application in number and size, or why there cannot be any. */
public sealed interface SizedExecutors {

  /**
   * Executors that can be asked for.
   *
   * @param dynamic how their number changes; empty if it is fixed
   * @param warnings what the application should know of its size
   */
  record Sized(ExecutorRequest executors, Optional<DynamicExecutors> dynamic, List<String> warnings)
      implements SizedExecutors {}

  /** No executor can be asked for. */
  record Refused(Refusal refusal) implements SizedExecutors {}
}
