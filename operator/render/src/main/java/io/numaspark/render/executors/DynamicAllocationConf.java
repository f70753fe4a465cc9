package io.numaspark.render.executors;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.DynamicExecutors;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.Optional;

/**
 * The properties of dynamic allocation, as {@link DynamicExecutors} has bounded them: those numbers
 * are a part of the request, which is parsed before any concern is asked.
 */
public final class DynamicAllocationConf implements Concern {

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    return DynamicExecutors.check(spec);
  }

  @Override
  public Contribution contribution(Request request) {
    return request
        .sized()
        .dynamic()
        .map(
            dynamic ->
                Contribution.of(dynamic.settings(request.spec())).withWarnings(dynamic.warnings()))
        .orElse(Contribution.NONE);
  }
}
