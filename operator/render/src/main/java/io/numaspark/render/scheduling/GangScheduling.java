package io.numaspark.render.scheduling;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.Optional;

/**
 * What a batch scheduler needs (spec.batchScheduler), as {@link BatchScheduling} describes it. The
 * description repeats the finished pods, so it is a completion.
 */
public final class GangScheduling implements Concern {

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    return BatchScheduling.check(spec);
  }

  @Override
  public Contribution completion(Request request, Whole whole) {
    SparkApplicationSpec spec = request.spec();
    if (!BatchScheduling.isAsked(spec)) {
      return Contribution.NONE;
    }
    BatchScheduling batch =
        BatchScheduling.of(
            spec,
            request.identity(),
            new BatchScheduling.Pods(
                whole.driver(),
                whole.executor(),
                request.executors().instances(),
                PodRequests.ofExecutor(whole.executor(), request.executorPod())));
    return Contribution.NONE
        .withDriver(batch.driver())
        .withExecutor(batch.executor())
        .withObjects(batch.objects());
  }
}
