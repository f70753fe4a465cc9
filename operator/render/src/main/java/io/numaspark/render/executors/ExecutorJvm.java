package io.numaspark.render.executors;

import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import java.util.Optional;

/**
 * The JVM options that a pinned application gives its executors. {@link JvmRules} has parsed them
 * for one application, which a concern does not remember.
 */
public final class ExecutorJvm implements Concern {

  @Override
  public Optional<Refusal> refusal(Request request) {
    return rules(request).flatMap(JvmRules::refusal);
  }

  @Override
  public Contribution contribution(Request request) {
    return rules(request)
        .map(rules -> Contribution.ofWarnings(rules.advice()))
        .orElse(Contribution.NONE);
  }

  private static Optional<JvmRules> rules(Request request) {
    return request
        .executors()
        .pinned()
        .map(pinned -> new JvmRules(request.spec(), request.profile().orElseThrow(), pinned));
  }
}
