package io.numaspark.render.plugin;

import io.numaspark.render.application.Attempt;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import java.util.Optional;

/** numaspark's Spark plugin in driver and executors, as {@link SparkPluginUse} decides it. */
public final class PluginLoading implements Concern {

  @Override
  public Optional<Refusal> refusal(Attempt attempt) {
    return SparkPluginUse.check(attempt.spec(), attempt.policies().plugin());
  }

  @Override
  public Contribution contribution(Request request) {
    return SparkPluginUse.of(request.spec(), request.policies().plugin())
        .map(
            use ->
                Contribution.of(use.settings(request))
                    .withDriver(use.driver(request))
                    .withExecutor(use.executor()))
        .orElse(Contribution.NONE);
  }
}
