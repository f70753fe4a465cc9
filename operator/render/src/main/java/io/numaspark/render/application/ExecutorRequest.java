package io.numaspark.render.application;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOption;
import io.numaspark.planner.plan.Pins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The executors that an application asks for.
 *
 * @param instances how many; with dynamic allocation those to start with
 * @param taskSlots tasks that one runs at once
 * @param heapBytes JVM heap of one
 * @param pinned how they are pinned; empty for an ordinary application
 * @param range between which numbers Spark changes them; empty if their number is fixed
 */
public record ExecutorRequest(
    int instances, int taskSlots, long heapBytes, Optional<Pinned> pinned, Optional<Range> range) {

  /** A fixed number of executors. */
  public ExecutorRequest(int instances, int taskSlots, long heapBytes, Optional<Pinned> pinned) {
    this(instances, taskSlots, heapBytes, pinned, Optional.empty());
  }

  /** The most that may run at once; empty if dynamic allocation has no limit. */
  public OptionalInt mostInstances() {
    return range.map(Range::maximum).orElse(OptionalInt.of(instances));
  }

  /** The same executors in another fixed number. */
  public ExecutorRequest withInstances(int number) {
    return new ExecutorRequest(number, taskSlots, heapBytes, pinned, range);
  }

  /** The same executors in a number that Spark changes. */
  public ExecutorRequest changing(DynamicExecutors dynamic) {
    return new ExecutorRequest(
        dynamic.initial(),
        taskSlots,
        heapBytes,
        pinned,
        Optional.of(new Range(dynamic.minimum(), dynamic.maximum())));
  }

  /**
   * Bounds of dynamic allocation.
   *
   * @param minimum fewest executors
   * @param maximum most executors; empty for no limit
   */
  public record Range(int minimum, OptionalInt maximum) {}

  /**
   * Executors of a profile's shape.
   *
   * @param profile name of the profile
   * @param cpus processors of one executor
   * @param memory memory of one executor; the pod is as large as the profile's slot whatever the
   *     language
   * @param options of the JVM with their reasons, without the heap size
   * @param slots of the profile that one pod requests of the scheduler
   * @param width slots of one NUMA node that one takes, at most as many as it requests
   * @param widthCpus CPUs of so many slots; an executor of a size of its own may want fewer
   * @param pins what pins it
   */
  public record Pinned(
      String profile,
      ExecutorCpus cpus,
      ExecutorMemory memory,
      List<JvmOption> options,
      int slots,
      int width,
      int widthCpus,
      Pins pins) {

    /** An executor on nodes of a profile. */
    public static Pinned of(
        ProfileContext profile,
        ExecutorCpus cpus,
        ExecutorMemory memory,
        List<JvmOption> options,
        int slots,
        int width) {
      Pins pins = profile.plan().pins();
      List<JvmOption> all = new ArrayList<>(options);
      if (pins.byRuntime()) {
        all.add(
            new JvmOption(
                "-XX:ActiveProcessorCount=" + cpus.cpus(),
                "the CPUs of its slot, also if the executor starts while the node's pinner is away;"
                    + " spec.pinning"));
      }
      return new Pinned(
          profile.name(),
          cpus,
          memory,
          List.copyOf(all),
          slots,
          width,
          width * profile.plan().shape().cpus().cpus(),
          pins);
    }

    /** The JVM's options without their reasons. */
    public List<String> jvmOptions() {
      return options.stream().map(JvmOption::text).toList();
    }
  }
}
