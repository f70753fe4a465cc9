package io.numaspark.render.sizing;

import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.capacity.ExactFit;
import io.numaspark.planner.capacity.ExactFit.ClassExecutors;
import io.numaspark.planner.capacity.ExactFit.DoesNotFit;
import io.numaspark.planner.capacity.ExactFit.Fits;
import io.numaspark.planner.capacity.ExactShape;
import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOption;
import io.numaspark.planner.jvm.JvmOptions;
import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.application.DynamicExecutors;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.JavaOptionsField;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.SizedExecutors;
import io.numaspark.render.application.SizedExecutors.Refused;
import io.numaspark.render.application.SizedExecutors.Sized;
import io.numaspark.render.application.SparkMemory;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * Pinned executors that keep cores and memory as the application wrote them (spec.executor.sizing:
 * Exact), on nodes that are cut into slots of another size.
 *
 * <p>Cores are task slots, as everywhere: the executor gets as many whole physical cores as the
 * profile's SMT mode needs for them, because the kubelet hands out whole cores only
 * (full-pcpus-only) and a core shared with another executor would not be pinned to either. Memory
 * is Spark's own sum of heap, overhead, off-heap and Python memory, not the profile's.
 *
 * <p>Limit: each executor holds whole slots while it runs, even where it would fit beside them.
 */
final class ExactExecutors {
  private ExactExecutors() {}

  static SizedExecutors of(SparkApplicationSpec spec, ProfileContext profile) {
    ExecutorCpus cpus = cpus(spec, profile.plan().shape());
    ExecutorMemory memory;
    try {
      memory = SparkMemory.executor(spec);
    } catch (IllegalArgumentException e) {
      return new Refused(new Refusal(RefusalReason.SPARK_CONF_REFUSED, e.getMessage()));
    }
    Optional<Refusal> heap = checkHeap(memory, spec, profile);
    if (heap.isPresent()) {
      return new Refused(heap.get());
    }
    ExactFit fit = new ExactShape(cpus.cpus(), memory.podBytes()).fit(profile.plan());
    if (fit instanceof DoesNotFit misfit) {
      return new Refused(
          new Refusal(
              RefusalReason.EXECUTOR_DOES_NOT_FIT,
              "spec.executor.sizing: Exact: %s on nodes of profile %s; %s"
                  .formatted(misfit.reason(), profile.name(), misfit.remedy())));
    }
    return sized(spec, profile, new Exact(cpus, memory, (Fits) fit));
  }

  /** The executor with what it takes of a node. */
  private record Exact(ExecutorCpus cpus, ExecutorMemory memory, Fits fit) {
    /**
     * In a mixed fleet the smallest class that holds any counts, as with executors that are split.
     */
    int perNode() {
      return fit.classes().stream()
          .mapToInt(ClassExecutors::executors)
          .filter(executors -> executors > 0)
          .min()
          .orElse(0);
    }

    /** Executors that all nodes hold; the classes are in the order of the plan's layouts. */
    int room(Plan plan) {
      int room = 0;
      for (int i = 0; i < fit.classes().size(); i++) {
        room += fit.classes().get(i).executors() * plan.layouts().get(i).nodeClass().nodes();
      }
      return room;
    }
  }

  private static Sized sized(SparkApplicationSpec spec, ProfileContext profile, Exact exact) {
    List<JvmOption> options =
        JvmOptions.explained(
            profile.policy().jvm().yieldingCollectorTo(JavaOptionsField.of(spec).options()),
            exact.memory(),
            exact.cpus(),
            ExecutorSplit.workload(spec));
    int slots = exact.fit().slotsPerExecutor();
    ExecutorSpec executor = spec.executor();
    int instances =
        executor.nodes() != null
            ? executor.nodes() * exact.perNode()
            : Objects.requireNonNullElse(executor.instances(), 1);
    boolean asksFor = executor.nodes() != null || executor.instances() != null;
    Optional<DynamicExecutors> dynamic =
        DynamicExecutors.of(
            spec,
            asksFor ? instances : 0,
            IntUnaryOperator.identity(),
            profile.bound(exact.room(profile.plan())));
    List<String> warnings =
        slots == 1
            ? List.of()
            : List.of(
                "spec.executor.sizing: Exact: each executor requests %d slots of profile %s: %s"
                    .formatted(slots, profile.name(), exact.fit().why()));
    ExecutorRequest fixed =
        new ExecutorRequest(
            instances,
            exact.cpus().taskSlots(),
            exact.memory().heapBytes(),
            Optional.of(
                ExecutorRequest.Pinned.of(
                    profile, exact.cpus(), exact.memory(), options, slots, exact.fit().width())));
    return new Sized(dynamic.map(fixed::changing).orElse(fixed), dynamic, warnings);
  }

  private static ExecutorCpus cpus(SparkApplicationSpec spec, ExecutorShape shape) {
    int tasks =
        spec.executor().cores() != null
            ? spec.executor().cores()
            : Integer.parseInt(
                SparkProperties.orEmpty(spec.sparkConf())
                    .getOrDefault(SparkKeys.EXECUTOR_CORES, "1"));
    int threads = shape.cpus().cpus() / shape.cpus().cores();
    int tasksPerCore = Math.max(1, shape.cpus().taskSlots() / shape.cpus().cores());
    int cores = (tasks + tasksPerCore - 1) / tasksPerCore;
    return new ExecutorCpus(cores, cores * threads, tasks);
  }

  private static Optional<Refusal> checkHeap(
      ExecutorMemory memory, SparkApplicationSpec spec, ProfileContext profile) {
    long heap = memory.heapBytes();
    if (heap < ExecutorMemory.SMALLEST_HEAP_BYTES) {
      return Optional.of(
          new Refusal(
              RefusalReason.EXECUTOR_MEMORY_TOO_SMALL,
              "spec.executor.memory: Spark needs a heap of at least %s; give it"
                  .formatted(MemorySize.toSpark(ExecutorMemory.SMALLEST_HEAP_BYTES))));
    }
    long compressed =
        profile.policy().jvm().heapLimits(JavaOptionsField.of(spec).options()).compressedBytes();
    // A profile that allows large heaps has a maxHeap above the limit; ZGC never compresses.
    long most = Math.max(compressed, profile.policy().memory().maxHeapBytes());
    return compressed == 0 || heap <= most
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                RefusalReason.EXECUTOR_HEAP_TOO_LARGE,
                "spec.executor.memory: a heap of %s is above the %s up to which object pointers are"
                        .formatted(MemorySize.toSpark(heap), MemorySize.toSpark(most))
                    + " compressed; give at most %s, or set spec.executor.allowLargeHeap and maxHeap of profile %s"
                        .formatted(MemorySize.toSpark(most), profile.name())));
  }
}
