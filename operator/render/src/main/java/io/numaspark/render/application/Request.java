package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.application.SizedExecutors.Sized;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an attempt asks for, parsed once. Concerns read numbers, sizes, ports and pods from here, so
 * that none depends on what another one has written.
 *
 * @param sized the executors as the fields ask for them
 * @param executors the same with the number that spec.sparkConf gives instead
 * @param pods what the application's fields and templates say of both pods
 * @param driver the driver pod that fields and properties ask for
 * @param executorPod what one executor takes
 * @param taskSlots tasks that the application runs at once; empty if its properties do not say:
 *     dynamic allocation without a maximum, or CPUs of a task that only Spark can judge
 */
public record Request(
    Attempt attempt,
    Sized sized,
    ExecutorRequest executors,
    GivenPods pods,
    DriverRequest driver,
    PodSize executorPod,
    OptionalLong taskSlots)
    implements Preparation {

  /** Bounded, so that no number takes long. */
  private static final String CPUS_OF_TASK = "[0-9]{1,5}(\\.[0-9]{1,3})?";

  /**
   * What a scheduler reserves for one executor pod.
   *
   * @param memory with the shuffle data that it keeps in memory
   */
  public record PodSize(BigDecimal cpus, ExecutorMemory memory) {}

  /**
   * The request of one attempt.
   *
   * @throws IllegalArgumentException naming the field or property that cannot be read
   */
  public static Request of(Attempt attempt, Sized sized, GivenPods pods) {
    SparkApplicationSpec spec = attempt.spec();
    ExecutorRequest executors = withUserInstances(spec, sized.executors());
    return new Request(
        attempt,
        sized,
        executors,
        pods,
        DriverRequest.of(attempt, pods),
        executors
            .pinned()
            .map(pinned -> new PodSize(BigDecimal.valueOf(pinned.cpus().cpus()), pinned.memory()))
            .orElseGet(() -> new PodSize(cpus(spec, executors), SparkMemory.executor(spec))),
        taskSlots(spec, executors));
  }

  /** A fixed number in the user's Spark properties is taken as it is. */
  private static ExecutorRequest withUserInstances(
      SparkApplicationSpec spec, ExecutorRequest executors) {
    String given = SparkProperties.orEmpty(spec.sparkConf()).get(SparkKeys.EXECUTOR_INSTANCES);
    return given == null || executors.range().isPresent()
        ? executors
        : executors.withInstances(Integer.parseInt(given));
  }

  private static BigDecimal cpus(SparkApplicationSpec spec, ExecutorRequest executors) {
    String request =
        SparkProperties.orEmpty(spec.sparkConf())
            .getOrDefault(SparkKeys.EXECUTOR_REQUEST, spec.executor().coreRequest());
    return request == null
        ? BigDecimal.valueOf(cores(spec, executors))
        : Quantity.getAmountInBytes(CpuAmount.of(SparkKeys.EXECUTOR_REQUEST, request));
  }

  /** Tasks of one CPU that an executor runs at once. */
  private static int cores(SparkApplicationSpec spec, ExecutorRequest executors) {
    String given = SparkProperties.orEmpty(spec.sparkConf()).get(SparkKeys.EXECUTOR_CORES);
    return given == null ? executors.taskSlots() : Integer.parseInt(given);
  }

  private static OptionalLong taskSlots(SparkApplicationSpec spec, ExecutorRequest executors) {
    OptionalInt most = executors.mostInstances();
    String given = SparkProperties.orEmpty(spec.sparkConf()).getOrDefault(SparkKeys.TASK_CPUS, "1");
    if (most.isEmpty() || !given.matches(CPUS_OF_TASK)) {
      return OptionalLong.empty();
    }
    BigDecimal cpus = new BigDecimal(given);
    long slots =
        cpus.signum() == 0
            ? 0
            : BigDecimal.valueOf(cores(spec, executors))
                .divide(cpus, 0, RoundingMode.FLOOR)
                .longValueExact();
    long all = most.getAsInt() * slots;
    return all > 0 ? OptionalLong.of(all) : OptionalLong.empty();
  }

  /** The same on a cluster whose API server serves a batch scheduler's PodGroup in this version. */
  public Request withPodGroups(String apiVersion) {
    return new Request(
        attempt.withPodGroups(apiVersion), sized, executors, pods, driver, executorPod, taskSlots);
  }

  public SparkApplicationSpec spec() {
    return attempt.spec();
  }

  /** The spec as it was written, without defaults. */
  public SparkApplicationSpec given() {
    return attempt.given();
  }

  public ApplicationIdentity identity() {
    return attempt.identity();
  }

  public Optional<ProfileContext> profile() {
    return attempt.profile();
  }

  public Policies policies() {
    return attempt.policies();
  }

  /** The properties that the application gives itself. */
  public Map<String, String> userConf() {
    return SparkProperties.orEmpty(spec().sparkConf());
  }

  /** Port of the driver's web UI. */
  public int uiPort() {
    return DriverUi.port(spec());
  }
}
