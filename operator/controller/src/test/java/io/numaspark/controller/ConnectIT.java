package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkConnectStatus;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Spark Connect servers under the whole operator, against a real API server. */
class ConnectIT extends OperatorAgainstApiServer {
  private static final String SERVER = "notebooks-server";

  @AfterEach
  void deleteServers() {
    client.resources(SparkConnect.class).inNamespace(namespace).delete();
  }

  @Test
  void aServerIsReadyWhenItsPodIs() {
    start();
    connect("nodeProfile: null");
    eventually(() -> assertState("Provisioning", "DriverStarting"));
    assertThat(status().server().restarts()).isZero();
    assertThat(status().startTime()).isNull();

    Service service = client.services().inNamespace(namespace).withName(SERVER).get();
    assertThat(service.getSpec().getPorts())
        .extracting(ServicePort::getPort, ServicePort::getAppProtocol)
        .containsExactly(tuple(15002, "kubernetes.io/h2c"), tuple(4040, null));
    Map<String, String> labels = driver(1).getMetadata().getLabels();
    assertThat(labels).containsAllEntriesOf(service.getSpec().getSelector());

    running(1);
    eventually(() -> assertState("Provisioning", "ServerStarting"));
    ready(1, "True");
    eventually(() -> assertState("Ready", "ServerReady"));
    SparkConnectStatus status = status();
    assertThat(status.server().endpoint())
        .isEqualTo("sc://notebooks-server.%s.svc:15002".formatted(namespace));
    assertThat(status.server().podName()).isEqualTo(SERVER + "-driver");
    assertThat(status.server().podIp()).isEqualTo("10.9.8.7");
    assertThat(status.server().serviceName()).isEqualTo(SERVER);
    assertThat(status.startTime()).isNotNull();
    assertThat(status.executors()).containsEntry("running", 0);
    executor(SERVER, "1");
    eventually(() -> assertThat(status().executors()).containsEntry("running", 1));

    ready(1, "False");
    eventually(() -> assertState("NotReady", "ServerNotReady"));
    assertThat(condition(status().conditions(), "Reconciling").getStatus()).isEqualTo("True");
    ready(1, "True");
    eventually(() -> assertState("Ready", "ServerReady"));
    assertThat(status().server().restarts()).as("the same server").isZero();
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    start();
    connect("executor: {instances: 2}, server: {template: {spec: {priorityClassName: null}}}");
    up(1);
    String application = application().getMetadata().getResourceVersion();
    String connect = resource().get().getMetadata().getResourceVersion();
    String service = service().getMetadata().getResourceVersion();
    // The same manifest again, a label, and another operator that reads all anew.
    resource()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"annotations\": {\"a\": \"b\"}}}");
    stop();
    start();
    stays(
        () -> {
          assertThat(application().getMetadata().getResourceVersion()).isEqualTo(application);
          assertThat(service().getMetadata().getResourceVersion()).isEqualTo(service);
          assertThat(status()).isNotNull();
        });
    assertThat(application().getMetadata().getGeneration()).isEqualTo(1);
    assertThat(resource().get().getMetadata().getResourceVersion())
        .as("written once, for the annotation")
        .isNotEqualTo(connect);
    assertThat(resource().get().getMetadata().getGeneration()).isEqualTo(1);
    assertState("Ready", "ServerReady");
  }

  @Test
  void aServerThatDiesIsReplacedAndCountedAsARestart() {
    start();
    connect("executor: {instances: 1}");
    up(1);
    ends(1);
    eventually(() -> assertThat(status().state()).isNotEqualTo(SparkConnectStatus.State.Ready));
    eventually(() -> assertThat(driver(2)).isNotNull());
    eventually(() -> assertThat(status().server().restarts()).isEqualTo(1));
    assertThat(condition(status().conditions(), "Ready").getStatus()).isEqualTo("False");
    running(2);
    ready(2, "True");
    eventually(() -> assertState("Ready", "ServerReady"));
    assertThat(status().server().podName()).isEqualTo(SERVER + "-driver-2");
    assertThat(status().server().restarts()).isEqualTo(1);
    eventually(
        () ->
            assertThat(ApiServer.events(client, namespace, "notebooks"))
                .contains("ServerReady", "ServerRestarted"));
  }

  @Test
  void anEditStartsAnotherServerAndHandEditsAreUndone() {
    start();
    connect("executor: {instances: 1}");
    up(1);
    resource()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"sparkConf\": {\"spark.sql.shuffle.partitions\": \"7\"}}}");
    eventually(
        () ->
            assertThat(application().getSpec().sparkConf())
                .containsEntry("spark.sql.shuffle.partitions", "7"));
    // A pod without a node goes as soon as it is deleted: no state of this is sure to be seen.
    eventually(() -> assertThat(driver(2)).isNotNull());
    up(2);
    assertThat(status().observedGeneration()).isEqualTo(2);
    assertThat(status().server().restarts()).isEqualTo(1);

    long generation = application().getMetadata().getGeneration();
    client
        .resources(SparkApplication.class)
        .inNamespace(namespace)
        .withName(SERVER)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"suspend\": true, \"arguments\": [\"x\"]}}");
    eventually(
        () -> {
          assertThat(application().getMetadata().getGeneration()).isEqualTo(generation + 2);
          assertThat(application().getSpec().suspend()).isFalse();
          assertThat(application().getSpec().arguments()).isNull();
        });
    client
        .services()
        .inNamespace(namespace)
        .withName(SERVER)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"selector\": {\"app\": \"x\"}}}");
    eventually(() -> assertThat(service().getSpec().getSelector()).containsKey(Labels.APPLICATION));
    client.services().inNamespace(namespace).withName(SERVER).delete();
    eventually(() -> assertThat(service()).isNotNull());
  }

  @Test
  void theServiceAloneChangesWithoutARestart() {
    start();
    connect("executor: {instances: 1}");
    up(1);
    resource()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"server\": {\"service\": {\"type\": \"LoadBalancer\"}}}}");
    eventually(() -> assertState("Failed", "ServerRefused"));
    assertThat(condition(status().conditions(), "Stalled").getMessage())
        .isEqualTo(
            "spec.server.service.type: LoadBalancer is not granted to applications; remove it, or ask the platform to"
                + " grant it by the chart's grants.serviceTypes");
    assertThat(driver(1)).as("what runs is left alone").isNotNull();
    resource()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"server\": {\"service\": null}}}");
    eventually(() -> assertState("Ready", "ServerReady"));
    assertThat(status().server().restarts()).isZero();
    assertThat(application().getMetadata().getGeneration()).isEqualTo(1);
  }

  @Test
  void aDeletedApplicationIsCreatedAgain() {
    start();
    connect("executor: {instances: 1}");
    up(1);
    String uid = application().getMetadata().getUid();
    client.resources(SparkApplication.class).inNamespace(namespace).withName(SERVER).delete();
    goes(1); // The garbage collector's part, as what follows.
    client.configMaps().inNamespace(namespace).withLabel(Labels.APPLICATION, SERVER).delete();
    client.services().inNamespace(namespace).withLabel(Labels.APPLICATION, SERVER).delete();
    eventually(() -> assertThat(application().getMetadata().getUid()).isNotEqualTo(uid));
    up(1);
    assertThat(status().server().restarts()).isEqualTo(1);
  }

  @Test
  void suspendStopsTheServerAndResumeStartsAnother() {
    start();
    connect("executor: {instances: 1}");
    up(1);
    suspend(true);
    eventually(() -> assertThat(application().getSpec().suspend()).isTrue());
    goes(1);
    eventually(() -> assertState("Suspended", "Suspended"));
    assertThat(status().conditions()).extracting(Condition::getType).containsExactly("Ready");
    assertThat(status().server().podName()).isNull();
    suspend(false);
    up(2);
    assertThat(status().server().restarts()).isEqualTo(1);
  }

  @Test
  void whatOthersHaveCalledSoIsNotTouched() {
    SparkApplication others = application(SERVER, "suspend: true\n");
    create(others);
    start();
    connect("executor: {instances: 1}");
    eventually(() -> assertState("Failed", "ServerRefused"));
    assertThat(condition(status().conditions(), "Stalled").getMessage())
        .isEqualTo(
            "SparkApplication notebooks-server exists already and belongs to something else; delete it, or give the"
                + " SparkConnect another name");
    assertThat(application().getSpec().mainClass()).isEqualTo(others.getSpec().mainClass());
    delete(SERVER);
    eventually(() -> assertState("Provisioning", "DriverStarting"));
  }

  @Test
  void aServiceOfOthersIsNotTouched() {
    create(
        new ServiceBuilder()
            .withNewMetadata()
            .withName(SERVER)
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .addNewPort()
            .withPort(1)
            .endPort()
            .endSpec()
            .build());
    start();
    connect("executor: {instances: 1}");
    eventually(() -> assertState("Failed", "ServerRefused"));
    assertThat(condition(status().conditions(), "Ready").getMessage())
        .startsWith("Service notebooks-server exists already");
    assertThat(service().getSpec().getPorts().get(0).getPort()).isEqualTo(1);
    assertThat(client.resources(SparkApplication.class).inNamespace(namespace).list().getItems())
        .as("nothing is started that nobody can reach")
        .isEmpty();
  }

  @Test
  void whatTheApplicationRefusesIsSaidInTheWordsOfTheServer() {
    start();
    connect("server: {template: {spec: {containers: {a: b}}}}");
    eventually(() -> assertThat(status().state()).isEqualTo(SparkConnectStatus.State.Failed));
    assertThat(condition(status().conditions(), "Stalled").getMessage())
        .startsWith("spec.server.template");
  }

  @Test
  void itWaitsForItsProfile() {
    start();
    connect("nodeProfile: later");
    eventually(() -> assertState("Provisioning", "ProfileNotFound"));
    assertThat(condition(status().conditions(), "Reconciling").getMessage()).contains("later");
    node("numa", "later");
    create(Samples.dualSocket("numa"));
    create(Samples.profile("later", "later"));
    eventually(() -> assertState("Provisioning", "DriverStarting"));
  }

  @Test
  void badInputIsRefusedAtAdmission() {
    assertRefused(
        "sparkConf: {spark.connect.grpc.binding.port: '15003'}",
        "the Service and the probe use port 15002");
    assertRefused(
        "sparkConf: {spark.connect.authenticate.token: x}", "spec.authentication.tokenSecret");
    assertRefused(
        "server: {env: [{name: SPARK_CONNECT_AUTHENTICATE_TOKEN, value: x}]}", "spec.server.env:");
    assertRefused("idle: {executorSeconds: 60}", "spec.dynamicAllocation.enabled: true");
    assertRefused("server: {cores: 0}", "spec.server.cores");
    assertRefused("image: ''", "spec.image");
    assertThatThrownBy(() -> client.resource(sample("1notebooks", "image: i")).create())
        .hasMessageContaining("metadata.name: its Service is called NAME-server");
    assertThatThrownBy(() -> client.resource(sample("n".repeat(57), "image: i")).create())
        .hasMessageContaining("at most 56");
  }

  // Vocabulary

  private void assertRefused(String spec, String text) {
    assertThatThrownBy(() -> client.resource(sample("bad", spec)).create())
        .hasMessageContaining(text);
  }

  private void connect(String spec) {
    client.resource(sample("notebooks", spec)).create();
  }

  private SparkConnect sample(String name, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkConnect
        metadata: {name: %s, namespace: %s}
        spec: {sparkVersion: 4.3.0, %s%s}
        """
            .formatted(name, namespace, spec.contains("image:") ? "" : "image: spark:4, ", spec),
        SparkConnect.class);
  }

  private void suspend(boolean suspend) {
    resource()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"suspend\": %s}}".formatted(suspend));
  }

  private void up(int attempt) {
    running(attempt);
    ready(attempt, "True");
    eventually(() -> assertState("Ready", "ServerReady"));
  }

  private static String podName(int attempt) {
    return SERVER + "-driver" + (attempt == 1 ? "" : "-" + attempt);
  }

  private Pod driver(int attempt) {
    return client.pods().inNamespace(namespace).withName(podName(attempt)).get();
  }

  private void running(int attempt) {
    eventually(
        () ->
            assertThat(driver(attempt)).as(() -> Serialization.asYaml(application())).isNotNull());
    client
        .pods()
        .inNamespace(namespace)
        .withName(podName(attempt))
        .editStatus(
            pod -> {
              pod.getStatus().setPhase("Running");
              pod.getStatus().setPodIP("10.9.8.7");
              pod.getStatus().setStartTime("2026-11-21T08:00:00Z");
              return pod;
            });
  }

  private void ready(int attempt, String status) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(podName(attempt))
        .editStatus(
            pod -> {
              pod.getStatus()
                  .setConditions(
                      List.of(
                          new PodConditionBuilder().withType("Ready").withStatus(status).build()));
              return pod;
            });
  }

  private void ends(int attempt) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(podName(attempt))
        .editStatus(
            pod -> {
              pod.getStatus().setPhase("Failed");
              pod.getStatus().setConditions(List.of());
              return pod;
            });
  }

  /** The kubelet's part. */
  private void goes(int attempt) {
    client.pods().inNamespace(namespace).withName(podName(attempt)).withGracePeriod(0).delete();
  }

  private Resource<SparkConnect> resource() {
    return client.resources(SparkConnect.class).inNamespace(namespace).withName("notebooks");
  }

  private SparkApplication application() {
    return Optional.ofNullable(
            client.resources(SparkApplication.class).inNamespace(namespace).withName(SERVER).get())
        .orElseThrow(() -> new AssertionError("there is no application"));
  }

  private Service service() {
    return client.services().inNamespace(namespace).withName(SERVER).get();
  }

  private SparkConnectStatus status() {
    return Optional.ofNullable(resource().get().getStatus())
        .orElseThrow(() -> new AssertionError("there is no status"));
  }

  private void assertState(String state, String reason) {
    SparkConnectStatus status = status();
    Condition ready = condition(status.conditions(), "Ready");
    assertThat(status.state() + " " + ready.getReason())
        .as(ready.getMessage())
        .isEqualTo(state + " " + reason);
  }
}
