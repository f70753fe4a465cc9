package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Applications from their creation to their end against a real API server. */
class ApplicationIT extends OperatorAgainstApiServer {
  @Test
  void anApplicationGetsOneDriverThatItOwns() {
    start();
    SparkApplication application = create(application("plain", ""));
    eventually(
        () -> {
          assertState("plain", State.SUBMITTED, "DriverStarting");
          assertThat(status("plain").driverInfo().podUid()).isNotNull();
        });
    OwnerReference owner =
        client
            .pods()
            .inNamespace(namespace)
            .withName("plain-driver")
            .get()
            .getMetadata()
            .getOwnerReferences()
            .get(0);
    assertThat(owner.getUid()).isEqualTo(application.getMetadata().getUid());
    assertThat(owner.getKind()).isEqualTo("SparkApplication");
    assertThat(
            List.<HasMetadata>of(
                client.services().inNamespace(namespace).withName("plain-driver-svc").get(),
                client.configMaps().inNamespace(namespace).withName("plain-driver-conf").get()))
        .allSatisfy(
            object -> assertThat(object.getMetadata().getOwnerReferences()).containsExactly(owner));
    assertThat(status("plain").lastSubmissionAttemptTime()).isNotNull();
    assertThat(status("plain").executorCounts().wanted()).isEqualTo(2);
    assertThat(status("plain").observedGeneration()).isEqualTo(1);
  }

  @Test
  void aForeignPodOfTheSameNameIsLeftAlone() {
    Pod foreign =
        client
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withName("taken-driver")
                    .withNamespace(namespace)
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("c")
                    .withImage("i")
                    .endContainer()
                    .endSpec()
                    .build())
            .create();
    start();
    create(application("taken", ""));
    eventually(() -> assertState("taken", State.SUBMISSION_FAILED, "NameTaken"));
    assertThat(status("taken").applicationState().errorMessage())
        .isEqualTo(
            "Pod taken-driver exists already and belongs to something else; delete it, or give the"
                + " application another name");
    assertThat(client.resource(foreign).get().getMetadata().getUid())
        .isEqualTo(foreign.getMetadata().getUid());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lb | sparkUIOptions: {serviceType: LoadBalancer} | spec.sparkUIOptions.serviceType: LoadBalancer",
        "dns | driver: {serviceAnnotations: {a/dns: bank}} | spec.driver.serviceAnnotations[\"a/dns\"]:",
        "ing | driverIngressOptions: [{servicePort: 9, servicePortName: a, ingressURLFormat: bank.example.com}] |"
            + " spec.driverIngressOptions[0].ingressURLFormat: bank.example.com",
        "pdb | driverPodDisruptionBudget: true | spec.driverPodDisruptionBudget: true"
      })
  void whatThePlatformDoesNotGrantIsNotMade(String name, String spec, String message) {
    start();
    create(application(name, spec));
    eventually(() -> assertState(name, State.SUBMISSION_FAILED, "NotGranted"));
    assertThat(status(name).applicationState().errorMessage())
        .startsWith(message + " is not granted to applications");
    assertThat(client.services().inNamespace(namespace).list().getItems()).isEmpty();
    assertThat(client.network().v1().ingresses().inNamespace(namespace).list().getItems())
        .isEmpty();
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();
  }

  @Test
  void whatThePlatformGrantsIsMade() {
    start(
        Map.of(
            "NUMASPARK_GRANT_SERVICE_TYPES", "NodePort",
            "NUMASPARK_GRANT_INGRESS_HOSTS", "*.{{$appNamespace}}.example.com",
            "NUMASPARK_GRANT_POD_DISRUPTION_BUDGETS", "true"));
    create(
        application(
            "granted",
            "driverPodDisruptionBudget: true\ndriverIngressOptions: [{servicePort: 9,"
                + " servicePortName: a, serviceType: NodePort,"
                + " ingressURLFormat: 'a.{{$appNamespace}}.example.com'}]"));
    eventually(() -> assertState("granted", State.SUBMITTED, "DriverStarting"));
    assertThat(
            client
                .network()
                .v1()
                .ingresses()
                .inNamespace(namespace)
                .withName("granted-ing-9")
                .get()
                .getSpec()
                .getRules()
                .get(0)
                .getHost())
        .isEqualTo("a." + namespace + ".example.com");
    assertThat(client.policy().v1().podDisruptionBudget().inNamespace(namespace).list().getItems())
        .hasSize(1);
  }

  @Test
  void anApplicationWaitsForItsProfile() {
    start();
    create(application("waiting", "nodeProfile: later"));
    eventually(() -> assertWaits("waiting", "ProfileNotFound"));
    assertThat(status("waiting").applicationState().errorMessage())
        .startsWith("spec.nodeProfile: there is no SparkNodeProfile later; create it");
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();

    create(Samples.profile("later", "a"));
    eventually(() -> assertWaits("waiting", "ProfileNotReady"));
    assertThat(status("waiting").applicationState().errorMessage())
        .contains("SparkNodeProfile later has no executor slot")
        .contains("spec.nodeSelector matches no node");

    node("late", "a");
    create(Samples.dualSocket("late"));
    eventually(() -> assertState("waiting", State.SUBMITTED, "DriverStarting"));
    assertThat(status("waiting").executorShape().cpus()).isEqualTo("4");
    assertThat(
            client
                .configMaps()
                .inNamespace(namespace)
                .withName("waiting-driver-conf")
                .get()
                .getData()
                .values())
        .anySatisfy(text -> assertThat(text).contains("slots.numaspark.io/later"));
  }

  @Test
  void aMissingServiceAccountIsNamedWithItsRemedy() {
    start();
    create(application("homeless", "driver: {serviceAccount: nobody}"));
    eventually(() -> assertState("homeless", State.SUBMISSION_FAILED, "SubmissionForbidden"));
    assertThat(status("homeless").applicationState().errorMessage())
        .contains("serviceaccount \"nobody\" not found")
        .endsWith(
            "; create service account nobody with the rights that docs/drivers.md lists, or name"
                + " another in spec.driver.serviceAccount");
    createServiceAccount("nobody");
    eventually(
        Duration.ofSeconds(40), () -> assertState("homeless", State.SUBMITTED, "DriverStarting"));
  }

  @Test
  void aPropertyThatIsRefusedIsNamed() {
    start();
    create(application("refused", "sparkConf: {spark.master: local}"));
    eventually(() -> assertThat(state("refused")).isEqualTo(State.SUBMISSION_FAILED));
    assertThat(status("refused").applicationState().errorMessage()).contains("spark.master");
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Succeeded, 0, COMPLETED, Completed", "Failed, 1, FAILED, DriverFailed"})
  void aDriverIsFollowedToItsEnd(String phase, int exitCode, State end, String reason) {
    start();
    create(application("followed", ""));
    eventually(() -> assertState("followed", State.SUBMITTED, "DriverStarting"));
    patchDriver("followed", pod -> pod.getStatus().setPhase("Running"));
    eventually(() -> assertState("followed", State.RUNNING, "Running"));
    patchDriver(
        "followed",
        pod -> {
          pod.getStatus().setPhase(phase);
          pod.getStatus()
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
                          .withFinishedAt("2026-11-21T08:00:00Z")
                          .endTerminated()
                          .endState()
                          .build()));
        });
    eventually(() -> assertState("followed", end, reason));
    assertThat(status("followed").terminationTime()).isEqualTo("2026-11-21T08:00:00Z");

    client.pods().inNamespace(namespace).withName("followed-driver").delete();
    stays(() -> assertState("followed", end, reason));
  }

  /** What the kubelet writes when it lost a container: no times at all. */
  @Test
  void aDriverWhoseContainerWasLostHasFailed() {
    start();
    create(application("lost-container", ""));
    eventually(() -> assertState("lost-container", State.SUBMITTED, "DriverStarting"));
    patchDriver(
        "lost-container",
        pod -> {
          pod.getStatus().setPhase("Failed");
          pod.getStatus()
              .setContainerStatuses(
                  List.of(
                      new ContainerStatusBuilder()
                          .withName("spark-kubernetes-driver")
                          .withImage("i")
                          .withImageID("")
                          .withReady(false)
                          .withRestartCount(0)
                          .withNewState()
                          .withNewTerminated()
                          .withExitCode(137)
                          .withReason("ContainerStatusUnknown")
                          .endTerminated()
                          .endState()
                          .build()));
        });
    eventually(() -> assertState("lost-container", State.FAILED, "DriverFailed"));
    assertThat(status("lost-container").terminationTime()).isNotNull();
  }

  @Test
  void aDeletedDriverIsNotRunAgain() {
    start();
    create(application("deleted", ""));
    eventually(() -> assertState("deleted", State.SUBMITTED, "DriverStarting"));
    patchDriver("deleted", pod -> pod.getStatus().setPhase("Running"));
    eventually(() -> assertState("deleted", State.RUNNING, "Running"));
    client.pods().inNamespace(namespace).withName("deleted-driver").delete();
    eventually(() -> assertState("deleted", State.FAILED, "DriverDeleted"));
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();
  }

  @Test
  void anApplicationCanAlwaysBeDeleted() {
    create(application("no-operator", ""));
    delete("no-operator");
    start();
    create(application("running", ""));
    create(application("pending", "nodeProfile: unknown"));
    eventually(() -> assertState("running", State.SUBMITTED, "DriverStarting"));
    eventually(() -> assertWaits("pending", "ProfileNotFound"));
    delete("running");
    delete("pending");
    stop();
  }

  /** A deleted application that is applied again is another run with a driver of its own. */
  @Test
  void anApplicationAppliedAgainDoesNotAdoptTheOldDriver() {
    start();
    create(application("again", ""));
    eventually(() -> assertState("again", State.SUBMITTED, "DriverStarting"));
    delete("again");
    create(application("again", ""));
    eventually(() -> assertState("again", State.SUBMITTED, "FormerRunEnding"));
    // The garbage collector's part.
    client.pods().inNamespace(namespace).delete();
    client.services().inNamespace(namespace).delete();
    client.configMaps().inNamespace(namespace).delete();
    eventually(
        Duration.ofSeconds(40), () -> assertState("again", State.SUBMITTED, "DriverStarting"));
  }

  @Test
  void statusIsWrittenOnlyWhenItChanges() throws Exception {
    start();
    node("quiet", "a");
    create(Samples.dualSocket("quiet"));
    create(Samples.profile("dual", "a"));
    create(application("quiet", ""));
    eventually(
        () -> {
          assertReady(profileStatus("dual").conditions(), "True", "SlotsPublished");
          assertThat(status("quiet").driverInfo().podUid()).isNotNull();
        });
    patchDriver("quiet", pod -> pod.getStatus().setPhase("Running"));
    eventually(() -> assertState("quiet", State.RUNNING, "Running"));
    List<String> before = resourceVersions("quiet", "dual", "quiet");
    // Events that change nothing: a heartbeat that touches capacity, and a pod's new label.
    client
        .nodes()
        .withName("quiet")
        .editStatus(
            node -> {
              node.getStatus().getCapacity().put("example.com/other", new Quantity("1"));
              return node;
            });
    client
        .pods()
        .inNamespace(namespace)
        .withName("quiet-driver")
        .edit(
            pod -> {
              pod.getMetadata().getLabels().put("touched", "true");
              return pod;
            });
    Thread.sleep(5_000);
    assertThat(resourceVersions("quiet", "dual", "quiet").subList(0, 2))
        .isEqualTo(before.subList(0, 2));
  }

  @Test
  void executorsAreJudgedByWhatTheDriverReports() throws Exception {
    HttpServer driver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    driver.createContext(
        "/",
        exchange -> {
          byte[] body =
              """
              [{"id": "driver", "attributes": {}},
               {"id": "1", "attributes":
                 {"NUMASPARK_CPUS_ALLOWED": "1-2,9-10", "NUMASPARK_MEMS_ALLOWED": "0"}},
               {"id": "2", "attributes":
                 {"NUMASPARK_CPUS_ALLOWED": "0,3-8,11-15", "NUMASPARK_MEMS_ALLOWED": "0-1"}}]
              """
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    driver.start();
    try {
      start();
      node("numa", "a");
      create(Samples.dualSocket("numa"));
      create(Samples.profile("dual", "a"));
      create(
          application(
              "pinned",
              "nodeProfile: dual\nsparkConf: {spark.ui.port: \"%d\"}"
                  .formatted(driver.getAddress().getPort())));
      eventually(() -> assertState("pinned", State.SUBMITTED, "DriverStarting"));
      executor("pinned", "1");
      executor("pinned", "2");
      patchDriver(
          "pinned",
          pod -> {
            pod.getStatus().setPhase("Running");
            pod.getStatus().setPodIP("127.0.0.1");
            pod.getStatus().setPodIPs(List.of(new PodIP("127.0.0.1")));
          });
      eventually(
          () -> {
            assertState("pinned", State.RUNNING, "Running");
            assertThat(status("pinned").executors())
                .extracting(e -> e.id() + " " + e.pinned() + " " + e.reason() + " " + e.numaNode())
                .containsExactly("1 True Pinned 0", "2 False PodNotGuaranteed null");
            assertThat(condition(status("pinned").conditions(), "Pinned").getMessage())
                .startsWith("1 executors are not pinned");
          });
      client.pods().inNamespace(namespace).withName("pinned-exec-1").delete();
      eventually(
          () ->
              assertThat(status("pinned").executors())
                  .extracting(e -> e.id() + " " + e.phase() + " " + e.cpus())
                  .containsExactly("2 Running 0,3-8,11-15", "1 Gone 1-2,9-10"));
    } finally {
      driver.stop(0);
    }
  }
}
