package io.numaspark.render.shuffle;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.application.Attempt;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.ShuffleSize;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.Optional;

/** Shuffle data in memory (spec.shuffle), as {@link ShuffleStorage} keeps it. */
public final class ShuffleInMemory implements Concern {

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    return ShuffleRules.check(spec, pods);
  }

  @Override
  public Optional<Refusal> refusal(Attempt attempt) {
    return PageSharing.check(
        attempt.spec(), attempt.identity().namespace(), attempt.policies().plugin());
  }

  @Override
  public Contribution contribution(Request request) {
    SparkApplicationSpec spec = request.spec();
    if (!ShuffleSize.inMemory(spec)) {
      return Contribution.NONE;
    }
    ExecutorMemory memory = request.executorPod().memory();
    PluginPolicy policy = request.policies().plugin();
    ShuffleStorage storage =
        new ShuffleStorage(
            ShuffleSize.storage(spec),
            memory.shuffleBytes(),
            PageSharing.of(spec, request.identity().namespace(), policy),
            policy.sharedPages().claim());
    return Contribution.of(storage.settings(memory))
        .withExecutor(storage.executor(request.identity().names().sparkAppId()));
  }
}
