package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.api.monitoring.Metrics.ControllerExecution;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ApplicationState;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ReasonCount;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunningExecutors;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.fixture.Scrape;
import io.numaspark.controller.store.SlotBoard.ProfileSlots;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorMetricsTest {
  private static final Pattern LABEL = Pattern.compile("[{,]([a-z_]+)=\"");

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final OperatorMetrics metrics = new OperatorMetrics(registry, "1.2.3");
  private final List<SparkApplication> applications = new ArrayList<>();
  private final Map<String, Integer> planned = new HashMap<>(Map.of("dual", 6, "idle", 2));

  @BeforeEach
  void register() {
    metrics.registerObjects(
        registry,
        applications::stream,
        () -> planned,
        () -> Map.of("dual", new ProfileSlots(6, 1, 2, 3, 0)));
  }

  /** Alerts on a rate need the series from the beginning. */
  @Test
  void seriesExistBeforeAnythingHappens() {
    scrape();
    assertThat(scrape())
        .contains(
            "numaspark_applications{state=\"WAITING\"} 0.0",
            "numaspark_applications{state=\"FAILED\"} 0.0",
            "numaspark_build_info{version=\"1.2.3\"} 1",
            "numaspark_executors{pinned=\"True\",reason=\"Pinned\"} 0.0",
            "numaspark_reconcile_duration_seconds_count{controller=\"application\"} 0",
            "numaspark_reconcile_duration_seconds_count{controller=\"profile\"} 0",
            "numaspark_reconcile_errors_total{controller=\"application\"} 0.0",
            "numaspark_reconcile_errors_total{controller=\"profile\"} 0.0",
            "numaspark_rejected_executors_total{profile=\"idle\",reason=\"TopologyAffinityError\"} 0.0",
            "numaspark_slots{profile=\"dual\"} 6.0",
            "numaspark_slots_free{profile=\"idle\"} 0.0",
            "numaspark_slots_lost{profile=\"idle\"} 0.0",
            "numaspark_slots_withheld{profile=\"idle\"} 0.0",
            "numaspark_reconcile_pending{controller=\"slots\"} 0.0",
            "numaspark_slots_used{profile=\"idle\"} 0.0");
  }

  @Test
  void seriesOfRejectionsAreFewAndGoWithTheirProfile() {
    metrics.countRejection("OutOfexample.com/anything", "idle");
    metrics.countRejection("OutOfexample.com/else", "idle");
    assertThat(scrape())
        .contains("numaspark_rejected_executors_total{profile=\"idle\",reason=\"OutOfOther\"} 2.0");
    planned.remove("idle");
    scrape();
    assertThat(scrape().lines())
        .noneMatch(line -> line.startsWith("numaspark_rejected") && line.contains("idle"));
  }

  @Test
  void objectsAreCounted() {
    applications.add(
        application(
            "nodeProfile: dual",
            State.RUNNING,
            executor("True", "Running", "Pinned"),
            executor("True", "Gone", "Pinned"),
            executor("False", "Running", "SharedCpus"),
            executor("Unknown", "Rejected", "OutOfcpu")));
    applications.add(application("", State.RUNNING, executor("Unknown", "Running", "R")));
    applications.add(Samples.application("new", ""));
    assertThat(scrape())
        .contains(
            "numaspark_applications{state=\"RUNNING\"} 2.0",
            "numaspark_applications{state=\"WAITING\"} 1.0",
            "numaspark_executors{pinned=\"False\",reason=\"SharedCpus\"} 1.0",
            "numaspark_executors{pinned=\"True\",reason=\"Pinned\"} 1.0",
            "numaspark_slots_free{profile=\"dual\"} 0.0",
            "numaspark_slots_lost{profile=\"dual\"} 1.0",
            "numaspark_slots_used{profile=\"dual\"} 2.0",
            "numaspark_slots_withheld{profile=\"dual\"} 3.0")
        .doesNotContain("pinned=\"Unknown\"");
  }

  /** The list of a status has 50 executors at most; the summary has all. */
  @Test
  void executorsBeyondTheListAreCounted() {
    SparkApplication large = Samples.application("large", "nodeProfile: dual");
    large.setStatus(
        status(
            State.RUNNING,
            new RunningExecutors(
                List.of(
                    new ReasonCount(Pinned.True, "Pinned", 93),
                    new ReasonCount(Pinned.False, "SharedCpus", 1)),
                2,
                3,
                4,
                94),
            executor("False", "Running", "SharedCpus")));
    applications.add(large);
    SparkApplication odd = Samples.application("odd", "nodeProfile: dual");
    odd.setStatus(
        status(
            State.RUNNING,
            new RunningExecutors(null, null, 7, 7, 7),
            executor("True", "Running", "Pinned")));
    applications.add(odd);
    AgentMetrics.register(registry, applications::stream, Map::of, Map::of, Map::of);
    assertThat(scrape())
        .contains(
            "numaspark_executors{pinned=\"False\",reason=\"SharedCpus\"} 1.0",
            "numaspark_executors{pinned=\"True\",reason=\"Pinned\"} 94.0",
            "numaspark_executors_throttled 2.0",
            "numaspark_executors_remote_memory 3.0",
            "numaspark_executors_remote_accesses 4.0",
            "numaspark_executors_counted 94.0");
  }

  @Test
  void rejectionsAreCountedByReasonAndProfile() {
    metrics.countRejection("TopologyAffinityError", "dual");
    metrics.countRejection("TopologyAffinityError", "dual");
    metrics.countRejection("OutOfslots.numaspark.io/dual", "dual");
    assertThat(scrape())
        .contains(
            "numaspark_rejected_executors_total{profile=\"dual\",reason=\"TopologyAffinityError\"} 2.0",
            "numaspark_rejected_executors_total{profile=\"dual\",reason=\"OutOfSlots\"} 1.0");
  }

  @Test
  void durationsAndErrorsAreCountedByController() throws Exception {
    assertThat(metrics.timeControllerExecution(execution("profile", false))).isEqualTo("done");
    assertThatThrownBy(() -> metrics.timeControllerExecution(execution("application", true)))
        .isInstanceOf(IllegalStateException.class);
    for (String controller : List.of("application", "profile", "agent")) {
      metrics.failedReconciliation(
          new Node(), new IllegalStateException(), Map.of("controller.name", controller));
    }
    assertThat(scrape())
        .contains(
            "numaspark_reconcile_duration_seconds_count{controller=\"application\"} 1",
            "numaspark_reconcile_duration_seconds_count{controller=\"profile\"} 1",
            "numaspark_reconcile_duration_seconds_bucket{controller=\"profile\",le=\"+Inf\"} 1",
            "numaspark_reconcile_errors_total{controller=\"application\"} 1.0",
            "numaspark_reconcile_errors_total{controller=\"profile\"} 1.0",
            "numaspark_reconcile_errors_total{controller=\"agent\"} 1.0",
            "numaspark_reconcile_errors_total{controller=\"slots\"} 0.0");
  }

  @Test
  void reconciliationsArePendingUntilTheyHaveFinished() {
    Map<String, Object> controller = Map.of("controller.name", "application");
    metrics.reconcileCustomResource(new Node(), null, controller);
    metrics.reconcileCustomResource(new Node(), null, controller);
    metrics.reconciliationExecutionStarted(new Node(), controller);
    metrics.reconciliationExecutionFinished(new Node(), controller);
    assertThat(scrape())
        .contains(
            "numaspark_reconcile_pending{controller=\"application\"} 1.0",
            "numaspark_reconcile_pending{controller=\"profile\"} 0.0");
  }

  @Test
  void noLabelNamesAnObjectOtherThanAProfile() {
    applications.add(
        application(
            "nodeProfile: dual",
            State.FAILED,
            executor("False", "Running", "SharedCpus"),
            executor("Unknown", "Rejected", "OutOfcpu")));
    metrics.countRejection("OutOfcpu", "dual");
    String text = scrape();
    Set<String> labels =
        LABEL
            .matcher(text)
            .results()
            .map((MatchResult m) -> m.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(labels)
        .containsExactly("controller", "le", "pinned", "profile", "reason", "state", "version");
    assertThat(text).doesNotContain("pi-exec").doesNotContain("node-1").doesNotContain("my-app");
  }

  private String scrape() {
    return Scrape.of(registry);
  }

  private static SparkApplication application(String spec, State state, ExecutorInfo... executors) {
    SparkApplication application = Samples.application("my-app", spec);
    application.setStatus(status(state, null, executors));
    return application;
  }

  private static SparkApplicationStatus status(
      State state, RunningExecutors summary, ExecutorInfo... executors) {
    return new SparkApplicationStatus(
        1L,
        new ApplicationState(state, null, null),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        summary,
        List.of(executors),
        null,
        null,
        null);
  }

  private static ExecutorInfo executor(String pinned, String phase, String reason) {
    return ExecutorInfo.of("1", "pi-exec-1", "node-1", phase)
        .verdict(Pinned.valueOf(pinned), reason, null)
        .build();
  }

  private static ControllerExecution<String> execution(String controller, boolean fails) {
    return new ControllerExecution<>() {
      @Override
      public String name() {
        return "reconcile";
      }

      @Override
      public String controllerName() {
        return controller;
      }

      @Override
      public String successTypeName(String result) {
        return "noUpdate";
      }

      @Override
      public io.javaoperatorsdk.operator.processing.event.ResourceID resourceID() {
        return null;
      }

      @Override
      public Map<String, Object> metadata() {
        return Map.of();
      }

      @Override
      public String execute() {
        if (fails) {
          throw new IllegalStateException("it fails");
        }
        return "done";
      }
    };
  }
}
