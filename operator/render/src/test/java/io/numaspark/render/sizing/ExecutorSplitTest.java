package io.numaspark.render.sizing;

import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.fixture.Resources;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorSplitTest {
  /**
   * Executors of 3 cores, so 6 task slots; heap of 8 GiB at most. A node of 2 x 7 cores with one
   * core reserved has 2 + 2 slots, one of 2 x 4 cores has 1 + 1.
   */
  private static final String SHAPE =
      "executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi, memoryOverhead: {min: 512Mi}}";

  private final ProfileContext profile = context(profile(SHAPE), node("a", 7));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                        | 1  | nothing said: one executor
          'instances: 4'                            | 4  | instances alone are executors of the shape
          'cores: 4'                                | 1  | one executor of 4 is less than one of 6
          'instances: 3, cores: 4'                  | 2  | 12 task slots are 2 x 6
          'instances: 3, cores: 5'                  | 3  | 15 task slots need a third
          'instances: 1, cores: 64'                 | 11 | 64 task slots
          'instances: 4, memory: 3g'                | 2  | 12 GiB of heap are 2 x 6
          'instances: 4, memory: 3073m'             | 3  | 4 MiB more need a third
          'memory: 1m'                              | 1  | never less than one
          'instances: 4, cores: 6, memory: 1g'      | 4  | the cores want more
          'instances: 4, cores: 1, memory: 12g'     | 8  | the memory wants more
          'instances: 100000, cores: 1024'          | 17066667 | large totals do not overflow
          'instances: 100000, memory: 64t'          | 1092266667 | nor do large heaps
          'nodes: 1'                                | 4  | all slots of a node
          'nodes: 5'                                | 20 | all slots of five nodes
          """)
  void totalIsSplitIntoTheProfilesShape(String executor, int instances, String why) {
    Optional<ExecutorRequest> request =
        ExecutorSplit.pinned(spec("nodeProfile: test", "executor: {" + executor + "}"), profile);
    assertThat(request).map(ExecutorRequest::instances).as(why).contains(instances);
    assertThat(request.get().taskSlots()).isEqualTo(6);
    assertThat(request.get().pinned()).map(p -> p.cpus().cpus()).contains(6);
  }

  @Test
  void wholeNodesCountTheSmallestClassThatHasSlots() {
    ProfileContext mixed =
        context(profile(SHAPE), node("large", 7), node("small", 4), node("tiny", 2));
    assertThat(ExecutorSplit.pinned(spec("executor: {nodes: 3}"), mixed))
        .map(ExecutorRequest::instances)
        .contains(6);
  }

  @ParameterizedTest
  @CsvSource({"Java, 6144, 614", "Scala, 6144, 614", "Python, 5559, 2223", "R, 5559, 2223"})
  void everyLanguageGetsAPodOfTheSameSize(String type, long heapMib, long overheadMib) {
    ExecutorRequest.Pinned pinned =
        ExecutorSplit.pinned(spec("type: " + type), profile)
            .flatMap(ExecutorRequest::pinned)
            .orElseThrow();
    assertThat(pinned.memory().heapBytes() >> 20).isEqualTo(heapMib);
    assertThat(pinned.memory().overheadBytes() >> 20).isEqualTo(overheadMib);
    assertThat(pinned.memory().podBytes()).isEqualTo(profile.plan().shape().memory().podBytes());
  }

  @Test
  void aPodThatLeavesNoHeapForPythonIsRefused() {
    ProfileContext small =
        context(
            profile(
                "executor: {coresPerExecutor: {preferred: 3}, maxHeap: 512Mi, memoryOverhead: {min: 0}, pageCache: {max: \"0\"}}"),
            node("a", 7));
    RenderResult result =
        new ApplicationRenderer("spark")
            .render(
                Resources.application(
                    "{metadata: {name: a}, spec: {type: Python, image: i, mainApplicationFile: f}}"),
                Optional.of(small));
    assertThat(result).isInstanceOf(RenderResult.Refusal.class);
    assertThat(((RenderResult.Refusal) result).reason()).isEqualTo("ExecutorMemoryTooSmall");
    assertThat(((RenderResult.Refusal) result).message())
        .startsWith("spec.type:")
        .contains("profile test")
        .contains("spec.executor.coresPerExecutor.min");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                   | 1 | 1 | 1024
          'instances: 3'                       | 3 | 1 | 1024
          'instances: 3, cores: 2, memory: 4g' | 3 | 2 | 4096
          """)
  void ordinaryExecutorsAreTakenAsTheyAre(String executor, int instances, int slots, long heap) {
    ExecutorRequest request =
        ExecutorSplit.ordinary(spec("executor: {" + executor + "}")).executors();
    assertThat(request)
        .isEqualTo(new ExecutorRequest(instances, slots, heap << 20, Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {javaOptions: -XX:+UseG1GC}'                                          | false
          'sparkConf: {spark.executor.extraJavaOptions: -Da=b -XX:+UseZGC}'                | false
          'executor: {javaOptions: -XX:-UseG1GC}'                                          | true
          'executor: {javaOptions: -Dgc=none}'                                             | true
          'executor: {}'                                                                   | true
          """)
  void theUsersCollectorReplacesOurs(String field, boolean ours) {
    assertThat(
            ExecutorSplit.pinned(spec(field), profile)
                .flatMap(ExecutorRequest::pinned)
                .orElseThrow()
                .jvmOptions()
                .contains("-XX:+UseParallelGC"))
        .isEqualTo(ours);
  }
}
