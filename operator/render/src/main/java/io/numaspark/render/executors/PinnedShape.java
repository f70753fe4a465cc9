package io.numaspark.render.executors;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOptions;
import io.numaspark.planner.jvm.Workload;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sizing.ExecutorSplit;
import java.util.SortedMap;

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
        ExecutorRequest.Pinned.of(
            profile,
            cpus,
            memory,
            JvmOptions.explained(profile.policy().jvm(), memory, cpus, Workload.GENERAL),
            1,
            1);
    Settings settings = new Settings();
    ExecutorPods.addShape(settings.derived("profile " + profile.name()), pinned);
    return new PinnedShape(pinned, SparkProperties.of(settings.list()).asMap());
  }

  /**
   * The shape of one pinned application.
   *
   * @throws java.util.NoSuchElementException if the application is not pinned
   */
  public static PinnedShape of(Manifests manifests) {
    return new PinnedShape(manifests.executors().pinned().orElseThrow(), manifests.sparkConf());
  }
}
