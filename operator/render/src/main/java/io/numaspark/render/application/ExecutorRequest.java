package io.numaspark.render.application;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOption;
import java.util.List;
import java.util.Optional;

/**
 * The executors that an application asks for.
 *
 * @param instances how many
 * @param taskSlots tasks that one runs at once
 * @param heapBytes JVM heap of one
 * @param pinned how they are pinned; empty for an ordinary application
 */
public record ExecutorRequest(
    int instances, int taskSlots, long heapBytes, Optional<Pinned> pinned) {

  /**
   * Executors of a profile's shape.
   *
   * @param profile name of the profile
   * @param cpus processors of one executor
   * @param memory memory of one executor; the pod is as large as the profile's slot whatever the
   *     language
   * @param options of the JVM with their reasons, without the heap size
   */
  public record Pinned(
      String profile, ExecutorCpus cpus, ExecutorMemory memory, List<JvmOption> options) {

    /** The JVM's options without their reasons. */
    public List<String> jvmOptions() {
      return options.stream().map(JvmOption::text).toList();
    }
  }
}
