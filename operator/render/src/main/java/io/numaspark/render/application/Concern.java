package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.Optional;

/**
 * One thing that an application can want, with all that follows from it. Each method is a function
 * of its arguments, and a concern implements those that it needs.
 *
 * <p>The model is Spark's KubernetesFeatureConfigStep; the difference is that a concern does not
 * see what the others give, so that no result depends on an order.
 */
public interface Concern {

  /**
   * What the application contradicts by itself, whatever its profile and the operator's policies.
   */
  default Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    return Optional.empty();
  }

  /** What the operator's policies do not let the application have. */
  default Optional<Refusal> refusal(Attempt attempt) {
    return Optional.empty();
  }

  /** What makes pods of this size and form impossible. */
  default Optional<Refusal> refusal(Request request) {
    return Optional.empty();
  }

  /** What the concern adds to the attempt, of which nothing is wrong any more. */
  default Contribution contribution(Request request) {
    return Contribution.NONE;
  }

  /**
   * What can be said only of the finished properties and pods, for example the sum of their
   * requests. Properties are no longer added here, and additions to pods are not seen by others.
   */
  default Contribution completion(Request request, Whole whole) {
    return Contribution.NONE;
  }

  /**
   * Properties and pods with the contributions of all concerns.
   *
   * @param executor the pod template
   */
  record Whole(SparkProperties properties, Pod driver, Pod executor) {}
}
