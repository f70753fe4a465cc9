package io.numaspark.render.executors;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOption;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.ProfileContext.NodeSupply;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.profile.ProfileTranslator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmRulesTest {
  /** Executors of 3 cores and 6 threads. */
  private static final String SHAPE = "executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}";

  private final ProfileContext profile = context(profile(SHAPE), node("a", 7));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          executor: {javaOptions: '-XX:+DisableExplicitGC'}                          | spec.executor.javaOptions: -XX:+DisableExplicitGC: System.gc
          executor: {javaOptions: '-Da=b -XX:ParallelGCThreads=4'}                   | spec.executor.javaOptions: -XX:ParallelGCThreads=4: an executor has 3 cores
          executor: {javaOptions: '-XX:ActiveProcessorCount=7'}                      | spec.executor.javaOptions: -XX:ActiveProcessorCount=7: an executor is pinned to 6 CPUs
          executor: {javaOptions: '"-Xmx4g"'}                                        | spec.executor.javaOptions: -Xmx4g: Spark sets
          executor: {javaOptions: '-Xmn6g'}                                          | spec.executor.javaOptions: -Xmn6g: a nursery must be smaller than the heap of 6144 MiB
          executor: {javaOptions: '-XX:+UseG1GC -XX:+UseZGC'}                        | spec.executor.javaOptions: -XX:+UseG1GC -XX:+UseZGC: two collectors
          sparkConf: {spark.executor.extraJavaOptions: '-Dspark.a=b'}                | spec.sparkConf["spark.executor.extraJavaOptions"]: -Dspark.a=b: Spark refuses
          sparkConf: {spark.executor.extraJavaOptions: '-Xgcthreads2'}               | spec.sparkConf["spark.executor.extraJavaOptions"]: -Xgcthreads2: is an option of OpenJ9
          """)
  void whatUndoesThePlanIsRefusedWithItsField(String field, String message) {
    assertThat(render(profile, "nodeProfile: test", field))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo("JvmOptionRefused");
              assertThat(refusal.message()).startsWith(message);
            });
  }

  @Test
  void anOrdinaryApplicationsOptionsAreItsOwn() {
    assertThat(
            new ApplicationRenderer("spark")
                .render(
                    application("executor: {javaOptions: '-XX:+DisableExplicitGC'}"),
                    Optional.empty()))
        .isInstanceOf(Manifests.class);
  }

  @Test
  void ofTwoFieldsTheOneThatWinsIsChecked() {
    assertThat(
            render(
                profile,
                "nodeProfile: test",
                "executor: {javaOptions: '-Xmx4g'}",
                "sparkConf: {spark.executor.extraJavaOptions: '-Da=b'}"))
        .isInstanceOf(Manifests.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -XX:+UseNUMA   | spec.executor.javaOptions: -XX:+UseNUMA: has no effect
          -XX:+UseZGC    | spec.executor.javaOptions: ZGC never compresses object pointers
          """)
  void whatIsUselessIsAdvice(String option, String advice) {
    assertThat(advice(profile, "executor: {javaOptions: '" + option + "'}"))
        .singleElement()
        .asString()
        .startsWith(advice);
  }

  @Test
  void aProfilesOptionForLargerExecutorsIsAdvice() {
    ProfileContext large =
        context(profile(SHAPE, "jvm: {extraOptions: ['-XX:ParallelGCThreads=6']}"), node("a", 7));
    assertThat(advice(large, "executor: {}"))
        .singleElement()
        .asString()
        .startsWith("spec.jvm.extraOptions of profile test: -XX:ParallelGCThreads=6: an executor");
  }

  @ParameterizedTest(name = "heap {0} MiB of a {1} profile, application with {2}: refused {3}")
  @CsvSource({
    "32500, Parallel, -XX:+UseG1GC,         true",
    "32256, Parallel, -XX:+UseG1GC,         false",
    "32500, Parallel, -XX:+UseParallelGC,   false",
    "32500, Parallel, -XX:+UseZGC,          false",
    "40000, Parallel, -XX:+UseG1GC,         false",
  })
  void theApplicationsCollectorMustHoldTheHeap(
      long heapMib, String collector, String option, boolean refused) {
    ProfileContext context =
        new ProfileContext(
            "p",
            ProfileTranslator.policy(
                profile(SHAPE, "jvm: {version: 21, collector: " + collector + "}")),
            profile.plan(),
            List.of(),
            NodeSupply.THESE);
    ExecutorRequest.Pinned executor =
        new ExecutorRequest.Pinned(
            "p",
            new ExecutorCpus(3, 6, 6),
            new ExecutorMemory(heapMib * ExecutorMemory.MIB, 0, 0),
            List.of(),
            1,
            1,
            6,
            Pins.KUBELET);
    JvmRules rules =
        new JvmRules(spec("executor: {javaOptions: '" + option + "'}"), context, executor);
    assertThat(rules.refusal().map(Refusal::message))
        .isEqualTo(
            refused
                ? Optional.of(
                    "spec.executor.javaOptions: its collector has compressed object pointers up to"
                        + " 32256 MiB, but executors of profile p have a heap of 32500 MiB; leave"
                        + " the collector to the profile, or lower its spec.executor.maxHeap")
                : Optional.empty());
  }

  @Test
  void everyOptionThatIsRenderedHasItsReason() {
    Manifests manifests = (Manifests) render(profile, "nodeProfile: test");
    List<JvmOption> options = manifests.executors().pinned().orElseThrow().options();
    assertThat(options).isNotEmpty().allMatch(option -> !option.why().isBlank());
    assertThat(manifests.sparkConf().get("spark.executor.defaultJavaOptions"))
        .isEqualTo(String.join(" ", options.stream().map(JvmOption::text).toList()));
  }

  @Test
  void anOptionWithASpaceStaysOne() {
    ProfileContext spaced =
        context(profile(SHAPE, "jvm: {extraOptions: ['-Da=\"b c\"']}"), node("a", 7));
    Manifests manifests = (Manifests) render(spaced, "nodeProfile: test");
    assertThat(manifests.sparkConf().get("spark.executor.defaultJavaOptions"))
        .endsWith(" \"-Da=b c\"");
  }

  private static List<String> advice(ProfileContext profile, String field) {
    return ((Manifests) render(profile, "nodeProfile: test", field)).warnings();
  }

  private static RenderResult render(ProfileContext profile, String... fields) {
    return new ApplicationRenderer("spark").render(application(fields), Optional.of(profile));
  }
}
