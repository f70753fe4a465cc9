package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.Step.Start;
import io.numaspark.controller.status.ApplicationStatusAssembler;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications whose operator dies and starts again, against a real API server. */
class RestartIT extends OperatorAgainstApiServer {
  /**
   * An operator dies after it has written the intent and so many of its objects; the next one goes
   * on from there.
   */
  @ParameterizedTest(name = "{0} objects created")
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void anOperatorThatDiedLeavesOneDriver(int created) {
    SparkApplication application = create(application("resumed", "sparkUIOptions: {}"));
    Manifests manifests =
        (Manifests) new ApplicationRenderer("spark").render(application, Optional.empty());
    application.setStatus(
        new ApplicationStatusAssembler(application, Instant.now())
            .intended(new Start(1, 0, State.SUBMITTED), manifests));
    client.resource(application).updateStatus();
    List<HasMetadata> objects =
        List.of(
            manifests.driverService(),
            manifests.configuration(),
            manifests.others().get(0),
            manifests.driverPod());
    List<String> uids =
        objects.subList(0, created).stream()
            .map(object -> client.resource(object).inNamespace(namespace).create())
            .map(object -> object.getMetadata().getUid())
            .toList();

    start();
    eventually(() -> assertThat(status("resumed").driverInfo().podUid()).isNotNull());
    assertThat(client.pods().inNamespace(namespace).list().getItems())
        .singleElement()
        .satisfies(
            pod -> {
              assertThat(pod.getMetadata().getUid())
                  .isEqualTo(status("resumed").driverInfo().podUid());
              if (created == objects.size()) {
                assertThat(pod.getMetadata().getUid()).isEqualTo(uids.get(created - 1));
              }
            });
    assertThat(client.services().inNamespace(namespace).list().getItems())
        .as("the driver's own and that of its web UI")
        .hasSize(2);
  }

  @Test
  void aRestartedOperatorKeepsTheDriver() {
    start();
    create(application("kept", ""));
    eventually(() -> assertThat(status("kept").driverInfo().podUid()).isNotNull());
    String uid = status("kept").driverInfo().podUid();
    stop();
    start();
    patchDriver("kept", pod -> pod.getStatus().setPhase("Running"));
    eventually(() -> assertState("kept", State.RUNNING, "Running"));
    assertThat(client.pods().inNamespace(namespace).list().getItems())
        .extracting(Pod::getMetadata)
        .extracting(ObjectMeta::getUid)
        .containsExactly(uid);
  }

  @Test
  void aDriverDeletedWhileNoOperatorRanIsLost() {
    start();
    create(application("unseen", ""));
    eventually(() -> assertThat(status("unseen").driverInfo().podUid()).isNotNull());
    stop();
    client.pods().inNamespace(namespace).withName("unseen-driver").delete();
    start();
    eventually(() -> assertState("unseen", State.FAILED, "DriverLost"));
  }
}
