package io.numaspark.render.executors;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sizing.ExecutorSplit;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The pinned executors of an application that another operator runs, with the Spark properties that
 * make them; the number of executors is not among the properties.
 *
 * <p>Limit: nothing of the pod template, which each operator takes in its own way, and nothing of
 * what suits a workload, which is the user's there.
 */
public record PinnedExecutors(ExecutorRequest executors, SortedMap<String, String> sparkConf) {

  /**
   * The executors for what an application asks for, with the arithmetic of {@link
   * ApplicationRenderer}.
   *
   * @param spec with its defaults; its language and executor are read, nothing else
   * @return empty if the profile's pod leaves no heap for this language
   */
  public static Optional<PinnedExecutors> of(SparkApplicationSpec spec, ProfileContext profile) {
    return ExecutorSplit.pinned(spec, profile)
        .map(executors -> new PinnedExecutors(executors, conf(executors)));
  }

  /** Executors that are Guaranteed, of one shape, and patient with a slow start. */
  private static SortedMap<String, String> conf(ExecutorRequest executors) {
    ExecutorRequest.Pinned pinned = executors.pinned().orElseThrow();
    Settings settings = new Settings();
    Settings.From derived = settings.derived("profile " + pinned.profile());
    ExecutorPods.addShape(derived, pinned);
    RetryLimits.failures(executors.mostInstances().orElse(executors.instances()))
        .forEach(limit -> derived.put(limit.key(), limit.value()));
    return SparkProperties.of(settings.list()).asMap();
  }
}
