package io.numaspark.render.application;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOptions;
import io.numaspark.planner.jvm.Workload;
import io.numaspark.render.application.RenderResult.Manifests;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A profile's executor shape with the Spark properties that make it, for showing.
 *
 * @param sparkConf of one application if there is one, else those that follow from the shape alone
 */
public record PinnedShape(ExecutorRequest.Pinned pinned, SortedMap<String, String> sparkConf) {

  /** The shape that applications of a profile get unless they say otherwise. */
  public static PinnedShape of(ProfileContext profile) {
    ExecutorCpus cpus = profile.plan().shape().cpus();
    ExecutorMemory memory = ExecutorSplit.withoutShuffle(profile.plan().shape().memory());
    ExecutorRequest.Pinned pinned =
        new ExecutorRequest.Pinned(
            profile.name(),
            cpus,
            memory,
            JvmOptions.explained(profile.policy().jvm(), memory, cpus, Workload.GENERAL));
    return new PinnedShape(pinned, SparkConf.pinnedShape(pinned));
  }

  /**
   * The shape of one pinned application.
   *
   * @throws java.util.NoSuchElementException if the application is not pinned
   */
  public static PinnedShape of(Manifests manifests) {
    return new PinnedShape(
        manifests.executors().pinned().orElseThrow(), new TreeMap<>(manifests.sparkConf()));
  }
}
