package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.status.ScheduledRun;
import io.numaspark.controller.wiring.OperatorAssembly;
import io.numaspark.render.text.Labels;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Schedules under the whole operator, against a real API server.
 *
 * <p>Times that have come are made while the operator is stopped: the status plans a time of some
 * minutes ago. One test waits for a real minute.
 */
@ExtendWith(ApiServer.class)
class ScheduleIT {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private KubernetesClient client;
  private Operator operator;
  private String namespace;

  @BeforeEach
  void prepare() {
    client = ApiServer.client();
    namespace = "schedule-it-" + NAMESPACES.incrementAndGet();
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    for (String account : List.of("default", "spark")) {
      client
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withName(account)
                  .withNamespace(namespace)
                  .endMetadata()
                  .build())
          .create();
    }
  }

  @AfterEach
  void cleanUp() {
    stop();
    client.resources(ScheduledSparkApplication.class).inNamespace(namespace).delete();
    client.resources(SparkApplication.class).inNamespace(namespace).delete();
    client.close();
  }

  @Test
  void aRunIsCreatedAtItsMinuteAndSubmitted() {
    start();
    create("minutely", "schedule: '* * * * *'");
    eventually(
        () -> {
          assertThat(status("minutely").scheduleState()).isEqualTo("Scheduled");
          assertThat(status("minutely").nextRun()).isNotNull();
        });
    Instant time = Instant.parse(status("minutely").nextRun());
    eventually(Duration.ofSeconds(75), () -> assertThat(runs()).isNotEmpty());
    SparkApplication run = runs().get(0);
    assertThat(Instant.parse(run.getMetadata().getCreationTimestamp()))
        .isBetween(time, time.plusSeconds(3));
    assertThat(run.getMetadata().getName()).isEqualTo(ScheduledRun.nameOf("minutely", time));
    assertThat(run.getMetadata().getLabels())
        .containsEntry(Labels.SCHEDULE, "minutely")
        .containsEntry("team", "data");
    OwnerReference owner = run.getMetadata().getOwnerReferences().get(0);
    assertThat(owner.getKind()).isEqualTo("ScheduledSparkApplication");
    assertThat(owner.getController()).isTrue();
    assertThat(run.getSpec()).isEqualTo(schedule("minutely").get().getSpec().template());
    eventually(
        () -> {
          assertThat(status("minutely").lastRun()).isEqualTo(time.toString());
          assertThat(status("minutely").activeRunNames()).contains(run.getMetadata().getName());
          assertThat(ApiServer.events(client, namespace, "minutely")).contains("RunStarted");
          assertThat(
                  client
                      .pods()
                      .inNamespace(namespace)
                      .withName(run.getMetadata().getName() + "-driver")
                      .get())
              .isNotNull();
        });
  }

  @Test
  void ofMissedTimesTheLatestIsRunOnceThoughTheStatusWasLost() {
    overdue("outage", "schedule: '* * * * *'", 5);
    start();
    eventually(() -> assertThat(status("outage").lastRunName()).isNotNull());
    stop();
    List<String> names = names();
    // As after a crash between the creation of the run and the status.
    planned("outage", Instant.parse(status("outage").lastRun()).minusSeconds(120));
    start();
    eventually(() -> assertThat(status("outage").lastRunName()).isNotNull());
    List<String> after = names();
    assertThat(after).containsAll(names);
    // A minute may have begun meanwhile, but no older time is made up for.
    assertThat(after.size()).isBetween(1, 3);
    assertThat(after).doesNotHaveDuplicates();
  }

  @Test
  void forbidLeavesOutAndReplaceDeletes() {
    overdue("forbid", "schedule: '0 0 1 1 *'\nconcurrencyPolicy: Forbid", 0);
    overdue("replace", "schedule: '0 0 1 1 *'\nconcurrencyPolicy: Replace", 0);
    for (String name : List.of("forbid", "replace")) {
      Instant newYear = newYear();
      planned(name, newYear);
      run(name, newYear.minus(3, ChronoUnit.DAYS));
    }
    start();
    eventually(
        () -> {
          assertThat(ready("forbid").getReason()).isEqualTo("RunLeftOut");
          assertThat(ready("forbid").getMessage()).contains("spec.concurrencyPolicy is Forbid");
          assertThat(status("replace").activeRunNames())
              .containsExactly(ScheduledRun.nameOf("replace", newYear()));
        });
    assertThat(names())
        .containsExactlyInAnyOrder(
            ScheduledRun.nameOf("forbid", newYear().minus(3, ChronoUnit.DAYS)),
            ScheduledRun.nameOf("replace", newYear()));
  }

  @Test
  void endedRunsAreKeptUpToTheLimits() {
    overdue("history", "schedule: '0 0 1 1 *'\nsuccessfulRunHistoryLimit: 2", 0);
    Instant last = newYear();
    for (int day = 1; day <= 3; day++) {
      String run = run("history", last.minus(day, ChronoUnit.DAYS));
      ended(run, "COMPLETED");
    }
    planned("history", last);
    start();
    eventually(
        () -> {
          assertThat(status("history").pastSuccessfulRunNames())
              .containsExactly(
                  ScheduledRun.nameOf("history", last.minus(1, ChronoUnit.DAYS)),
                  ScheduledRun.nameOf("history", last.minus(2, ChronoUnit.DAYS)));
          assertThat(names())
              .doesNotContain(ScheduledRun.nameOf("history", last.minus(3, ChronoUnit.DAYS)));
        });
  }

  @Test
  void aRefusedRunIsSaidAndNotTriedBeforeTheNextTime() {
    client
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("none")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .addToHard("count/sparkapplications.numaspark.io", new Quantity("0"))
                .endSpec()
                .build())
        .create();
    // The quota controller's part.
    client
        .resourceQuotas()
        .inNamespace(namespace)
        .withName("none")
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            """
            {"status": {"hard": {"count/sparkapplications.numaspark.io": "0"},
                        "used": {"count/sparkapplications.numaspark.io": "0"}}}
            """);
    overdue("refused", "schedule: '0 0 1 1 *'", 0);
    planned("refused", newYear());
    start();
    eventually(
        () -> {
          assertThat(ready("refused").getReason()).isEqualTo("RunRefused");
          assertThat(status("refused").reason()).contains("exceeded quota");
          assertThat(status("refused").scheduleState()).isEqualTo("Scheduled");
          assertThat(Instant.parse(status("refused").nextRun())).isAfter(Instant.now());
        });
    assertThat(names()).isEmpty();
  }

  @Test
  void suspendAndInvalidAreSaid() {
    start();
    create("sleeps", "schedule: '@hourly'\nsuspend: true");
    create("broken", "schedule: whenever");
    eventually(
        () -> {
          assertThat(status("sleeps").scheduleState()).isEqualTo("Suspended");
          assertThat(status("broken").scheduleState()).isEqualTo("FailedValidation");
          assertThat(status("broken").reason()).startsWith("spec.schedule");
        });
    schedule("sleeps")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"suspend\": false}}");
    schedule("broken")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"schedule\": \"@daily\"}}");
    eventually(
        () -> {
          assertThat(status("sleeps").scheduleState()).isEqualTo("Scheduled");
          assertThat(status("sleeps").nextRun()).isNotNull();
          assertThat(status("broken").scheduleState()).isEqualTo("Scheduled");
          assertThat(status("broken").reason()).isNull();
        });
    assertThat(names()).isEmpty();
  }

  // Vocabulary

  /** The last New Year: a time of 0 0 1 1 * that has come, with the next far away. */
  private static Instant newYear() {
    return Instant.parse(Instant.now().toString().substring(0, 4) + "-01-01T00:00:00Z");
  }

  private ScheduledSparkApplication create(String name, String spec) {
    return client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: numaspark.io/v1alpha1
                kind: ScheduledSparkApplication
                metadata: {name: %s, namespace: %s, labels: {team: data}}
                spec:
                %s
                  template:
                    type: Scala
                    image: registry.example.com/spark:4
                    mainClass: org.example.Main
                    mainApplicationFile: local:///opt/app.jar
                    driver: {cores: 1, memory: 1g}
                    executor: {instances: 1}
                """
                    .formatted(name, namespace, spec.indent(2).stripTrailing()),
                ScheduledSparkApplication.class))
        .create();
  }

  private void overdue(String name, String spec, int minutes) {
    create(name, spec);
    planned(name, Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(minutes)));
  }

  /** What an operator left behind that waited for this time. */
  private void planned(String name, Instant time) {
    schedule(name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            """
            {"status": {"scheduleState": "Scheduled", "nextRun": "%s", "lastRun": "%s", "lastRunName": null}}
            """
                .formatted(time, time.minusSeconds(60)));
  }

  /** A run that an operator started before. */
  private String run(String schedule, Instant time) {
    ScheduledSparkApplication owner = schedule(schedule).get();
    String name = ScheduledRun.nameOf(schedule, time);
    client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: numaspark.io/v1alpha1
                kind: SparkApplication
                metadata:
                  name: %s
                  namespace: %s
                  labels: {numaspark.io/schedule: %s}
                  annotations: {numaspark.io/scheduled-time: "%s"}
                  ownerReferences:
                  - {apiVersion: numaspark.io/v1alpha1, kind: ScheduledSparkApplication, name: %s, uid: %s, controller: true}
                spec:
                  type: Scala
                  image: registry.example.com/spark:4
                  mainClass: org.example.Main
                  mainApplicationFile: local:///opt/app.jar
                  driver: {cores: 1, memory: 1g}
                  executor: {instances: 1}
                """
                    .formatted(
                        name, namespace, schedule, time, schedule, owner.getMetadata().getUid()),
                SparkApplication.class))
        .create();
    return name;
  }

  private void ended(String run, String state) {
    client
        .resources(SparkApplication.class)
        .inNamespace(namespace)
        .withName(run)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"applicationState\": {\"state\": \"%s\"}}}".formatted(state));
  }

  private void start() {
    PrometheusRegistry registry = new PrometheusRegistry();
    operator =
        new OperatorAssembly(
                OperatorConfig.fromEnvironment(Map.of("NUMASPARK_NAMESPACES", namespace)),
                ApiServer.client(),
                registry,
                new OperatorMetrics(registry, "test"),
                Clock.systemUTC())
            .operator();
    operator.start();
  }

  private void stop() {
    if (operator != null) {
      operator.stop();
      operator = null;
    }
  }

  private Resource<ScheduledSparkApplication> schedule(String name) {
    return client.resources(ScheduledSparkApplication.class).inNamespace(namespace).withName(name);
  }

  private ScheduledSparkApplicationStatus status(String name) {
    return Optional.ofNullable(schedule(name).get().getStatus())
        .orElseThrow(() -> new AssertionError("schedule " + name + " has no status"));
  }

  private Condition ready(String name) {
    assertThat(status(name).conditions()).isNotNull();
    return status(name).conditions().get(0);
  }

  private List<SparkApplication> runs() {
    return client.resources(SparkApplication.class).inNamespace(namespace).list().getItems();
  }

  private List<String> names() {
    return runs().stream().map(run -> run.getMetadata().getName()).toList();
  }

  private static void eventually(ThrowingRunnable assertion) {
    eventually(Duration.ofSeconds(60), assertion);
  }

  private static void eventually(Duration limit, ThrowingRunnable assertion) {
    await().atMost(limit).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
  }
}
