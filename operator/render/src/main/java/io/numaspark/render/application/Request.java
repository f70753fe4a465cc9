package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.application.SizedExecutors.Sized;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * What an attempt asks for, parsed once. Concerns read numbers, sizes, ports and pods from here, so
 * that none depends on what another one has written.
 *
 * @param sized the executors as the fields ask for them
 * @param executors the same with the number that spec.sparkConf gives instead
 * @param pods what the application's fields and templates say of both pods
 */
public record Request(Attempt attempt, Sized sized, ExecutorRequest executors, GivenPods pods) {

  public static Request of(Attempt attempt, Sized sized, GivenPods pods) {
    return new Request(attempt, sized, withUserInstances(attempt.spec(), sized.executors()), pods);
  }

  /** A fixed number in the user's Spark properties is taken as it is. */
  private static ExecutorRequest withUserInstances(
      SparkApplicationSpec spec, ExecutorRequest executors) {
    String given = SparkProperties.orEmpty(spec.sparkConf()).get(SparkKeys.EXECUTOR_INSTANCES);
    return given == null || executors.range().isPresent()
        ? executors
        : executors.withInstances(Integer.parseInt(given));
  }

  public SparkApplicationSpec spec() {
    return attempt.spec();
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

  /**
   * Memory of one executor without shuffle data that is kept in memory.
   *
   * @throws IllegalArgumentException naming the property that is not a size
   */
  public ExecutorMemory executorMemory() {
    return executors
        .pinned()
        .map(pinned -> pinned.memory().withShuffleBytes(0))
        .orElseGet(() -> SparkMemory.executor(SparkMemory.given(spec())));
  }

  /** Bytes of shuffle data that one executor keeps in memory; 0 for none. */
  public long shuffleBytes() {
    return executors
        .pinned()
        .map(pinned -> pinned.memory().shuffleBytes())
        .orElseGet(
            () ->
                ShuffleSize.inMemory(spec())
                    ? ShuffleSize.bytesBeside(executorMemory().heapBytes(), spec())
                    : 0L);
  }

  /** Memory of an executor pod, shuffle data included. */
  public long podBytes() {
    return executorMemory().podBytes() + shuffleBytes();
  }

  /**
   * CPUs that an executor pod requests.
   *
   * @throws IllegalArgumentException naming the property that is not an amount
   */
  public BigDecimal executorCpus() {
    if (executors.pinned().isPresent()) {
      return BigDecimal.valueOf(executors.pinned().get().cpus().cpus());
    }
    String request =
        userConf().getOrDefault(SparkKeys.EXECUTOR_REQUEST, spec().executor().coreRequest());
    String key = request == null ? SparkKeys.EXECUTOR_CORES : SparkKeys.EXECUTOR_REQUEST;
    String amount =
        request == null
            ? userConf().getOrDefault(key, String.valueOf(executors.taskSlots()))
            : request;
    return Quantity.getAmountInBytes(CpuAmount.of(key, amount));
  }

  /** Port of the driver's web UI. */
  public int uiPort() {
    return DriverUi.port(spec());
  }
}
