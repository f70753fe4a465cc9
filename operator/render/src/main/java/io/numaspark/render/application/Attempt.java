package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import java.util.Optional;

/**
 * An attempt of an application, before its executors are sized.
 *
 * @param spec with the defaults of its schema
 * @param given the same as it was written, to tell a default from a value
 * @param profile empty for an ordinary application
 */
public record Attempt(
    SparkApplicationSpec spec,
    SparkApplicationSpec given,
    ApplicationIdentity identity,
    Optional<ProfileContext> profile,
    Policies policies) {

  /** The same on a cluster whose API server serves a batch scheduler's PodGroup in this version. */
  Attempt withPodGroups(String apiVersion) {
    return new Attempt(spec, given, identity, profile, policies.withPodGroups(apiVersion));
  }
}
