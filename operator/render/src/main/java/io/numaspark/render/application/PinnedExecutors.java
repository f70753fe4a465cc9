package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The pinned executors of an application that another operator runs, with the Spark properties that
 * make them; the number of executors is not among the properties.
 *
 * <p>Limit: nothing of the pod template, which each operator takes in its own way.
 */
public record PinnedExecutors(ExecutorRequest executors, SortedMap<String, String> sparkConf) {

  /**
   * The executors for what an application asks for, with the arithmetic of {@link
   * ApplicationRenderer}.
   *
   * @param spec its language, workload and executor are read, nothing else
   * @return empty if the profile's pod leaves no heap for this language
   */
  public static Optional<PinnedExecutors> of(SparkApplicationSpec spec, ProfileContext profile) {
    return ExecutorSplit.pinned(spec, profile)
        .map(executors -> new PinnedExecutors(executors, sparkConf(spec, executors)));
  }

  private static SortedMap<String, String> sparkConf(
      SparkApplicationSpec spec, ExecutorRequest executors) {
    SortedMap<String, String> conf =
        SparkConf.pinnedExecutors(executors, executors.pinned().orElseThrow());
    WorkloadConf.of(spec, executors)
        .forEach(property -> conf.put(property.key(), property.value()));
    return conf;
  }
}
