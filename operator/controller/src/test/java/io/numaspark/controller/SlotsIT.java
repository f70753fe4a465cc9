package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.WithheldNode;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.render.autoscaler.NodeTaint;
import io.numaspark.render.text.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Slots stay true whatever happens on a node. An executor has 4 CPUs; NUMA node 0 holds one and a
 * lone core, NUMA node 1 holds two.
 */
class SlotsIT extends OperatorAgainstApiServer {
  private static final String NODE = "slots-1";
  private static final String PROFILE = "dual";
  private static final String RESOURCE = "slots.numaspark.io/" + PROFILE;

  @BeforeEach
  void aNodeWithThreeSlots() {
    node(NODE, "a");
    create(Samples.dualSocket(NODE));
    create(Samples.profile(PROFILE, "a"));
  }

  /** There is no controller manager that would end them with their node. */
  @AfterEach
  void endPods() {
    client.pods().inNamespace(namespace).withGracePeriod(0).delete();
  }

  @Test
  void executorsComeAndGoWithoutAWrite() {
    start();
    hasSlots(3);
    // The profile's status follows the slots.
    eventually(() -> assertReady(profileStatus(PROFILE).conditions(), "True", "SlotsPublished"));
    String before = settledNodeVersion();
    String profileBefore = profileVersion();
    executorPod("e-1", 1);
    executorPod("e-2", 1);
    stays(() -> assertThat(nodeVersion()).isEqualTo(before));
    end("e-1", "Succeeded");
    remove("e-2");
    stays(() -> assertThat(nodeVersion()).isEqualTo(before));
    assertThat(profileVersion()).isEqualTo(profileBefore);
  }

  @Test
  void theStartupTaintLeavesOnceSlotsStand() {
    taint("other", NodeTaint.SLOTS_PENDING);
    start();
    hasSlots(3);
    eventually(() -> assertThat(taints()).containsExactly("other"));
    taint("other", "another", NodeTaint.SLOTS_PENDING);
    eventually(() -> assertThat(taints()).containsExactly("other", "another"));
  }

  @Test
  void aNodeWithoutSlotsKeepsTheStartupTaint() {
    client.resources(SparkNodeTopology.class).withName(NODE).delete();
    taint(NodeTaint.SLOTS_PENDING);
    start();
    stays(() -> assertThat(taints()).containsExactly(NodeTaint.SLOTS_PENDING));
    create(Samples.dualSocket(NODE));
    hasSlots(3);
    eventually(() -> assertThat(taints()).isEmpty());
  }

  private void taint(String... keys) {
    client
        .nodes()
        .withName(NODE)
        .edit(
            node ->
                new NodeBuilder(node)
                    .editOrNewSpec()
                    .withTaints(
                        Stream.of(keys)
                            .map(key -> new Taint("NoSchedule", key, null, null))
                            .toList())
                    .endSpec()
                    .build());
  }

  private List<String> taints() {
    return client.nodes().withName(NODE).get().getSpec().getTaints().stream()
        .map(Taint::getKey)
        .toList();
  }

  @Test
  void aForeignPodWithExclusiveCpusCostsSlotsUntilItIsGone() {
    start();
    hasSlots(3);
    pod("foreign", Map.of(), resources("4", "1Gi"), 30L);
    hasSlots(2);
    eventually(() -> assertThat(profileStatus(PROFILE).slots().lost()).isEqualTo(1));
    client.pods().inNamespace(namespace).withName("foreign").delete();
    stays(() -> assertThat(slots(NODE, PROFILE)).as("while it terminates").isEqualTo("2"));
    remove("foreign");
    hasSlots(3);
    eventually(() -> assertThat(profileStatus(PROFILE).slots().lost()).isZero());
  }

  @Test
  void aForeignPodThatHasEndedCostsNothing() {
    start();
    pod("job", Map.of(), resources("4", "1Gi"), 0L);
    hasSlots(2);
    end("job", "Succeeded");
    hasSlots(3);
  }

  @Test
  void aForeignPodThatWasThereBeforeTheOperatorIsSeen() {
    pod("early", Map.of(), resources("4", "1Gi"), 0L);
    start();
    hasSlots(2);
  }

  @Test
  void aPodOfTheSharedPoolCostsNothing() {
    start();
    hasSlots(3);
    String before = settledNodeVersion();
    pod("burstable", Map.of(), Map.of("cpu", new Quantity("4")), 0L);
    stays(() -> assertThat(nodeVersion()).isEqualTo(before));
  }

  @Test
  void foreignPodsCanBeLeftAlone() {
    start(Map.of("NUMASPARK_FOREIGN_PODS", "false"));
    hasSlots(3);
    pod("unseen", Map.of(), resources("4", "1Gi"), 0L);
    stays(() -> assertThat(slots(NODE, PROFILE)).isEqualTo("3"));
  }

  /** With the worst place assumed: a core in NUMA node 1 would leave two slots too. */
  @Test
  void whatAnOperatorMayNotSeeItKnowsFromTheAgent() {
    start(Map.of("NUMASPARK_FOREIGN_PODS", "false"));
    hasSlots(3);
    executorPod("e-1", 1);
    agentTells(
        "[{\"namespace\": \"%s\", \"pod\": \"e-1\", \"cpus\": \"4-5,12-13\"}]"
            .formatted(namespace));
    stays(
        () ->
            assertThat(slots(NODE, PROFILE)).as("an executor is not a foreign pod").isEqualTo("3"));
    remove("e-1");
    stays(() -> assertThat(slots(NODE, PROFILE)).as("the agent is late").isEqualTo("3"));
    agentTells("[{\"namespace\": \"kube\", \"pod\": \"db\", \"cpus\": \"6\"}]");
    hasSlots(2);
    agentTells("[]");
    hasSlots(3);
  }

  private void agentTells(String exclusive) {
    client
        .resources(SparkNodeTopology.class)
        .withName(NODE)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"heartbeat\": \"%s\", \"exclusive\": %s}}"
                .formatted(Instant.now(), exclusive));
  }

  @Test
  void aKubeletThatResetsTheResourceGetsItBack() {
    start();
    hasSlots(3);
    editNode(
        node -> {
          node.getStatus().getCapacity().put(RESOURCE, new Quantity("0"));
          node.getStatus().getAllocatable().put(RESOURCE, new Quantity("0"));
        });
    hasSlots(3);
    editNode(
        node -> {
          node.getStatus().setCapacity(Map.of("cpu", new Quantity("16")));
          node.getStatus().setAllocatable(Map.of("cpu", new Quantity("14")));
        });
    hasSlots(3);
    editNode(node -> node.getStatus().getAllocatable().put(RESOURCE, new Quantity("0")));
    hasSlots(3);
  }

  @Test
  void aNodeThatIsRegisteredAnewGetsItsSlotsBack() {
    start();
    hasSlots(3);
    Node node = client.nodes().withName(NODE).get();
    client.nodes().withName(NODE).delete();
    eventually(() -> assertThat(profileStatus(PROFILE).nodes().matched()).isZero());
    node.getMetadata().setResourceVersion(null);
    node.getMetadata().setUid(null);
    node.setStatus(null);
    client.resource(node).create();
    hasSlots(3);
  }

  @Test
  void executorsOfTheFormerShapeAreCountedAsWhatTheyTake() {
    start();
    hasSlots(3);
    executorPod("old-1", 1);
    executorPod("old-2", 1);
    client
        .resources(SparkNodeProfile.class)
        .withName(PROFILE)
        .edit(profile -> withCores(profile, 1));
    // 7 executors of one core; two of two cores take 4 of them and have asked for 2.
    hasSlots(5);
    remove("old-1");
    hasSlots(6);
    remove("old-2");
    hasSlots(7);
  }

  @Test
  void anExactExecutorHoldsTheSlotsThatItAskedFor() {
    start();
    hasSlots(3);
    String before = settledNodeVersion();
    Map<String, Quantity> large = resources("8", "1Gi");
    large.put(RESOURCE, new Quantity("2"));
    pod("exact", ofExecutor("exact"), large, 0L);
    stays(() -> assertThat(nodeVersion()).isEqualTo(before));
  }

  @Test
  void executorsOfAnOlderProfileCostItsSuccessorSlots() throws InterruptedException {
    start();
    hasSlots(3);
    executorPod("running", 1);
    Thread.sleep(1_100); // Creation times have a resolution of one second.
    create(Samples.profile("younger", "a"));
    eventually(
        () -> assertReady(profileStatus("younger").conditions(), "False", "NodeHasAnotherProfile"));
    client.resources(SparkNodeProfile.class).withName(PROFILE).delete();
    eventually(
        () -> {
          assertThat(slots(NODE, PROFILE)).isNull();
          assertThat(slots(NODE, "younger")).isEqualTo("2");
        });
    remove("running");
    eventually(() -> assertThat(slots(NODE, "younger")).isEqualTo("3"));
  }

  @Test
  void aNodeThatLeavesAndComesBackIsCountedAnew() {
    start();
    hasSlots(3);
    label(NODE, "elsewhere");
    eventually(() -> assertThat(slots(NODE, PROFILE)).isNull());
    pod("meanwhile", Map.of(), resources("4", "1Gi"), 0L);
    label(NODE, "a");
    hasSlots(2);
  }

  @Test
  void aTopologyMayComeLateChangeAndGo() {
    start();
    hasSlots(3);
    client
        .resources(SparkNodeTopology.class)
        .withName(NODE)
        .edit(
            topology -> {
              topology.setSpec(Samples.singleSocket(NODE).getSpec());
              return topology;
            });
    hasSlots(1);
    client.resources(SparkNodeTopology.class).withName(NODE).delete();
    eventually(() -> assertThat(slots(NODE, PROFILE)).isNull());
    client.resource(Samples.dualSocket(NODE)).create();
    hasSlots(3);
  }

  @Test
  void aProfileDeletedWhileNoOperatorRanLeavesNoSlots() {
    start();
    hasSlots(3);
    stop();
    client.resources(SparkNodeProfile.class).withName(PROFILE).delete();
    start();
    eventually(() -> assertThat(slots(NODE, PROFILE)).isNull());
  }

  @Test
  void aRejectedExecutorWithholdsTheFreeSlotsOfItsNode() {
    start();
    hasSlots(3);
    executorPod("runs", 1);
    scheduledExecutor("rejected");
    reject("rejected", "TopologyAffinityError");
    hasSlots(1);
    eventually(
        () -> {
          assertThat(profileStatus(PROFILE).withheldNodes())
              .extracting(WithheldNode::name, WithheldNode::reason, WithheldNode::rejections)
              .containsExactly(tuple(NODE, "TopologyAffinityError", 1));
          assertThat(profileStatus(PROFILE).slots().withheld()).isEqualTo(2);
          Condition condition = condition(profileStatus(PROFILE).conditions(), "SlotsWithheld");
          assertThat(condition.getStatus()).isEqualTo("True");
          assertThat(condition.getMessage())
              .contains("2 free slots on 1 nodes", NODE, "TopologyAffinityError");
        });
    // Spark deletes the pod at once; a restarted operator knows from the status.
    remove("rejected");
    stop();
    start();
    stays(() -> assertThat(slots(NODE, PROFILE)).isEqualTo("1"));
    assertThat(profileStatus(PROFILE).withheldNodes())
        .extracting(WithheldNode::rejections)
        .containsExactly(1);
  }

  @Test
  void aRejectedPodThatIsDeletedAtOnceIsSeenAndForgottenInTime() {
    start();
    hasSlots(3);
    scheduledExecutor("brief");
    reject("brief", "OutOfcpu");
    remove("brief");
    hasSlots(0);
    eventually(
        Withheld.SHORTEST.plusSeconds(30), () -> assertThat(slots(NODE, PROFILE)).isEqualTo("3"));
  }

  /** Whoever may make pods can write everything of an executor but that a scheduler bound it. */
  @Test
  void podsThatOnlyLookLikeExecutorsWithholdNothing() {
    start();
    hasSlots(3);
    pod("stranger", ofExecutor("stranger"), resources("999", "1Gi"), 0L);
    reject("stranger", "OutOfcpu");
    hasSlots(3);
    Pod copied = executorOfTheApplication("copied");
    copied.getSpec().setNodeName(NODE);
    client.resource(copied).create();
    reject("copied", "TopologyAffinityError");
    Pod large = executorOfTheApplication("large");
    large
        .getSpec()
        .getContainers()
        .get(0)
        .getResources()
        .getRequests()
        .put(RESOURCE, new Quantity("4294967297"));
    large
        .getSpec()
        .getContainers()
        .get(0)
        .getResources()
        .setLimits(large.getSpec().getContainers().get(0).getResources().getRequests());
    client.resource(large).create();
    bind("large");
    // As many as it asked for are used, and counted without an overflow.
    hasSlots(Integer.MAX_VALUE);
    reject("large", "OutOfslots.numaspark.io/dual");
    hasSlots(3);
    stays(() -> assertThat(slots(NODE, PROFILE)).isEqualTo("3"));
    assertThat(profileStatus(PROFILE).withheldNodes()).isNullOrEmpty();
  }

  @Test
  void twoOperatorsCountTheSameAndLeaveEachOthersCountAlone() {
    start();
    startBeside("default");
    hasSlots(3);
    executorPod("of-the-first", 1);
    client
        .resources(SparkNodeProfile.class)
        .withName(PROFILE)
        .edit(profile -> withCores(profile, 1));
    // Seven of one core; the executor takes two of them, and has asked for one.
    hasSlots(6);
    eventually(() -> assertThat(profileStatus(PROFILE).slots().lost()).isEqualTo(1));
    settles();
  }

  @Test
  void twoOperatorsWithholdAfterTheSameRejectionAndTellOfItOnce() {
    start();
    startBeside("default");
    hasSlots(3);
    scheduledExecutor("rejected");
    reject("rejected", "TopologyAffinityError");
    hasSlots(0);
    remove("rejected");
    eventually(() -> assertThat(profileStatus(PROFILE).slots().withheld()).isEqualTo(3));
    settles();
    assertThat(
            client.v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getReason().equals("ExecutorRejected"))
                .filter(event -> event.getMessage().contains(" of " + namespace + "/")))
        .extracting(event -> event.getInvolvedObject().getKind())
        .containsExactlyInAnyOrder("Node", "SparkNodeProfile");
  }

  /** Nobody writes the node or the profile any more. */
  private void settles() {
    AtomicReference<String> before = new AtomicReference<>("");
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofSeconds(3))
        .until(
            () -> {
              String now = nodeVersion() + "/" + profileVersion();
              return before.getAndSet(now).equals(now);
            });
  }

  private void hasSlots(int slots) {
    eventually(() -> assertThat(slots(NODE, PROFILE)).isEqualTo(String.valueOf(slots)));
  }

  private static SparkNodeProfile withCores(SparkNodeProfile profile, int cores) {
    profile.setSpec(
        Serialization.unmarshal(
            """
            nodeSelector: {matchLabels: {pool: a}}
            executor: {coresPerExecutor: {min: %d, max: %d}}
            """
                .formatted(cores, cores),
            SparkNodeProfileSpec.class));
    return profile;
  }

  /** An executor of the profile's shape as it is now. */
  private void executorPod(String name, int slots) {
    eventually(() -> assertThat(profileStatus(PROFILE).executor()).isNotNull());
    var shape = profileStatus(PROFILE).executor();
    Map<String, Quantity> resources = resources(String.valueOf(shape.cpus()), shape.podMemory());
    resources.put(RESOURCE, new Quantity(String.valueOf(slots)));
    pod(name, ofExecutor(name), resources, 0L);
  }

  /** An executor of an application that runs, which the test binds as a scheduler does. */
  private void scheduledExecutor(String name) {
    client.resource(executorOfTheApplication(name)).create();
    bind(name);
    eventually(
        () ->
            assertThat(client.pods().inNamespace(namespace).withName(name).get().getStatus())
                .satisfies(
                    status ->
                        assertThat(status.getConditions())
                            .extracting(PodCondition::getType)
                            .contains("PodScheduled")));
  }

  private void bind(String name) {
    client.raw(
        "/api/v1/namespaces/%s/pods/%s/binding".formatted(namespace, name),
        "POST",
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Binding",
            "metadata",
            Map.of("name", name),
            "target",
            Map.of("apiVersion", "v1", "kind", "Node", "name", NODE)));
  }

  private Pod executorOfTheApplication(String name) {
    if (client.resources(SparkApplication.class).inNamespace(namespace).withName("app").get()
        == null) {
      create(application("app", "nodeProfile: " + PROFILE));
    }
    eventually(() -> assertThat(status("app").driverInfo().podUid()).isNotNull());
    SparkApplicationStatus status = status("app");
    var shape = profileStatus(PROFILE).executor();
    Map<String, Quantity> resources = resources(String.valueOf(shape.cpus()), shape.podMemory());
    resources.put(RESOURCE, new Quantity("1"));
    Map<String, String> labels = new HashMap<>(ofExecutor(name));
    labels.put("spark-app-selector", status.sparkApplicationId());
    Pod pod = podOf(name, labels, resources, 0L);
    pod.getSpec().setNodeName(null);
    pod.getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion("v1")
                    .withKind("Pod")
                    .withName(status.driverInfo().podName())
                    .withUid(status.driverInfo().podUid())
                    .withController(true)
                    .build()));
    return pod;
  }

  private static Map<String, String> ofExecutor(String name) {
    return Map.of(
        "numaspark.io/application", "app",
        "numaspark.io/profile", PROFILE,
        "app.kubernetes.io/managed-by", "numaspark",
        "spark-role", "executor",
        "spark-exec-id", "1",
        "spark-app-selector", "spark-" + name);
  }

  private static Map<String, Quantity> resources(String cpu, String memory) {
    Map<String, Quantity> resources = new HashMap<>();
    resources.put("cpu", Quantity.parse(cpu));
    resources.put("memory", Quantity.parse(memory));
    return resources;
  }

  private void pod(
      String name, Map<String, String> labels, Map<String, Quantity> resources, long gracePeriod) {
    client.resource(podOf(name, labels, resources, gracePeriod)).create();
  }

  private Pod podOf(
      String name, Map<String, String> labels, Map<String, Quantity> resources, long gracePeriod) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .withNodeName(NODE)
            .withTerminationGracePeriodSeconds(gracePeriod)
            .addNewContainer()
            .withName("main")
            .withImage("i")
            .withNewResources()
            .withRequests(resources)
            .endResources()
            .endContainer()
            .endSpec()
            .build();
    if (resources.containsKey("memory")) {
      pod.getSpec().getContainers().get(0).getResources().setLimits(resources);
    }
    return pod;
  }

  /** As a kubelet does, which takes the conditions away again. */
  private void reject(String name, String reason) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(name)
        .editStatus(
            pod -> {
              pod.getStatus().setConditions(List.of());
              pod.getStatus().setPhase("Failed");
              pod.getStatus().setReason(reason);
              pod.getStatus().setMessage("Pod was rejected: the test says so");
              return pod;
            });
  }

  private void end(String name, String phase) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(name)
        .editStatus(
            pod -> {
              pod.getStatus().setPhase(phase);
              return pod;
            });
  }

  private void remove(String name) {
    client.pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
  }

  private void editNode(Consumer<Node> change) {
    client
        .nodes()
        .withName(NODE)
        .editStatus(
            node -> {
              change.accept(node);
              return node;
            });
  }

  /**
   * The label for the node's agent is written by another controller, at any time after the start.
   */
  private String settledNodeVersion() {
    eventually(
        () ->
            assertThat(client.nodes().withName(NODE).get().getMetadata().getLabels())
                .containsKey(Labels.AGENT));
    return nodeVersion();
  }

  private String nodeVersion() {
    return client.nodes().withName(NODE).get().getMetadata().getResourceVersion();
  }

  private String profileVersion() {
    return client
        .resources(SparkNodeProfile.class)
        .withName(PROFILE)
        .get()
        .getMetadata()
        .getResourceVersion();
  }
}
