package io.numaspark.render.executors;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.Collector;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.HeapLimits;
import io.numaspark.planner.jvm.JvmOptionRules;
import io.numaspark.planner.jvm.JvmOptionRules.Objection;
import io.numaspark.planner.jvm.JvmPolicy;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.JavaOptionsField;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which JVM options a pinned application may not give, and which ones are worth a remark.
 *
 * <p>Limit: an ordinary application's options are not looked at, as nothing is known of its JVM.
 */
final class JvmRules {
  private final JavaOptionsField given;
  private final ProfileContext profile;
  private final ExecutorRequest.Pinned executor;

  JvmRules(SparkApplicationSpec spec, ProfileContext profile, ExecutorRequest.Pinned executor) {
    this.given = JavaOptionsField.of(spec);
    this.profile = profile;
    this.executor = executor;
  }

  /** The first option that undoes what the plan rests on. */
  Optional<Refusal> refusal() {
    return objections(given.options()).stream()
        .filter(Objection::refused)
        .findFirst()
        .map(objection -> refuse(objection.message()))
        .or(this::heapOutgrowsCollector);
  }

  /** Options that start, but do not do what they look like. */
  List<String> advice() {
    List<String> advice = new ArrayList<>();
    objections(given.options()).stream()
        .filter(objection -> !objection.refused())
        .forEach(objection -> advice.add(given.field() + ": " + objection.message()));
    // The profile was checked against its largest executor; the plan may have chosen a smaller one.
    objections(profile.policy().jvm().extraOptions())
        .forEach(
            objection ->
                advice.add(
                    "spec.jvm.extraOptions of profile "
                        + profile.name()
                        + ": "
                        + objection.message()));
    if (Collector.chosenBy(given.options()).isPresent() && limits().compressedBytes() == 0) {
      advice.add(
          given.field()
              + ": ZGC never compresses object pointers, each takes 8 bytes instead of 4; choose"
              + " another collector unless pauses matter more than memory");
    }
    return List.copyOf(advice);
  }

  private List<Objection> objections(List<String> options) {
    return JvmOptionRules.check(
        options, profile.policy().jvm(), executor.cpus(), executor.memory().heapBytes());
  }

  /** The profile's collector holds the heap in compressed pointers, but the application's not. */
  private Optional<Refusal> heapOutgrowsCollector() {
    long heap = executor.memory().heapBytes();
    long limit = limits().compressedBytes();
    JvmPolicy jvm = profile.policy().jvm();
    boolean outgrown = limit > 0 && heap > limit && heap <= jvm.heapLimits().compressedBytes();
    return outgrown
        ? Optional.of(
            refuse(
                "its collector has compressed object pointers up to "
                    + limit / ExecutorMemory.MIB
                    + " MiB, but executors of profile "
                    + profile.name()
                    + " have a heap of "
                    + heap / ExecutorMemory.MIB
                    + " MiB; leave the collector to the profile, or lower its"
                    + " spec.executor.maxHeap"))
        : Optional.empty();
  }

  private HeapLimits limits() {
    return profile.policy().jvm().heapLimits(given.options());
  }

  private Refusal refuse(String why) {
    return new Refusal(RefusalReason.JVM_OPTION_REFUSED, given.field() + ": " + why);
  }
}
