package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.AttemptInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Restarts, suspension, edits and the time to live, against a real API server. */
class ApplicationLifecycleIT extends OperatorAgainstApiServer {
  private static final String RETRIES =
      "restartPolicy: {type: OnFailure, onFailureRetries: 1, onFailureRetryInterval: 1}\n";

  @Test
  void aFailedApplicationIsRunAgainUntilItsRetriesAreUsedUp() {
    start();
    create(application("again", RETRIES));
    isSubmitted("again", 1);
    end("again-driver", 1);
    isSubmitted("again", 2);
    assertThat(status("again").attempts())
        .extracting(AttemptInfo::state)
        .containsExactly(State.FAILED);
    assertThat(client.configMaps().inNamespace(namespace).withName("again-driver-conf").get())
        .as("the first attempt's configuration")
        .isNull();
    assertThat(pod("again-driver")).as("the first attempt's log").isNotNull();
    assertThat(pod("again-driver-2").getMetadata().getLabels())
        .containsEntry("numaspark.io/attempt", "2");

    end("again-driver-2", 1);
    eventually(() -> assertState("again", State.FAILED, "DriverFailed"));
    assertThat(status("again").executionAttempts()).isEqualTo(2);
    assertThat(status("again").attempts()).extracting(AttemptInfo::attempt).containsExactly(2, 1);
    eventually(
        () ->
            assertThat(ApiServer.events(client, namespace, "again"))
                .contains("Submitted", "Rerun", "Failed"));
  }

  /** Ten minutes ahead, then ten behind, as when the operator moves to another node. */
  @Test
  void clocksOfOperatorsMayBeWrong() {
    start(Map.of(), offset(Duration.ofMinutes(10)));
    create(application("skewed", RETRIES + "timeToLiveSeconds: 1\n"));
    isSubmitted("skewed", 1);
    stop();
    end("skewed-driver", 1);
    start(Map.of(), offset(Duration.ofMinutes(10)));
    eventually(
        () -> assertThat(status("skewed").attempts()).extracting(AttemptInfo::attempt).contains(1));
    stop();

    start(Map.of(), offset(Duration.ofMinutes(-10)));
    isSubmitted("skewed", 2);
    end("skewed-driver-2", 0);
    eventually(
        () ->
            assertThat(
                    client
                        .resources(SparkApplication.class)
                        .inNamespace(namespace)
                        .withName("skewed")
                        .get())
                .as("deleted after its time to live")
                .isNull());
  }

  private static Clock offset(Duration by) {
    return Clock.offset(Clock.systemUTC(), by);
  }

  @Test
  void anApplicationMayRunForEver() {
    start();
    create(application("forever", "restartPolicy: {type: Always, onFailureRetryInterval: 1}\n"));
    isSubmitted("forever", 1);
    end("forever-driver", 0);
    isSubmitted("forever", 2);
    end("forever-driver-2", 0);
    isSubmitted("forever", 3);
    assertThat(pod("forever-driver")).as("the log of the last but one").isNull();
  }

  @Test
  void anApplicationIsSuspendedAndResumed() {
    start();
    create(application("paused", ""));
    isSubmitted("paused", 1);
    patchDriver("paused", pod -> pod.getStatus().setPhase("Running"));
    eventually(() -> assertState("paused", State.RUNNING, "Running"));
    edit("paused", "suspend: true");
    eventually(() -> assertState("paused", State.SUSPENDED, "Suspended"));
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();

    edit("paused", "suspend: false");
    isSubmitted("paused", 2);
    assertThat(status("paused").attempts())
        .extracting(AttemptInfo::state)
        .containsExactly(State.SUSPENDED);
  }

  @Test
  void aSuspendedApplicationIsNotStarted() {
    start();
    create(application("later", "suspend: true"));
    eventually(() -> assertState("later", State.SUSPENDED, "Suspended"));
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();
    edit("later", "suspend: false");
    isSubmitted("later", 1);
  }

  @Test
  void aChangedSpecRunsAgain() {
    start();
    create(application("edited", ""));
    isSubmitted("edited", 1);
    edit("edited", "arguments: [other]");
    isSubmitted("edited", 2);
    assertThat(pod("edited-driver-2").getSpec().getContainers().get(0).getArgs()).endsWith("other");
    assertThat(pod("edited-driver")).isNull();
    end("edited-driver-2", 0);
    eventually(() -> assertState("edited", State.COMPLETED, "Completed"));

    edit("edited", "arguments: [third]");
    isSubmitted("edited", 3);
  }

  @Test
  void anEditWithoutEffectIsOnlyNoted() {
    start();
    create(application("noted", ""));
    isSubmitted("noted", 1);
    String uid = pod("noted-driver").getMetadata().getUid();
    edit("noted", "timeToLiveSeconds: 1000");
    eventually(
        () -> {
          assertThat(status("noted").observedGeneration()).isEqualTo(2);
          assertThat(status("noted").run().generation()).isEqualTo(2);
        });
    assertThat(pod("noted-driver").getMetadata().getUid()).isEqualTo(uid);
  }

  @Test
  void anApplicationIsDeletedAfterItsTimeToLive() {
    start();
    create(application("brief", "timeToLiveSeconds: 2"));
    isSubmitted("brief", 1);
    end("brief-driver", 0);
    eventually(() -> assertThat(exists("brief")).isFalse());
  }

  @Test
  void theTimeToLiveGoesOnWhileNoOperatorRuns() {
    start();
    create(application("kept", "timeToLiveSeconds: 1000"));
    isSubmitted("kept", 1);
    end("kept-driver", 1);
    eventually(() -> assertState("kept", State.FAILED, "DriverFailed"));
    stop();
    edit("kept", "timeToLiveSeconds: 1");
    start();
    eventually(() -> assertThat(exists("kept")).isFalse());
  }

  @Test
  void aDeletedDriverIsReplacedIfFailuresAre() {
    start();
    create(application("lost", RETRIES));
    isSubmitted("lost", 1);
    client.pods().inNamespace(namespace).withName("lost-driver").delete();
    isSubmitted("lost", 2);
    assertThat(status("lost").attempts())
        .extracting(AttemptInfo::reason)
        .containsExactly("DriverDeleted");
  }

  /** A namespace that is being removed takes no new objects; what is there goes. */
  @Test
  void aNamespaceMayBeDeletedInTheMiddle() {
    start();
    create(application("moved-out", RETRIES));
    isSubmitted("moved-out", 1);
    client.namespaces().withName(namespace).delete();
    end("moved-out-driver", 1);
    eventually(
        () ->
            assertThat(status("moved-out").applicationState().state())
                .isIn(State.PENDING_RERUN, State.SUBMISSION_FAILED));
    delete("moved-out");
  }

  private void isSubmitted(String name, int attempt) {
    eventually(
        () -> {
          assertState(name, State.SUBMITTED, "DriverStarting");
          assertThat(status(name).run().attempt()).isEqualTo(attempt);
        });
  }

  private void end(String pod, int exitCode) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .editStatus(
            driver -> {
              driver.getStatus().setPhase(exitCode == 0 ? "Succeeded" : "Failed");
              driver
                  .getStatus()
                  .setContainerStatuses(
                      List.of(
                          new ContainerStatusBuilder()
                              .withName("spark-kubernetes-driver")
                              .withImage("i")
                              .withImageID("i")
                              .withReady(false)
                              .withRestartCount(0)
                              .withNewState()
                              .withNewTerminated()
                              .withExitCode(exitCode)
                              .endTerminated()
                              .endState()
                              .build()));
              return driver;
            });
  }

  private void edit(String name, String patch) {
    client
        .resources(SparkApplication.class)
        .inNamespace(namespace)
        .withName(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "spec: {" + patch + "}");
  }

  private boolean exists(String name) {
    return client.resources(SparkApplication.class).inNamespace(namespace).withName(name).get()
        != null;
  }

  private Pod pod(String name) {
    return client.pods().inNamespace(namespace).withName(name).get();
  }
}
