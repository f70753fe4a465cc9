package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.controller.apply.AgentOrders;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.apply.StartupTaint;
import io.numaspark.controller.fixture.ChartTree;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.render.autoscaler.NodeTaint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the chart's admission policies leave of the rights of operator and agents, by requests of
 * every kind with the identities of both.
 */
@ExtendWith(ApiServer.class)
class AdmissionIT {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final ChartTree TREE = ChartTree.of("default");
  private static final String NAMESPACE = "numaspark-system";
  private static final String NODE = "admitted";
  private static final String OTHER = "{'key': 'other', 'value': 'a', 'effect': 'NoSchedule'}";
  private static final String EVICTING = "{'key': '%s', 'effect': 'NoExecute'}";
  private static final String PENDING =
      "{'key': '%s', 'effect': 'NoSchedule'}".formatted(NodeTaint.SLOTS_PENDING);

  /** A status as a kubelet writes it, with a field of each type. */
  private static final String STATUS =
      """
      {"status": {
        "capacity": {"cpu": "8", "memory": "16Gi", "pods": "110", "example.com/gpu": "1"},
        "allocatable": {"cpu": "7", "memory": "15Gi", "pods": "110", "example.com/gpu": "1"},
        "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
        "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "nodeInfo": {"machineID": "m", "systemUUID": "s", "bootID": "b", "kernelVersion": "k",
          "osImage": "o", "containerRuntimeVersion": "c", "kubeletVersion": "v1.36.3",
          "kubeProxyVersion": "", "operatingSystem": "linux", "architecture": "amd64"},
        "images": [%s],
        "volumesInUse": ["a"], "volumesAttached": [{"name": "a", "devicePath": "/dev/a"}]}}
      """;

  private static KubernetesClient admin;
  private static KubernetesClient operator;

  @BeforeAll
  static void install() {
    admin = ApiServer.client();
    operator = as("system:serviceaccount:" + NAMESPACE + ":numaspark", Map.of());
    admin
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .serverSideApply();
    parts().forEach(object -> admin.resource(object).serverSideApply());
    admin
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(NODE)
                .addToLabels("zone", "a")
                .addToAnnotations("note", "a")
                .endMetadata()
                .build())
        .create();
    List<String> images = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      images.add(
          "{\"names\": [\"registry.example.com/image-%d:1\"], \"sizeBytes\": 1}".formatted(i));
    }
    node(admin).subresource("status").patch(MERGE, STATUS.formatted(String.join(",", images)));
    // The API server learns of policies and rights by its own watches.
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(new SlotPublisher(operator).publish(read(), slots(1))).isTrue());
    // Each try writes another value: one that landed before the policies were there changes nothing
    // when it is written again, and what changes nothing is not refused.
    AtomicInteger tries = new AtomicInteger();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              String label =
                  "{'metadata': {'labels': {'try': '%d'}}}".formatted(tries.incrementAndGet());
              assertRefused(label, "");
              assertRefused(label, topology(operator, NODE));
            });
    String none = "{\"metadata\": {\"labels\": {\"try\": null}}}";
    node(admin).patch(MERGE, none);
    topology(admin, NODE).patch(MERGE, none);
  }

  @AfterAll
  static void uninstall() {
    node(admin).delete();
    admin.resources(SparkNodeTopology.class).delete();
    parts().forEach(object -> admin.resource(object).delete());
    operator.close();
    admin.close();
  }

  @Test
  void slotsAreWrittenChangedAndTakenOff() {
    for (Map<String, Optional<Integer>> slots :
        List.of(slots(3), slots(0), Map.of("slots.numaspark.io/p", Optional.<Integer>empty()))) {
      assertThat(new SlotPublisher(operator).publish(read(), slots)).isTrue();
      assertThat(new SlotPublisher(operator).publish(read(), slots)).as("written").isFalse();
    }
  }

  @Test
  void theAgentsLabelIsSetAndTakenOff() {
    AgentOrders orders = new AgentOrders(operator, true);
    orders.assign(read(), Optional.of("observe"));
    assertThat(read().getMetadata().getLabels()).containsEntry("numaspark.io/agent", "observe");
    orders.assign(read(), Optional.empty());
    assertThat(read().getMetadata().getLabels()).isEqualTo(Map.of("zone", "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata': {'labels': {'zone': 'b'}}}",
        "{'metadata': {'labels': {'new': 'b'}}}",
        "{'metadata': {'labels': {'zone': null}}}",
        "{'metadata': {'labels': {'slots.numaspark.io/p': 'b'}}}",
        "{'metadata': {'labels': {'node-role.kubernetes.io/control-plane': ''}}}",
        "{'metadata': {'annotations': {'note': 'b'}}}",
        "{'metadata': {'annotations': {'new': 'b'}}}",
        "{'metadata': {'annotations': null}}",
        "{'metadata': {'annotations': {'slots.numaspark.io/p': 'b'}}}",
        "{'metadata': {'finalizers': ['example.com/stay']}}",
        "{'metadata': {'ownerReferences': [{'apiVersion': 'v1', 'kind': 'Node', 'name': 'x', 'uid': 'y'}]}}"
      })
  void neitherWayToANodeChangesItsMetadata(String patch) {
    assertRefused(patch, "");
    assertRefused(patch, "status");
  }

  @Test
  void theStartupTaintIsRemovedAndNoOther() {
    taint(OTHER, PENDING, EVICTING.formatted(NodeTaint.SLOTS_PENDING));
    new StartupTaint(operator).remove(read());
    assertThat(read().getSpec().getTaints()).extracting(Taint::getKey).containsExactly("other");
    taint(PENDING);
    new StartupTaint(operator).remove(read());
    assertThat(read().getSpec().getTaints()).isEmpty();
  }

  /** A node that is not the present one removes nothing, and above all no other taint. */
  @Test
  void anOldNodeRemovesNoTaint() {
    taint(PENDING, OTHER);
    Node old = read();
    taint(OTHER, PENDING);
    assertThatThrownBy(() -> new StartupTaint(operator).remove(old))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(read().getSpec().getTaints()).hasSize(2);
    taint();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "both                | ",
        "the other one       | PENDING",
        "none, one added     | OTHER, PENDING, {'key': 'new', 'effect': 'NoSchedule'}",
        "it, another changed | {'key': 'other', 'value': 'b', 'effect': 'NoSchedule'}",
        "it, another added   | OTHER, {'key': 'new', 'effect': 'NoSchedule'}",
        "none, it is changed | OTHER, {'key': 'startup-taint.cluster-autoscaler.kubernetes.io/numaspark-slots', 'effect': 'NoExecute'}",
        "none, in order      | PENDING, OTHER"
      })
  void allOtherChangesOfTaintsAreRefused(String removed, String taints) {
    taint(OTHER, PENDING);
    String list = taints == null ? "" : taints.replace("PENDING", PENDING).replace("OTHER", OTHER);
    assertRefused("{'spec': {'taints': [%s]}}".formatted(list), "");
    assertRefused("{'spec': {'unschedulable': true, 'taints': [%s]}}".formatted(OTHER), "");
    assertUnchangedBy(() -> patch("{'spec': {'taints': [%s]}}".formatted(OTHER), "status"));
    taint();
  }

  @Test
  void theStartupTaintIsNotAdded() {
    assertRefused("{'spec': {'taints': [%s]}}".formatted(PENDING), "");
  }

  private static void taint(String... taints) {
    String patch = "{'spec': {'taints': [%s]}}".formatted(String.join(", ", taints));
    node(admin).patch(MERGE, patch.replace('\'', '"'));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'spec': {'unschedulable': true}}",
        "{'spec': {'taints': [{'key': 'a', 'effect': 'NoExecute'}]}}",
        "{'spec': {'providerID': 'cloud://other'}}",
        "{'spec': {'podCIDR': '10.1.0.0/24', 'podCIDRs': ['10.1.0.0/24']}}"
      })
  void theSpecOfANodeStays(String patch) {
    assertRefused(patch, "");
    // Through the status the API server itself drops it.
    assertUnchangedBy(() -> patch(patch, "status"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'status': {'capacity': {'cpu': '999'}}}",
        "{'status': {'allocatable': {'cpu': '1'}}}",
        "{'status': {'capacity': {'memory': null}}}",
        "{'status': {'allocatable': {'example.com/gpu': '9'}}}",
        "{'status': {'capacity': {'example.com/new': '9'}}}",
        "{'status': {'capacity': {'slots.numaspark.io.example.com/p': '9'}}}",
        "{'status': {'allocatable': null}}",
        "{'status': {'capacity': {'slots.numaspark.io/p': '9', 'cpu': '999'}}}",
        "{'status': {'addresses': [{'type': 'InternalIP', 'address': '10.6.6.6'}]}}",
        "{'status': {'conditions': [{'type': 'Ready', 'status': 'False'}]}}",
        "{'status': {'images': []}}",
        "{'status': {'nodeInfo': {'kubeletVersion': 'v1.0.0'}}}",
        "{'status': {'daemonEndpoints': {'kubeletEndpoint': {'Port': 22}}}}",
        "{'status': {'volumesAttached': null}}",
        "{'status': {'volumesInUse': ['b']}}",
        "{'status': {'phase': 'Terminated'}}",
        "{'metadata': {'labels': {'numaspark.io/agent': 'enforce'}}}"
      })
  void ofTheStatusOnlySlotsMayChange(String patch) {
    assertRefused(patch, "status");
  }

  /** By the API server's own schema, so that what a later one adds is tried too. */
  @Test
  void noFieldOfTheStatusNorOfTheMetadataIsForgotten() throws IOException {
    JsonNode schemas = new ObjectMapper().readTree(admin.raw("/openapi/v2")).get("definitions");
    Set<String> tried = new TreeSet<>();
    for (String part : List.of("status", "metadata")) {
      JsonNode type =
          schemas.get(
              part.equals("status")
                  ? "io.k8s.api.core.v1.NodeStatus"
                  : "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
      for (Iterator<String> fields = type.get("properties").fieldNames(); fields.hasNext(); ) {
        String field = fields.next();
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject(part).set(field, sample(schemas, type.get("properties").get(field)));
        assertUnchangedBy(() -> patch(patch.toString(), "status"));
        assertUnchangedBy(() -> patch(patch.toString(), ""));
        tried.add(field);
      }
    }
    assertThat(tried).hasSizeGreaterThan(25).contains("nodeInfo", "images", "finalizers");
  }

  @Test
  void otherKindsOfPatchesAreHeldToTheSame() {
    Resource<Node> node = node(operator);
    String cpu = "{\"op\": \"replace\", \"path\": \"/status/capacity/cpu\", \"value\": \"999\"}";
    assertDenied(
        () -> node.subresource("status").patch(PatchContext.of(PatchType.JSON), "[" + cpu + "]"));
    assertDenied(
        () ->
            node.subresource("status")
                .patch(
                    PatchContext.of(PatchType.STRATEGIC_MERGE),
                    "{\"status\": {\"addresses\": [{\"type\": \"Hostname\", \"address\": \"x\"}]}}"));
    String applied =
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"%s\"}, %s}";
    PatchContext apply =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withForce(true)
            .withFieldManager("numaspark")
            .build();
    assertDenied(
        () ->
            node.subresource("status")
                .patch(
                    apply,
                    applied.formatted(NODE, "\"status\": {\"capacity\": {\"cpu\": \"999\"}}")));
    assertDenied(
        () -> node.patch(apply, applied.formatted(NODE, "\"spec\": {\"unschedulable\": true}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'spec': {'cpu': {'vendor': 'x'}}}",
        "{'spec': {'kubelet': {'cpuManagerPolicy': 'none'}}}",
        "{'metadata': {'labels': {'a': 'b'}}}",
        "{'metadata': {'annotations': {'a': 'b'}}}",
        "{'metadata': {'finalizers': ['example.com/stay']}}",
      })
  void ofATopologyTheOperatorChangesItsWishesOnly(String patch) {
    assertRefused(patch, topology(operator, NODE));
    SparkNodeTopology topology = topology(admin, NODE).get();
    AgentOrders orders = new AgentOrders(operator, true);
    orders.wish(
        topology,
        Optional.of(new WantedKnobs("p", WantedKnobs.Scope.Node, Map.of("a", "b"), List.of())));
    assertThat(topology(admin, NODE).get().getSpec().knobs()).isNotNull();
    orders.wish(topology(admin, NODE).get(), Optional.empty());
    assertThat(topology(admin, NODE).get().getSpec().knobs()).isNull();
  }

  @Test
  void anAgentWritesTheTopologyOfItsNodeOnly() {
    topology(admin, NODE);
    topology(admin, "other");
    String account = "system:serviceaccount:" + NAMESPACE + ":numaspark-agent";
    // As a header has it; a slash may not be in the name of one.
    String extra = "authentication.kubernetes.io%2fnode-name";
    try (KubernetesClient agent = as(account, Map.of(extra, List.of(NODE)));
        KubernetesClient nowhere = as(account, Map.of())) {
      SparkNodeTopology own = topology(agent, NODE).get();
      own.getMetadata().setLabels(Map.of("seen", "yes"));
      agent.resource(own).update();
      agent.resource(topology(agent, NODE).get()).updateStatus();
      for (KubernetesClient client : List.of(agent, nowhere)) {
        SparkNodeTopology other = topology(client, "other").get();
        assertRefusedTo(() -> client.resource(other).update());
        assertRefusedTo(() -> client.resource(other).updateStatus());
        assertRefusedTo(() -> client.resource(Samples.dualSocket("third")).create());
      }
      assertThatThrownBy(() -> topology(agent, NODE).delete())
          .hasMessageContaining("cannot delete");
    }
  }

  private static void assertRefusedTo(ThrowingCallable request) {
    assertThatThrownBy(request)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("ValidatingAdmissionPolicy 'numaspark-agent'");
  }

  private static JsonNode sample(JsonNode schemas, JsonNode schema) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (schema.has("$ref")) {
      return sample(schemas, schemas.get(schema.get("$ref").asText().replaceFirst(".*/", "")));
    }
    return switch (schema.path("type").asText()) {
      case "array" -> json.arrayNode().add(sample(schemas, schema.get("items")));
      case "boolean" -> json.booleanNode(true);
      case "integer" -> json.numberNode(7);
      case "object" -> {
        ObjectNode object = json.objectNode();
        if (schema.has("additionalProperties")) {
          object.set("example.com/x", sample(schemas, schema.get("additionalProperties")));
        }
        schema
            .path("properties")
            .properties()
            .forEach(field -> object.set(field.getKey(), sample(schemas, field.getValue())));
        yield object;
      }
      default ->
          json.textNode(
              "date-time".equals(schema.path("format").asText()) ? "2020-01-01T00:00:00Z" : "7");
    };
  }

  /** What an administrator sees before and after, but for what every write changes. */
  private static void assertUnchangedBy(Runnable request) {
    String before = seen();
    try {
      request.run();
    } catch (KubernetesClientException e) {
      assertThat(e.getCode()).as(e.getMessage()).isBetween(400, 499);
    }
    assertThat(seen()).isEqualTo(before);
  }

  private static String seen() {
    Node node = read();
    node.getMetadata().setManagedFields(List.of());
    node.getMetadata().setResourceVersion(null);
    return Serialization.asYaml(node);
  }

  private static void assertRefused(String patch, String subresource) {
    assertDenied(() -> patch(patch, subresource));
  }

  private static void assertRefused(String patch, Resource<SparkNodeTopology> topology) {
    assertDenied(() -> topology.patch(MERGE, patch.replace('\'', '"')));
  }

  private static void assertDenied(ThrowingCallable request) {
    assertThatThrownBy(request)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("ValidatingAdmissionPolicy")
        .hasMessageMatching("(?s).*numaspark('s operator)? may .*");
  }

  private static void patch(String patch, String subresource) {
    String json = patch.replace('\'', '"');
    if (subresource.isEmpty()) {
      node(operator).patch(MERGE, json);
    } else {
      node(operator).subresource(subresource).patch(MERGE, json);
    }
  }

  private static Map<String, Optional<Integer>> slots(int count) {
    return Map.of("slots.numaspark.io/p", Optional.of(count));
  }

  private static Node read() {
    return node(admin).get();
  }

  private static Resource<Node> node(KubernetesClient client) {
    return client.nodes().withName(NODE);
  }

  private static Resource<SparkNodeTopology> topology(KubernetesClient client, String name) {
    if (admin.resources(SparkNodeTopology.class).withName(name).get() == null) {
      admin.resource(Samples.dualSocket(name)).create();
    }
    return client.resources(SparkNodeTopology.class).withName(name);
  }

  private static KubernetesClient as(String user, Map<String, List<String>> extras) {
    Config config = ApiServer.config();
    config.setImpersonateUsername(user);
    config.setImpersonateGroups("system:serviceaccounts", "system:authenticated");
    config.setImpersonateExtras(extras);
    return ApiServer.client(config);
  }

  /** Policies and rights of operator and agents. */
  private static List<GenericKubernetesResource> parts() {
    return TREE.objects().stream()
        .filter(object -> object.getKind().matches("ClusterRole.*|ValidatingAdmissionPolicy.*"))
        .toList();
  }
}
