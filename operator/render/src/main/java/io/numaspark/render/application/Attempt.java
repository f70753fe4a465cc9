package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import java.util.Optional;

/**
 * An attempt of an application, before its executors are sized.
 *
 * @param profile empty for an ordinary application
 */
public record Attempt(
    SparkApplicationSpec spec,
    ApplicationIdentity identity,
    Optional<ProfileContext> profile,
    Policies policies) {}
