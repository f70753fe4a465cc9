package io.numaspark.render.executors;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryLimitsTest {
  private static final String ALLOCATION = "spark.kubernetes.allocation.";

  @ParameterizedTest(name = "{0} executors: {1} failures, {2} at once, {3} waiting")
  @CsvSource({"0, 20, 1, 1", "1, 20, 1, 1", "2, 20, 2, 2", "8, 80, 8, 8", "500, 5000, 100, 500"})
  void limitsGrowWithTheExecutors(int executors, String failures, String batch, String pending) {
    assertThat(limits(executors, false, null))
        .containsEntry("spark.executor.maxNumFailures", failures)
        .containsEntry("spark.executor.failuresValidityInterval", "10m")
        .containsEntry(ALLOCATION + "batch.size", batch)
        .containsEntry(ALLOCATION + "batch.delay", "3s")
        .containsEntry(ALLOCATION + "maxPendingPods", pending);
  }

  @ParameterizedTest
  @CsvSource({
    "4.1.0, false, 10000",
    "4.3.0, false, 10000",
    "10.0, false, 10000",
    "4.3.0, true,",
    "4.0.1, false,",
    "3.5.9, false,",
    ", false,",
    "latest, false,"
  })
  void theTotalIsLimitedOnlyWhereSparkKnowsIt(String version, boolean dynamic, String maximum) {
    assertThat(limits(4, dynamic, version).get(ALLOCATION + "maximum")).isEqualTo(maximum);
  }

  @Test
  void everyLimitHasAReason() {
    assertThat(RetryLimits.of(4, false, "4.3.0"))
        .hasSize(6)
        .allSatisfy(limit -> assertThat(limit.why()).hasSizeGreaterThan(20));
  }

  @Test
  void theUsersOwnWinAndOrdinaryApplicationsHaveNone() {
    Map<String, String> pinned =
        render(
            "nodeProfile: test",
            "sparkConf: {spark.executor.maxNumFailures: '3', spark.kubernetes.allocation.batch.size: '7'}");
    assertThat(pinned)
        .containsEntry("spark.executor.maxNumFailures", "3")
        .containsEntry(ALLOCATION + "batch.size", "7")
        .containsEntry(ALLOCATION + "batch.delay", "3s");
    assertThat(render("executor: {instances: 4}").keySet())
        .noneMatch(key -> key.startsWith(ALLOCATION) || key.contains("NumFailures"));
  }

  private static Map<String, String> render(String... fields) {
    boolean pinned = fields[0].startsWith("nodeProfile");
    return ((Manifests)
            new ApplicationRenderer("spark")
                .render(
                    application(fields),
                    pinned ? Optional.of(context(profile(), node("a", 4))) : Optional.empty()))
        .sparkConf();
  }

  private static Map<String, String> limits(int executors, boolean dynamic, String version) {
    return RetryLimits.of(executors, dynamic, version).stream()
        .collect(Collectors.toMap(SparkProperty::key, SparkProperty::value));
  }
}
