package io.numaspark.render.sizing;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ExecutorRequest.Pinned;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.fixture.Renderings;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactExecutorsTest {
  /** NUMA nodes of 6 and 7 cores with 2 threads each are cut into 2 slots of 3 cores each. */
  private final ProfileContext shared = context("{}");

  private final ProfileContext isolated = context("{mode: Isolated}");

  private static ProfileContext context(String smt) {
    return io.numaspark.render.fixture.Specs.context(
        profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}", "smt: " + smt),
        node("a", 7));
  }

  @ParameterizedTest(name = "{0}: {1} cores, {2} CPUs, {3} tasks, {4} MiB, {5} slots")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'cores: 6, memory: 4g'                      | 3 | 6  | 6 | 4505 | 1
          'cores: 4, memory: 2g'                      | 2 | 4  | 4 | 2432 | 1
          'cores: 3, memory: 1g'                      | 2 | 4  | 3 | 1408 | 1
          'memory: 1g'                                | 1 | 2  | 1 | 1408 | 1
          'cores: 8, memory: 1g'                      | 4 | 8  | 8 | 1408 | 3
          'cores: 2, memory: 9g'                      | 1 | 2  | 2 | 10137 | 3
          'cores: 2, memory: 2g, memoryOverhead: 1g'  | 1 | 2  | 2 | 3072 | 1
          """)
  void coresAndMemoryStayAsWritten(
      String executor, int cores, int cpus, int tasks, long mib, int slots) {
    Manifests manifests = rendered(shared, "executor: {sizing: Exact, " + executor + "}");
    Pinned pinned = manifests.executors().pinned().orElseThrow();
    assertThat(pinned.cpus().cores()).isEqualTo(cores);
    assertThat(pinned.cpus().cpus()).isEqualTo(cpus);
    assertThat(manifests.executors().taskSlots()).isEqualTo(tasks);
    assertThat(pinned.memory().podBytes()).isEqualTo(mib * ExecutorMemory.MIB);
    assertThat(manifests.sparkConf())
        .containsEntry("spark.kubernetes.executor.request.cores", String.valueOf(cpus))
        .containsEntry("spark.kubernetes.executor.limit.cores", String.valueOf(cpus))
        .containsEntry("spark.executor.cores", String.valueOf(tasks));
    assertThat(Renderings.podBytes(manifests))
        .as("what Spark makes of the properties")
        .isEqualTo(pinned.memory().podBytes());
    assertThat(slotsOfTemplate(manifests)).isEqualTo(new Quantity(String.valueOf(slots)));
  }

  @Test
  void oneTaskACoreTakesWholeCores() {
    Pinned pinned =
        rendered(isolated, "executor: {sizing: Exact, cores: 3, memory: 1g}")
            .executors()
            .pinned()
            .orElseThrow();
    assertThat(pinned.cpus().cpus()).isEqualTo(6);
    assertThat(pinned.cpus().taskSlots()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0} {1}: {2} MiB")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Java   | {spark.executor.memoryOverheadFactor: '0.5'}                             | 3072
          Java   | {spark.executor.memoryOverhead: 512m}                                     | 2560
          Java   | {spark.memory.offHeap.enabled: 'true', spark.memory.offHeap.size: 1g}     | 3456
          Java   | {spark.memory.offHeap.enabled: 'true', spark.memory.offHeap.size: '1073741824'} | 3456
          Python | {}                                                                        | 2867
          Python | {spark.executor.pyspark.memory: 1g}                                       | 3891
          """)
  void theUsersOwnSizesCountAsSparkCountsThem(String type, String conf, long mib) {
    Manifests manifests =
        rendered(
            shared,
            "type: " + type,
            "executor: {sizing: Exact, cores: 2, memory: 2g}",
            "sparkConf: " + conf);
    assertThat(manifests.executors().pinned().orElseThrow().memory().podBytes())
        .isEqualTo(mib * ExecutorMemory.MIB);
    assertThat(Renderings.podBytes(manifests)).isEqualTo(mib * ExecutorMemory.MIB);
  }

  @Test
  void moreThanOneSlotIsSaid() {
    assertThat(rendered(shared, "executor: {sizing: Exact, cores: 8, memory: 1g}").warnings())
        .singleElement()
        .asString()
        .startsWith("spec.executor.sizing: Exact: each executor requests 3 slots of profile test");
    assertThat(rendered(shared, "executor: {sizing: Exact, cores: 2, memory: 1g}").warnings())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'cores: 40, memory: 1g'  | ExecutorDoesNotFit     | spec.executor.sizing: Exact: an executor of 40 CPUs
          'cores: 2, memory: 64t'  | ExecutorHeapTooLarge   | spec.executor.memory: a heap of
          'cores: 2, memory: 40g'  | ExecutorHeapTooLarge   | spec.executor.memory: a heap of 40960m is above
          'cores: 2, memory: 100m' | ExecutorMemoryTooSmall | spec.executor.memory: Spark needs a heap of at least 450m
          """)
  void whatNoNumaNodeHoldsIsRefused(String executor, String reason, String message) {
    RenderResult result = render(shared, "executor: {sizing: Exact, " + executor + "}");
    assertThat(result).isInstanceOf(Refusal.class);
    assertThat(((Refusal) result).reason()).isEqualTo(reason);
    assertThat(((Refusal) result).message()).startsWith(message).contains(";");
  }

  @ParameterizedTest
  @CsvSource({"spark.memory.offHeap.size, lots", "spark.executor.memoryOverheadFactor, much"})
  void sizesThatCannotBeReadAreRefused(String key, String value) {
    RenderResult result =
        render(
            shared,
            "executor: {sizing: Exact}",
            "sparkConf: {spark.memory.offHeap.enabled: 'true', %s: %s}".formatted(key, value));
    assertThat(result).isInstanceOf(Refusal.class);
    assertThat(((Refusal) result).message())
        .startsWith("spec.sparkConf[\"" + key + "\"]: '" + value + "'");
  }

  @Test
  void dynamicAllocationIsBoundedByExecutorsAndNotBySlots() {
    Manifests manifests =
        rendered(
            shared,
            "executor: {sizing: Exact, cores: 8, memory: 1g}",
            "dynamicAllocation: {enabled: true}");
    assertThat(manifests.sparkConf())
        .as("4 slots, 3 for each")
        .containsEntry("spark.dynamicAllocation.maxExecutors", "1");
  }

  private static Quantity slotsOfTemplate(Manifests manifests) {
    Pod template =
        Serialization.unmarshal(
            manifests.configuration().getData().get("executor-pod-template.yaml"), Pod.class);
    return template
        .getSpec()
        .getContainers()
        .get(0)
        .getResources()
        .getLimits()
        .get("slots.numaspark.io/test");
  }

  private static Manifests rendered(ProfileContext profile, String... fields) {
    RenderResult result = render(profile, fields);
    assertThat(result).isInstanceOf(Manifests.class);
    return (Manifests) result;
  }

  private static RenderResult render(ProfileContext profile, String... fields) {
    String[] all = new String[fields.length + 1];
    all[0] = "nodeProfile: test";
    System.arraycopy(fields, 0, all, 1, fields.length);
    return new ApplicationRenderer("spark").render(application(all), Optional.of(profile));
  }
}
