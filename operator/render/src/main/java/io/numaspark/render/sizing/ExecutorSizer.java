package io.numaspark.render.sizing;

import io.numaspark.api.v1alpha1.ExecutorSpec.Sizing;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.SizedExecutors;
import java.util.Optional;

/** Decides in which way the executors of an application are sized. */
public final class ExecutorSizer {
  private ExecutorSizer() {}

  /**
   * The executors of an application in number and size.
   *
   * @param profile empty for an ordinary application
   */
  public static SizedExecutors of(SparkApplicationSpec spec, Optional<ProfileContext> profile) {
    if (profile.isEmpty()) {
      return ExecutorSplit.ordinary(spec);
    }
    return spec.executor().sizing() == Sizing.Exact
        ? ExactExecutors.of(spec, profile.get())
        : ExecutorSplit.sized(spec, profile.get());
  }
}
