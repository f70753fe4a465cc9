package io.numaspark.render.executors;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadConfTest {
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  /** Executors of 3 cores, so 6 task slots. */
  private final ProfileContext profile =
      context(profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}"), node("a", 7));

  @ParameterizedTest(name = "{1} instances of 6 task slots with {2}: {3} partitions")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          General      | 100 | {}                                                          | 1800
          General      | 10  | {}                                                          |
          ShuffleHeavy | 10  | {}                                                          | 480
          ShuffleHeavy | 10  | {spark.executor.instances: '20'}                            | 960
          ShuffleHeavy | 10  | {spark.task.cpus: '2'}                                      | 240
          ShuffleHeavy | 10  | {spark.task.cpus: '0.5'}                                    | 960
          ShuffleHeavy | 10  | {spark.task.cpus: '7'}                                      |
          ShuffleHeavy | 10  | {spark.task.cpus: '0'}                                      |
          ShuffleHeavy | 10  | {spark.task.cpus: many}                                     |
          ShuffleHeavy | 10  | {spark.task.cpus: '1E999999999'}                            |
          ShuffleHeavy | 10  | {spark.executor.cores: '99999', spark.task.cpus: '0.001'}   | 2147483647
          ShuffleHeavy | 10  | {spark.executor.cores: '12'}                                | 960
          ShuffleHeavy | 10  | {spark.dynamicAllocation.enabled: 'true'}                   |
          ShuffleHeavy | 10  | {spark.dynamicAllocation.enabled: 'true', spark.dynamicAllocation.maxExecutors: '40'} | 1920
          ShuffleHeavy | 10  | {spark.sql.shuffle.partitions: '64'}                        | 64
          Streaming    | 100 | {}                                                          |
          """)
  void shufflePartitionsFollowWhatReallyRuns(
      String workload, int instances, String conf, String partitions) {
    Manifests manifests =
        pinned(
            "workload: " + workload,
            "executor: {instances: " + instances + "}",
            "sparkConf: " + conf);
    assertThat(manifests.sparkConf().get(PARTITIONS)).isEqualTo(partitions);
  }

  @Test
  void reasonsAreGivenForWhatIsInEffectOnly() {
    Manifests manifests =
        pinned("workload: Iterative", "sparkConf: {spark.memory.fraction: '0.65'}");
    assertThat(manifests.tuning())
        .extracting(SparkProperty::key)
        .containsExactly("spark.memory.storageFraction");
  }

  @ParameterizedTest
  @CsvSource({"true, true", "false, "})
  void joinsAreOrderedByCostOnRequestWithAndWithoutAProfile(boolean wanted, String value) {
    for (Manifests manifests :
        new Manifests[] {
          pinned("costBasedJoins: " + wanted), ordinary("costBasedJoins: " + wanted)
        }) {
      assertThat(manifests.sparkConf().get("spark.sql.cbo.enabled")).isEqualTo(value);
      assertThat(manifests.sparkConf().get("spark.sql.cbo.joinReorder.enabled")).isEqualTo(value);
      assertThat(manifests.warnings().stream().anyMatch(a -> a.contains("ANALYZE TABLE")))
          .isEqualTo(wanted);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {spark.sql.adaptive.enabled: 'false'} | spec.sparkConf["spark.sql.adaptive.enabled"]: adaptive execution turns joins
          {spark.sql.shuffle.partitions: '3'}   | spec.sparkConf["spark.sql.shuffle.partitions"]: 3 partitions leave part of the 12 task slots idle
          {spark.task.cpus: '0.5'}              | spec.sparkConf["spark.task.cpus"]: fractions need Spark 4.3
          {spark.driver.extraJavaOptions: '-XX:+DisableExplicitGC'} | spec.driver.javaOptions: -XX:+DisableExplicitGC: the driver's ContextCleaner
          """)
  void whatCouldBeBetterIsAdvice(String conf, String advice) {
    assertThat(pinned("executor: {instances: 2}", "sparkConf: " + conf).warnings())
        .singleElement()
        .asString()
        .startsWith(advice);
  }

  @Test
  void costBasedJoinsWithoutReorderingAreAdviceTwice() {
    assertThat(pinned("sparkConf: {spark.sql.cbo.enabled: 'true'}").warnings())
        .hasSize(2)
        .first()
        .asString()
        .contains("set spec.costBasedJoins: true instead");
  }

  @Test
  void aPlainApplicationHasNoAdvice() {
    assertThat(pinned("executor: {instances: 2}").warnings()).isEmpty();
    assertThat(ordinary("executor: {instances: 2}").warnings()).isEmpty();
  }

  @Test
  void memoryOfPythonWorkersComesOutOfTheSlot() {
    Manifests with = pinned("type: Python", "sparkConf: {spark.executor.pyspark.memory: 1049088k}");
    Manifests without = pinned("type: Python");
    ExecutorMemory memory = memory(with);
    assertThat(memory.pysparkBytes()).isEqualTo(1024 * ExecutorMemory.MIB);
    assertThat(memory.podBytes()).isEqualTo(profile.plan().shape().memory().podBytes());
    assertThat(memory.heapBytes() + memory.pageCacheBytes())
        .isLessThan(memory(without).heapBytes() + memory(without).pageCacheBytes());
    assertThat(
            new ApplicationRenderer("spark")
                .render(
                    application(
                        "type: Python",
                        "nodeProfile: test",
                        "sparkConf: {spark.executor.pyspark.memory: 60g}"),
                    Optional.of(profile)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.reason()).isEqualTo("ExecutorMemoryTooSmall"));
  }

  private static ExecutorMemory memory(Manifests manifests) {
    return manifests.executors().pinned().orElseThrow().memory();
  }

  private Manifests pinned(String... fields) {
    String[] all = Arrays.copyOf(fields, fields.length + 1);
    all[fields.length] = "nodeProfile: test";
    return (Manifests)
        new ApplicationRenderer("spark").render(application(all), Optional.of(profile));
  }

  private static Manifests ordinary(String... fields) {
    return (Manifests)
        new ApplicationRenderer("spark").render(application(fields), Optional.empty());
  }
}
