package io.numaspark.cli.cluster;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;

/**
 * Whether executors of a profile wait for an autoscaler, from the status that the operator has
 * written.
 *
 * <p>Limit: whether an autoscaler exists, and can add a node, is not known here.
 */
final class AwaitedNodes {
  /** What a person does about it. */
  static final String REMEDY =
      "an autoscaler has to add one; kubectl describe of a pending executor shows its event (docs/autoscaling.md)";

  private AwaitedNodes() {}

  /** Whether the profile was planned on its templates, because no usable node exists. */
  static boolean of(SparkNodeProfile profile) {
    SparkNodeProfileStatus status = profile.getStatus();
    return hasTemplates(profile)
        && status != null
        && status.executor() != null
        && status.nodes() != null
        && Integer.valueOf(0).equals(status.nodes().usable());
  }

  /** Whether not even an unusable node exists, so that nothing is to be repaired. */
  static boolean ofNoneAtAll(SparkNodeProfile profile) {
    return of(profile) && Integer.valueOf(0).equals(profile.getStatus().nodes().matched());
  }

  private static boolean hasTemplates(SparkNodeProfile profile) {
    return profile.getSpec().nodeTemplates() != null
        && !profile.getSpec().nodeTemplates().isEmpty();
  }
}
