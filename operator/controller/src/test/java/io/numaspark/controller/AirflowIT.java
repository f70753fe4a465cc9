package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks of Airflow's own SparkKubernetesOperator run our applications.
 *
 * <p>Its code is taken from the folder that AIRFLOW_TEST_DIR names; {@code
 * oracles/airflow/airflow.sh} makes one, and {@code make airflow-check} runs this test with it.
 * Without it the tests are skipped. No kubelet runs, so tasks do not read logs.
 */
@EnabledIfEnvironmentVariable(named = "AIRFLOW_TEST_DIR", matches = ".+")
class AirflowIT extends OperatorAgainstApiServer {
  private static final Path TASK =
      Path.of(System.getProperty("repository.root"), "oracles", "airflow", "task.py");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<Process> tasks = new ArrayList<>();
  private Path log;

  @AfterEach
  void endTasks() {
    tasks.forEach(Process::destroyForcibly);
  }

  /** With a state that Airflow does not know, the task would read a pod that does not exist. */
  @Test
  void aTaskWaitsForAProfileAndSucceeds() throws IOException {
    start();
    Process task = task("etl", "nodeProfile: later");
    isCreated("etl");
    eventually(() -> assertWaits("etl", "ProfileNotFound"));
    stays(() -> assertThat(task.isAlive()).as(log()).isTrue());
    create(Samples.profile("later", "a"));
    node("late", "a");
    create(Samples.dualSocket("late"));
    run("etl");
    hasSeenItRun(task, "etl");
    end("etl", 0);
    assertEnds(task, 0);
    assertDeleted("etl");
  }

  /** Of both lengths the name of the driver had a hash, by which nobody finds the application. */
  @ParameterizedTest
  @ValueSource(ints = {12, 63})
  void aTaskFailsWithItsDriverAndLeavesNothing(int length) throws IOException {
    String name = "a".repeat(length);
    start();
    Process task = task(name, "");
    run(name);
    hasSeenItRun(task, name);
    end(name, 3);
    assertEnds(task, 1);
    assertThat(log()).contains("Pod " + name + "-driver returned a failure");
    assertDeleted(name);
  }

  @Test
  void aTaskFailsIfTheApplicationDoesAndHasNoDriver() throws IOException {
    start();
    client.serviceAccounts().inNamespace(namespace).withName("spark").delete();
    Process task = task("refused", "restartPolicy: {type: Never, onSubmissionFailureRetries: 0}");
    assertEnds(task, 1);
    assertThat(log()).contains("Spark Job Failed").contains("service account");
  }

  /** The worker is lost, the first driver fails meanwhile, and the second one has its name. */
  @Test
  void aTaskFindsTheDriverOfALaterAttempt() throws IOException {
    String retries =
        "restartPolicy: {type: OnFailure, onFailureRetries: 1, onFailureRetryInterval: 1}";
    start();
    Process lost = task("again", retries);
    Pod first = run("again");
    eventually(() -> assertThat(state("again")).isEqualTo(State.RUNNING));
    lost.destroyForcibly();
    end("again", 1);
    eventually(() -> assertThat(status("again").executionAttempts()).isEqualTo(2));
    eventually(
        () -> {
          assertThat(driver("again")).isNotNull();
          assertThat(driver("again").getMetadata().getUid())
              .isNotEqualTo(first.getMetadata().getUid());
        });
    assertThat(status("again").attempts())
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.state()).isEqualTo(State.FAILED);
              assertThat(attempt.driverPod()).isEqualTo("again-driver");
            });
    assertThat(driver("again").getMetadata().getLabels())
        .containsEntry("numaspark.io/attempt", "2")
        .containsEntry("dag_id", "dag")
        .containsEntry("spark_kubernetes_operator", "True");
    run("again");
    Process found = task("again", retries);
    eventually(
        PATIENCE, () -> assertThat(log()).contains("Found existing Spark driver pod again-driver"));
    end("again", 0);
    assertEnds(found, 0);
    assertDeleted("again");
  }

  private Process task(String name, String furtherSpec) throws IOException {
    Path manifest = Files.createTempFile("airflow", ".yaml");
    manifest.toFile().deleteOnExit();
    Files.writeString(
        manifest,
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkApplication
        metadata: {name: %s}
        spec:
          type: Scala
          image: registry.example.com/spark:4
          mainClass: org.example.Main
          mainApplicationFile: local:///opt/app.jar
          driver: {cores: 1}
          executor: {instances: 1}
          %s
        """
            .formatted(name, furtherSpec));
    log = Files.createTempFile("airflow", ".log");
    log.toFile().deleteOnExit();
    ProcessBuilder builder =
        new ProcessBuilder(
                "python3.11",
                TASK.toString(),
                ApiServer.kubeConfigFile().toString(),
                namespace,
                manifest.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("KUBECONFIG", ApiServer.kubeConfigFile().toString());
    builder.environment().put("PYTHONPATH", System.getenv("AIRFLOW_TEST_DIR"));
    builder.environment().put("AIRFLOW_HOME", Files.createTempDirectory("airflow").toString());
    Process task = builder.start();
    tasks.add(task);
    return task;
  }

  /** The kubelet's part. */
  private Pod run(String application) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(driver(application)).as(log()).isNotNull());
    patchDriver(
        application,
        pod -> {
          pod.getStatus().setPhase("Running");
          pod.getStatus()
              .setContainerStatuses(
                  List.of(container(new ContainerStateBuilder().withNewRunning().endRunning())));
        });
    return driver(application);
  }

  private void end(String application, int exitCode) {
    patchDriver(
        application,
        pod -> {
          pod.getStatus().setPhase(exitCode == 0 ? "Succeeded" : "Failed");
          ContainerStateBuilder ended =
              new ContainerStateBuilder()
                  .withNewTerminated()
                  .withExitCode(exitCode)
                  .endTerminated();
          pod.getStatus().setContainerStatuses(List.of(container(ended)));
        });
  }

  private static ContainerStatus container(ContainerStateBuilder state) {
    return new ContainerStatusBuilder()
        .withName("spark-kubernetes-driver")
        .withImage("i")
        .withImageID("i")
        .withReady(false)
        .withRestartCount(0)
        .withState(state.build())
        .build();
  }

  private Pod driver(String application) {
    return client.pods().inNamespace(namespace).withName(application + "-driver").get();
  }

  private void isCreated(String application) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        client
                            .resources(SparkApplication.class)
                            .inNamespace(namespace)
                            .withName(application)
                            .get())
                    .as(log())
                    .isNotNull());
  }

  /** A task that finds the application failed at its first look leaves it there. */
  private void hasSeenItRun(Process task, String application) {
    eventually(() -> assertThat(state(application)).isEqualTo(State.RUNNING));
    stays(() -> assertThat(task.isAlive()).as(log()).isTrue());
  }

  private void assertEnds(Process task, int code) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(task.isAlive()).as(log()).isFalse());
    assertThat(task.exitValue()).as(log()).isEqualTo(code);
  }

  private void assertDeleted(String application) {
    assertThat(
            client
                .resources(SparkApplication.class)
                .inNamespace(namespace)
                .withName(application)
                .get())
        .as(log())
        .isNull();
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
