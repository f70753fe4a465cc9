package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.UnusableNode;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.status.ApplicationStatusAssembler;
import io.numaspark.render.application.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The operator, wired as it is in its image, against a real API server.
 *
 * <p>Nodes are plain objects, and the tests play kubelet: they patch the status of pods.
 */
@ExtendWith(ApiServer.class)
class ReconcileIT {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private final List<HasMetadata> clusterScoped = new ArrayList<>();
  private KubernetesClient client;
  private Operator operator;
  private String namespace;

  @BeforeEach
  void prepare() {
    client = ApiServer.client();
    namespace = "it-" + NAMESPACES.incrementAndGet();
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    // The controller manager's part.
    createServiceAccount("default");
    createServiceAccount("spark");
  }

  @AfterEach
  void cleanUp() {
    stop();
    client.resources(SparkApplication.class).inNamespace(namespace).delete();
    clusterScoped.forEach(resource -> client.resource(resource).delete());
    client.close();
  }

  // Profiles

  @Test
  void aProfileWithoutNodesSaysSo() {
    start();
    create(Samples.profile("lonely", "none"));
    eventually(
        () -> {
          SparkNodeProfileStatus status = profileStatus("lonely");
          assertThat(status.observedGeneration()).isEqualTo(1);
          assertThat(status.nodes().matched()).isZero();
          assertReady(status.conditions(), "False", "NoMatchingNode");
        });
  }

  @Test
  void aProfilePublishesItsSlots() {
    start();
    node("a-1", "a");
    node("a-2", "a");
    node("other", "b");
    create(Samples.profile("dual", "a"));
    eventually(() -> assertReady(profileStatus("dual").conditions(), "False", "NoTopology"));

    create(Samples.dualSocket("a-1"));
    eventually(
        () -> {
          SparkNodeProfileStatus status = profileStatus("dual");
          assertReady(status.conditions(), "True", "SlotsPublished");
          assertThat(status.slots().total()).isEqualTo(3);
          assertThat(status.slots().resource()).isEqualTo("slots.numaspark.io/dual");
          assertThat(status.nodes().matched()).isEqualTo(2);
          assertThat(status.nodes().usable()).isEqualTo(1);
          assertThat(status.unusableNodes())
              .singleElement()
              .satisfies(
                  unusable -> {
                    assertThat(unusable.name()).isEqualTo("a-2");
                    assertThat(unusable.reason()).isEqualTo("NoTopology");
                    assertThat(unusable.message()).contains("numaspark topology");
                  });
        });
    assertThat(slots("a-1", "dual")).isEqualTo("3");
    assertThat(slots("a-2", "dual")).isNull();
    assertThat(slots("other", "dual")).isNull();

    create(Samples.dualSocket("a-2"));
    eventually(() -> assertThat(slots("a-2", "dual")).isEqualTo("3"));
    eventually(
        () -> {
          SparkNodeProfileStatus status = profileStatus("dual");
          assertThat(status.slots().total()).isEqualTo(6);
          assertThat(status.nodeClasses())
              .singleElement()
              .satisfies(
                  nodes -> {
                    assertThat(nodes.nodes()).isEqualTo(2);
                    assertThat(nodes.slotsPerNode()).isEqualTo(3);
                  });
        });
  }

  /** Reconciliations follow each other faster than the cache sees our own writes. */
  @Test
  void aBurstOfEventsLeavesTheStatusWhole() {
    start();
    create(Samples.profile("dual", "a"));
    List<String> nodes = IntStream.range(10, 20).mapToObj(i -> "burst-" + i).toList();
    nodes.forEach(name -> node(name, "a"));
    List<SparkNodeTopology> topologies =
        nodes.stream().map(Samples::dualSocket).map(this::create).toList();
    eventually(
        () -> {
          assertThat(profileStatus("dual").slots().total()).isEqualTo(30);
          assertThat(profileStatus("dual").unusableNodes()).isEmpty();
        });
    topologies.subList(0, 5).forEach(topology -> client.resource(topology).delete());
    eventually(
        () -> {
          assertThat(profileStatus("dual").slots().total()).isEqualTo(15);
          assertThat(profileStatus("dual").unusableNodes())
              .extracting(UnusableNode::name)
              .isEqualTo(nodes.subList(0, 5));
        });
  }

  /** An old status that equals the new one is no reason not to write. */
  @Test
  void aNodeThatComesAndGoesLeavesTheStatusTrue() {
    start();
    node("restless", "a");
    create(Samples.dualSocket("restless"));
    create(Samples.profile("dual", "a"));
    eventually(() -> assertReady(profileStatus("dual").conditions(), "True", "SlotsPublished"));
    for (int i = 0; i < 15; i++) {
      label("restless", "elsewhere");
      label("restless", "a");
    }
    eventually(
        () -> {
          assertThat(slots("restless", "dual")).isEqualTo("3");
          assertReady(profileStatus("dual").conditions(), "True", "SlotsPublished");
        });
  }

  @Test
  void slotsLeaveANodeThatLeavesTheProfile() {
    start();
    node("leaver", "a");
    create(Samples.dualSocket("leaver"));
    create(Samples.profile("dual", "a"));
    eventually(() -> assertThat(slots("leaver", "dual")).isEqualTo("3"));
    label("leaver", "elsewhere");
    eventually(() -> assertThat(slots("leaver", "dual")).isNull());
  }

  @Test
  void aNodeThatDiffersIsReportedAndNotUsed() {
    start();
    node("differs", "a");
    create(Samples.singleSocket("differs"));
    SparkNodeProfile profile = Samples.profile("dual", "a");
    profile.setSpec(
        Serialization.unmarshal(
            """
            nodeSelector: {matchLabels: {pool: a}}
            topology: {sockets: 2, threadsPerCore: 2}
            """,
            SparkNodeProfileSpec.class));
    create(profile);
    eventually(
        () -> {
          Condition ready =
              assertReady(profileStatus("dual").conditions(), "False", "TopologyDiffers");
          assertThat(ready.getMessage())
              .contains("node differs")
              .contains("spec.topology.sockets is 2, the node has 1")
              .contains("spec.topology.threadsPerCore is 2, the node has 1");
        });
    assertThat(slots("differs", "dual")).isNull();
  }

  @Test
  void anUnsuitableKubeletIsReported() {
    start();
    node("default-kubelet", "a");
    create(Samples.dualSocketWithDefaultKubelet("default-kubelet"));
    create(Samples.profile("dual", "a"));
    eventually(
        () -> assertReady(profileStatus("dual").conditions(), "False", "CpuManagerNotStatic"));
    assertThat(slots("default-kubelet", "dual")).isNull();
  }

  @Test
  void theOlderOfTwoProfilesHasTheNode() throws Exception {
    start();
    node("contested", "a");
    create(Samples.dualSocket("contested"));
    create(Samples.profile("older", "a"));
    Thread.sleep(1_100); // Creation times have a resolution of one second.
    create(Samples.profile("a-younger", "a"));
    eventually(
        () -> {
          Condition ready =
              assertReady(
                  profileStatus("a-younger").conditions(), "False", "NodeHasAnotherProfile");
          assertThat(ready.getMessage()).contains("the older profile older selects this node too");
        });
    assertThat(slots("contested", "older")).isEqualTo("3");
    assertThat(slots("contested", "a-younger")).isNull();

    client.resources(SparkNodeProfile.class).withName("older").delete();
    eventually(
        () -> {
          assertThat(slots("contested", "older")).isNull();
          assertThat(slots("contested", "a-younger")).isEqualTo("3");
        });
  }

  @Test
  void slotsGoWithTheProfile() {
    start();
    node("used", "a");
    create(Samples.dualSocket("used"));
    create(Samples.profile("dual", "a"));
    eventually(() -> assertThat(slots("used", "dual")).isEqualTo("3"));
    client.resources(SparkNodeProfile.class).withName("dual").delete();
    eventually(
        () -> {
          assertThat(client.resources(SparkNodeProfile.class).withName("dual").get()).isNull();
          assertThat(slots("used", "dual")).isNull();
        });
    assertThat(client.nodes().withName("used").get().getStatus().getCapacity())
        .as("the node's other resources")
        .containsKey("cpu");
  }

  @Test
  void staleSlotsAreSweptAtStart() {
    node("stale", "a");
    client
        .nodes()
        .withName("stale")
        .editStatus(
            node -> {
              node.getStatus().getCapacity().put("slots.numaspark.io/gone", new Quantity("7"));
              node.getStatus().getAllocatable().put("slots.numaspark.io/gone", new Quantity("7"));
              return node;
            });
    assertThat(slots("stale", "gone")).isEqualTo("7");
    start();
    eventually(() -> assertThat(slots("stale", "gone")).isNull());
  }

  // Applications

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

  /**
   * An operator dies after it has written the intent and so many of service, configuration and pod;
   * the next one goes on from there.
   */
  @ParameterizedTest(name = "{0} objects created")
  @ValueSource(ints = {0, 1, 2, 3})
  void anOperatorThatDiedLeavesOneDriver(int created) {
    SparkApplication application = create(application("resumed", ""));
    Manifests manifests =
        (Manifests) new ApplicationRenderer("spark").render(application, Optional.empty());
    application.setStatus(
        new ApplicationStatusAssembler(application, Instant.now()).submitting(manifests));
    client.resource(application).updateStatus();
    List<HasMetadata> objects =
        List.of(manifests.driverService(), manifests.configuration(), manifests.driverPod());
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
              if (created == 3) {
                assertThat(pod.getMetadata().getUid()).isEqualTo(uids.get(2));
              }
            });
    assertThat(client.services().inNamespace(namespace).list().getItems()).hasSize(1);
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

  @Test
  void anApplicationWaitsForItsProfile() {
    start();
    create(application("waiting", "nodeProfile: later"));
    eventually(() -> assertState("waiting", State.PENDING, "ProfileNotFound"));
    assertThat(status("waiting").applicationState().errorMessage())
        .startsWith("spec.nodeProfile: there is no SparkNodeProfile later; create it");
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();

    create(Samples.profile("later", "a"));
    eventually(() -> assertState("waiting", State.PENDING, "ProfileNotReady"));
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
  void aDeletedDriverIsLostAndNotRunAgain() {
    start();
    create(application("deleted", ""));
    eventually(() -> assertState("deleted", State.SUBMITTED, "DriverStarting"));
    patchDriver("deleted", pod -> pod.getStatus().setPhase("Running"));
    eventually(() -> assertState("deleted", State.RUNNING, "Running"));
    client.pods().inNamespace(namespace).withName("deleted-driver").delete();
    eventually(() -> assertState("deleted", State.FAILED, "DriverLost"));
    assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();
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

  @Test
  void anApplicationCanAlwaysBeDeleted() {
    create(application("no-operator", ""));
    delete("no-operator");
    start();
    create(application("running", ""));
    create(application("pending", "nodeProfile: unknown"));
    eventually(() -> assertState("running", State.SUBMITTED, "DriverStarting"));
    eventually(() -> assertState("pending", State.PENDING, "ProfileNotFound"));
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
                .containsExactly("1 True Pinned 0", "2 False SharedCpus null");
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

  private void executor(String application, String id) {
    String appId = status(application).sparkApplicationId();
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(application + "-exec-" + id)
                .withNamespace(namespace)
                .addToLabels("numaspark.io/application", application)
                .addToLabels("app.kubernetes.io/managed-by", "numaspark")
                .addToLabels("spark-role", "executor")
                .addToLabels("spark-exec-id", id)
                .addToLabels("spark-app-selector", appId)
                .endMetadata()
                .withNewSpec()
                .withNodeName("numa")
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build())
        .create();
    client
        .pods()
        .inNamespace(namespace)
        .withName(application + "-exec-" + id)
        .editStatus(
            pod -> {
              pod.getStatus().setPhase("Running");
              return pod;
            });
  }

  private void start() {
    OperatorConfig config =
        OperatorConfig.fromEnvironment(Map.of("NUMASPARK_NAMESPACES", namespace));
    PrometheusRegistry registry = new PrometheusRegistry();
    operator =
        Main.operator(config, ApiServer.client(), registry, new OperatorMetrics(registry, "test"));
    operator.start();
    Main.sweepOrphanSlots(client);
  }

  private void stop() {
    if (operator != null) {
      operator.stop();
      operator = null;
    }
  }

  private SparkApplication application(String name, String furtherSpec) {
    SparkApplication application = Samples.application(name, furtherSpec);
    application.getMetadata().setNamespace(namespace);
    application.getMetadata().setUid(null);
    application.getMetadata().setGeneration(null);
    return application;
  }

  private <T extends HasMetadata> T create(T resource) {
    if (resource.getMetadata().getNamespace() == null) {
      clusterScoped.add(resource);
    }
    return client.resource(resource).create();
  }

  private void createServiceAccount(String name) {
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .build())
        .create();
  }

  private void node(String name, String pool) {
    create(
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("pool", pool)
            .endMetadata()
            .build());
    client
        .nodes()
        .withName(name)
        .editStatus(
            node -> {
              node.getStatus().setCapacity(Map.of("cpu", new Quantity("16")));
              node.getStatus().setAllocatable(Map.of("cpu", new Quantity("14")));
              return node;
            });
  }

  private void label(String node, String pool) {
    client
        .nodes()
        .withName(node)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"labels\": {\"pool\": \"%s\"}}}".formatted(pool));
  }

  private void patchDriver(String application, Consumer<Pod> change) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(application + "-driver")
        .editStatus(
            pod -> {
              change.accept(pod);
              return pod;
            });
  }

  private void delete(String application) {
    var resource =
        client.resources(SparkApplication.class).inNamespace(namespace).withName(application);
    resource.delete();
    await().atMost(Duration.ofSeconds(10)).until(() -> resource.get() == null);
  }

  private SparkNodeProfileStatus profileStatus(String name) {
    return Optional.ofNullable(
            client.resources(SparkNodeProfile.class).withName(name).get().getStatus())
        .orElseThrow(() -> new AssertionError("profile " + name + " has no status"));
  }

  private SparkApplicationStatus status(String name) {
    return Optional.ofNullable(
            client
                .resources(SparkApplication.class)
                .inNamespace(namespace)
                .withName(name)
                .get()
                .getStatus())
        .orElseThrow(() -> new AssertionError("application " + name + " has no status"));
  }

  private State state(String name) {
    return status(name).applicationState().state();
  }

  private void assertState(String application, State state, String reason) {
    assertThat(state(application)).isEqualTo(state);
    assertThat(condition(status(application).conditions(), "Ready").getReason()).isEqualTo(reason);
  }

  private static Condition assertReady(List<Condition> conditions, String status, String reason) {
    Condition ready = condition(conditions, "Ready");
    assertThat(ready.getReason()).as(ready.getMessage()).isEqualTo(reason);
    assertThat(ready.getStatus()).isEqualTo(status);
    return ready;
  }

  private static Condition condition(List<Condition> conditions, String type) {
    return conditions.stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no condition " + type));
  }

  private String slots(String node, String profile) {
    Node found = client.nodes().withName(node).get();
    String resource = "slots.numaspark.io/" + profile;
    Quantity capacity = found.getStatus().getCapacity().get(resource);
    assertThat(found.getStatus().getAllocatable().get(resource)).isEqualTo(capacity);
    return capacity == null ? null : capacity.getAmount();
  }

  private List<String> resourceVersions(String application, String profile, String node) {
    return List.of(
        client
            .resources(SparkApplication.class)
            .inNamespace(namespace)
            .withName(application)
            .get()
            .getMetadata()
            .getResourceVersion(),
        client
            .resources(SparkNodeProfile.class)
            .withName(profile)
            .get()
            .getMetadata()
            .getResourceVersion(),
        client.nodes().withName(node).get().getMetadata().getResourceVersion());
  }

  private static void eventually(ThrowingRunnable assertion) {
    eventually(Duration.ofSeconds(15), assertion);
  }

  private static void eventually(Duration limit, ThrowingRunnable assertion) {
    await().atMost(limit).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
  }

  private static void stays(ThrowingRunnable assertion) {
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(5))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(assertion);
  }
}
