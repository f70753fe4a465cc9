package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.fault.Fault;
import io.numaspark.controller.fault.Fault.Effect;
import io.numaspark.controller.fault.FaultProxy;
import io.numaspark.controller.fault.Kubelet;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.wiring.OperatorAssembly;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever goes wrong between the operator and the API server, no application is lost, doubled or
 * stuck.
 *
 * <p>A proxy spoils requests of the operator to a real API server; the test plays kubelet.
 */
class FaultsIT extends OperatorAgainstApiServer {
  private static final int APPLICATIONS = 12;

  /**
   * Not how long it takes, but when it counts as stuck. A conflict is retried by the framework
   * alone, each time later, at last every 30 s; an application that meets ten in a row needs more
   * than two minutes, and of some dozens of runs with one conflict in three writes one has such.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  private final List<FaultProxy> proxies = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();

  @AfterEach
  void stopOperators() {
    operators.forEach(Operator::stop);
    operators.clear();
    proxies.forEach(FaultProxy::close);
    proxies.clear();
  }

  @ParameterizedTest(name = "one write in {1}: {0}")
  @CsvSource({
    "CONFLICT, 3",
    "TOO_MANY_REQUESTS, 3",
    "INTERNAL_ERROR, 3",
    "UNAVAILABLE, 3",
    "LOST_REQUEST, 3",
    "LOST_RESPONSE, 3"
  })
  void writesFail(Effect effect, int oneIn) throws IOException {
    FaultProxy proxy = startOperator();
    try (Kubelet kubelet = new Kubelet(client, namespace, driver -> 0)) {
      proxy.spoil(Fault.oneWriteIn(oneIn, effect));
      createApplications();
      awaitAll(State.COMPLETED);
      assertOneDriverEach(kubelet, APPLICATIONS);
    }
  }

  @ParameterizedTest(name = "one request in {1}: {0}")
  @CsvSource({"TOO_MANY_REQUESTS, 3", "UNAVAILABLE, 3", "LOST_RESPONSE, 4"})
  void readsFailToo(Effect effect, int oneIn) throws IOException {
    FaultProxy proxy = startOperator();
    try (Kubelet kubelet = new Kubelet(client, namespace, driver -> 0)) {
      proxy.spoil(Fault.oneRequestIn(oneIn, effect));
      createApplications();
      awaitAll(State.COMPLETED);
      assertOneDriverEach(kubelet, APPLICATIONS);
    }
  }

  @Test
  void watchesAreCutAllTheTime() throws IOException {
    FaultProxy proxy = startOperator();
    try (Kubelet kubelet = new Kubelet(client, namespace, driver -> 0)) {
      createApplications();
      await()
          .pollInterval(Duration.ofMillis(700))
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                proxy.closeWatches();
                assertThat(states()).containsOnlyKeys(State.COMPLETED);
              });
      assertOneDriverEach(kubelet, APPLICATIONS);
    }
  }

  @Test
  void theApiServerIsAwayForTwentySeconds() throws IOException, InterruptedException {
    FaultProxy proxy = startOperator();
    try (Kubelet kubelet = new Kubelet(client, namespace, driver -> 0)) {
      createApplications();
      proxy.spoil(request -> Effect.LOST_REQUEST);
      proxy.closeWatches();
      Thread.sleep(20_000);
      proxy.spoil(Fault.NONE);
      awaitAll(State.COMPLETED);
      assertOneDriverEach(kubelet, APPLICATIONS);
    }
  }

  /** The same life again and again, with the operator dying one write later each time. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({"Never, 0, COMPLETED, 1", "OnFailure, 1, FAILED, 2"})
  void theOperatorDiesAfterEveryWrite(String restart, int exitCode, State expected, int attempts)
      throws IOException {
    try (Kubelet kubelet = new Kubelet(client, namespace, driver -> exitCode)) {
      int writes = 1;
      boolean died = true;
      while (died) {
        FaultProxy dying = startOperator();
        dying.spoil(Fault.deathAfterWrite(writes));
        String name = "dies-" + writes;
        create(name, "type: %s, onFailureRetries: 1, onFailureRetryInterval: 1".formatted(restart));
        int last = writes;
        await().atMost(PATIENCE).until(() -> dying.writes() >= last || state(name) == expected);
        died = dying.writes() >= last;
        stopOperators();
        startOperator();
        await(name).atMost(PATIENCE).until(() -> state(name) == expected);
        stopOperators();
        writes++;
      }
      assertThat(writes).as("writes of one life").isGreaterThan(4);
      assertOneDriverEach(kubelet, (writes - 1) * attempts);
    }
  }

  private FaultProxy startOperator() throws IOException {
    FaultProxy proxy = new FaultProxy(client.getConfiguration());
    proxies.add(proxy);
    PrometheusRegistry registry = new PrometheusRegistry();
    Operator operator =
        new OperatorAssembly(
                OperatorConfig.fromEnvironment(Map.of("NUMASPARK_NAMESPACES", namespace)),
                ApiServer.client(proxy.config()),
                registry,
                new OperatorMetrics(registry, "test"),
                Clock.systemUTC())
            .operator();
    operator.start();
    operators.add(operator);
    return proxy;
  }

  private void createApplications() {
    for (int i = 0; i < APPLICATIONS; i++) {
      create("app-" + i, "type: Never");
    }
  }

  private void create(String name, String restartPolicy) {
    client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: numaspark.io/v1alpha1
                kind: SparkApplication
                metadata: {name: %s, namespace: %s}
                spec:
                  type: Scala
                  image: registry.example.com/spark:4
                  mainClass: org.example.Main
                  mainApplicationFile: local:///opt/app.jar
                  restartPolicy: {%s}
                """
                    .formatted(name, namespace, restartPolicy),
                SparkApplication.class))
        .create();
  }

  private void awaitAll(State state) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(states()).containsOnly(Map.entry(state, (long) APPLICATIONS)));
  }

  private Map<State, Long> states() {
    return client
        .resources(SparkApplication.class)
        .inNamespace(namespace)
        .list()
        .getItems()
        .stream()
        .collect(
            Collectors.groupingBy(
                application -> stateOf(application.getStatus()), Collectors.counting()));
  }

  /** Also of an application that no operator has looked at yet. */
  @Override
  State state(String name) {
    return stateOf(
        client
            .resources(SparkApplication.class)
            .inNamespace(namespace)
            .withName(name)
            .get()
            .getStatus());
  }

  private static State stateOf(SparkApplicationStatus status) {
    return status == null || status.applicationState() == null
        ? State.PENDING
        : status.applicationState().state();
  }

  private static void assertOneDriverEach(Kubelet kubelet, int attempts) {
    assertThat(kubelet.driversOfAttempt()).hasSize(attempts);
    assertThat(kubelet.driversOfAttempt().values())
        .as("driver pods of each attempt")
        .allSatisfy(drivers -> assertThat(drivers).hasSize(1));
  }
}
