package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.controller.fixture.ChartTree;
import java.time.Duration;
import java.util.List;
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
 * The chart's policies that keep the runtime's socket to the agents, and the pinner's slots to who
 * has requested them of the scheduler.
 */
@ExtendWith(ApiServer.class)
class PinnerAdmissionIT {
  private static final ChartTree TREE = ChartTree.of("everything");
  private static final String AGENTS = "spark-agents";
  private static final String TEAM = "pinned-team";
  private static final String CLAIM =
      "{name: nri, persistentVolumeClaim: {claimName: numa-agent-nri}}";
  private static final String REQUEST = "slots.numaspark.io/p";
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static KubernetesClient admin;
  private static KubernetesClient daemons;

  @BeforeAll
  static void install() {
    admin = ApiServer.client();
    daemons = as("system:serviceaccount:kube-system:daemon-set-controller");
    for (String namespace : List.of(AGENTS, TEAM)) {
      admin
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .serverSideApply();
      admin
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withName("default")
                  .withNamespace(namespace)
                  .endMetadata()
                  .build())
          .serverSideApply();
    }
    admin
        .resource(new NodeBuilder().withNewMetadata().withName("pinned-node").endMetadata().build())
        .serverSideApply();
    // From before the policy, with what the policy refuses.
    Pod old = executor("old", "numaspark.io/pin: p", "");
    old.getMetadata().setFinalizers(List.of("example.com/stay"));
    admin.resource(old).create();
    parts().forEach(object -> admin.resource(object).serverSideApply());
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertRefused(() -> create(admin, pod(AGENTS, next(), "", CLAIM)), "socket");
              assertRefused(
                  () -> create(admin, executor(next(), "numaspark.io/pin: p", "")), REQUEST);
            });
  }

  @AfterAll
  static void uninstall() {
    parts().forEach(object -> admin.resource(object).delete());
    for (String namespace : List.of(AGENTS, TEAM)) {
      admin.pods().inNamespace(namespace).withGracePeriod(0).delete();
      admin.namespaces().withName(namespace).delete();
    }
    admin.nodes().withName("pinned-node").delete();
    daemons.close();
    admin.close();
  }

  @Test
  void onlyTheDaemonSetsOfTheAgentsGetTheSocket() {
    create(daemons, pod(AGENTS, next(), "numa-agent-pin", CLAIM));
    create(daemons, pod(AGENTS, next(), "numa-agent-enforce-and-pin", CLAIM));
    assertRefused(() -> create(daemons, pod(AGENTS, next(), "", CLAIM)), "socket");
    assertRefused(() -> create(daemons, pod(AGENTS, next(), "tenant", CLAIM)), "socket");
    assertRefused(() -> create(admin, pod(AGENTS, next(), "numa-agent-pin", CLAIM)), "socket");
    try (KubernetesClient jobs = as("system:serviceaccount:kube-system:job-controller")) {
      assertRefused(() -> create(jobs, pod(AGENTS, next(), "numa-agent-pin", CLAIM)), "socket");
    }
  }

  @Test
  void theSocketCannotBeGotByAVolumeThatMakesItsClaim() {
    String volume =
        "{name: nri, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadOnlyMany], resources: {requests: {storage: 1Mi}}}}}}";
    assertRefused(() -> create(admin, pod(AGENTS, "numa-agent", "", volume)), "socket");
    create(admin, pod(AGENTS, next(), "", volume));
  }

  @Test
  void otherVolumesAndOtherNamespacesAreFree() {
    create(admin, pod(AGENTS, next(), "", "{name: a, emptyDir: {}}"));
    create(
        admin, pod(AGENTS, next(), "", "{name: nri, persistentVolumeClaim: {claimName: other}}"));
    create(admin, pod(TEAM, next(), "", CLAIM));
  }

  @Test
  void noEphemeralContainerIsPutBesideThePinner() {
    String container =
        "{\"spec\": {\"ephemeralContainers\": [{\"name\": \"e\", \"image\": \"i\"%s}]}}";
    Pod agent = create(daemons, pod(AGENTS, next(), "numa-agent-pin", CLAIM));
    for (String mounts :
        List.of("", ", \"volumeMounts\": [{\"name\": \"nri\", \"mountPath\": \"/nri\"}]")) {
      assertRefused(
          () ->
              found(agent)
                  .subresource("ephemeralcontainers")
                  .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), container.formatted(mounts)),
          "socket");
    }
    Pod other = create(admin, pod(AGENTS, next(), "", "{name: a, emptyDir: {}}"));
    found(other)
        .subresource("ephemeralcontainers")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), container.formatted(""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // annotations | slots of p that the container requests | part of the refusal
        "numaspark.io/pin: p                                                       | 1 | -",
        "numaspark.io/pin: p, numaspark.io/pin-slots: '2'                          | 3 | -",
        "numaspark.io/pin: p, numaspark.io/pin-slots: '2', numaspark.io/pin-cpus: '7' | 2 | -",
        "numaspark.io/pin: p, numaspark.io/pin-slots: '2'                          | 1 | request at least 2 of slots.numaspark.io/p",
        "numaspark.io/pin: p                                                       | - | request at least 1 of slots.numaspark.io/p",
        "numaspark.io/pin: other                                                   | 1 | request at least 1 of slots.numaspark.io/other",
        "numaspark.io/pin: p, numaspark.io/pin-slots: '0'                          | 1 | pin-slots",
        "numaspark.io/pin: p, numaspark.io/pin-slots: '-1'                         | 1 | pin-slots",
        "numaspark.io/pin: p, numaspark.io/pin-slots: 1k                           | 1 | pin-slots",
        "numaspark.io/pin: p, numaspark.io/pin-slots: ''                           | 1 | pin-slots",
        "numaspark.io/pin: p, numaspark.io/pin-cpus: '0'                           | 1 | pin-cpus",
        "numaspark.io/pin: p, numaspark.io/pin-cpus: many                          | 1 | pin-cpus",
        "numaspark.io/slot: n0-0@g                                                 | - | only the pinner writes it",
        "numaspark.io/pin: p, numaspark.io/slot: shared@g                          | 1 | only the pinner writes it",
        "example.com/note: a                                                       | - | -",
        "numaspark.io/pin-slots: '9'                                               | - | -",
      })
  void whoAsksForSlotsRequestsThem(String annotations, String slots, String refusal) {
    Pod pod = executor(next(), annotations, slots == null ? "" : slots);
    if (refusal == null) {
      create(admin, pod);
    } else {
      assertRefused(() -> create(admin, pod), refusal);
    }
  }

  @Test
  void anotherContainerThanSparksRequestsNothingForIt() {
    Pod pod = executor(next(), "numaspark.io/pin: p", "1");
    pod.getSpec().getContainers().get(0).setName("other");
    assertRefused(() -> create(admin, pod), REQUEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'numaspark.io/pin': 'p'}",
        "{'numaspark.io/pin-slots': '2'}",
        "{'numaspark.io/pin-cpus': '2'}",
        "{'numaspark.io/slot': 'n0-0@g'}"
      })
  void annotationsComeByNoOtherWay(String annotations) {
    String metadata = "{\"metadata\": {\"annotations\": " + annotations.replace('\'', '"') + "}}";
    Pod pod = create(admin, executor(next(), "example.com/note: a", "1"));
    assertRefused(() -> found(pod).subresource("status").patch(MERGE, metadata), "annotation");
    for (String binding :
        List.of("/pods/" + pod.getMetadata().getName() + "/binding", "/bindings")) {
      assertRefused(() -> bind(pod, binding, annotations.replace('\'', '"')), "annotation");
    }
    assertThat(found(pod).get().getSpec().getNodeName()).isNull();
  }

  @Test
  void theSchedulerAndTheKubeletDoTheirWork() {
    for (String binding : List.of("/pods/%s/binding", "/bindings")) {
      Pod pod =
          create(admin, executor(next(), "numaspark.io/pin: p, numaspark.io/pin-slots: '2'", "3"));
      bind(pod, binding.formatted(pod.getMetadata().getName()), "{\"example.com/note\": \"a\"}");
      assertThat(found(pod).get().getSpec().getNodeName()).isEqualTo("pinned-node");
      found(pod).subresource("status").patch(MERGE, "{\"status\": {\"phase\": \"Running\"}}");
      assertThat(found(pod).get().getStatus().getPhase()).isEqualTo("Running");
      assertRefused(
          () ->
              found(pod)
                  .subresource("status")
                  .patch(MERGE, "{\"metadata\": {\"annotations\": {\"numaspark.io/pin\": null}}}"),
          "status");
    }
  }

  @Test
  void whatIsThereIsHeldToItOnlyWhenItChanges() {
    PodResource old = admin.pods().inNamespace(TEAM).withName("old");
    old.patch(MERGE, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
    old.subresource("status").patch(MERGE, "{\"status\": {\"phase\": \"Failed\"}}");
    assertRefused(
        () ->
            old.patch(
                MERGE, "{\"metadata\": {\"annotations\": {\"numaspark.io/pin-slots\": \"2\"}}}"),
        REQUEST);
    old.patch(MERGE, "{\"metadata\": {\"finalizers\": null}}");
    assertThat(old.get().getMetadata().getFinalizers()).isNullOrEmpty();
    old.patch(MERGE, "{\"metadata\": {\"annotations\": {\"numaspark.io/pin\": null}}}");
  }

  private static void bind(Pod pod, String path, String annotations) {
    admin.raw(
        "/api/v1/namespaces/" + TEAM + path,
        "POST",
        """
        {"apiVersion": "v1", "kind": "Binding",
         "metadata": {"name": "%s", "namespace": "%s", "annotations": %s},
         "target": {"kind": "Node", "name": "pinned-node"}}
        """
            .formatted(pod.getMetadata().getName(), TEAM, annotations));
  }

  private static PodResource found(Pod pod) {
    return admin
        .pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName());
  }

  private static Pod create(KubernetesClient client, Pod pod) {
    return client.resource(pod).create();
  }

  private static String next() {
    return "pod-" + NUMBER.incrementAndGet();
  }

  private static Pod pod(String namespace, String name, String daemonSet, String volume) {
    return Serialization.unmarshal(
        """
        kind: Pod
        apiVersion: v1
        metadata:
          name: %s
          namespace: %s
          ownerReferences: [%s]
        spec:
          automountServiceAccountToken: false
          containers: [{name: main, image: i}]
          volumes: [%s]
        """
            .formatted(
                name,
                namespace,
                daemonSet.isEmpty()
                    ? ""
                    : "{apiVersion: apps/v1, kind: DaemonSet, name: %s, uid: u, controller: true}"
                        .formatted(daemonSet),
                volume),
        Pod.class);
  }

  private static Pod executor(String name, String annotations, String slots) {
    String request = slots.isEmpty() ? "{}" : "{%s: '%s'}".formatted(REQUEST, slots);
    return Serialization.unmarshal(
        """
        kind: Pod
        apiVersion: v1
        metadata:
          name: %s
          namespace: %s
          annotations: {%s}
        spec:
          automountServiceAccountToken: false
          containers: [{name: spark-kubernetes-executor, image: i, resources: {requests: %s, limits: %s}}]
        """
            .formatted(name, TEAM, annotations, request, request),
        Pod.class);
  }

  private static void assertRefused(ThrowingCallable request, String part) {
    assertThatThrownBy(request)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("ValidatingAdmissionPolicy 'numa-agent-")
        .hasMessageContaining(part);
  }

  private static KubernetesClient as(String user) {
    Config config = ApiServer.config();
    config.setImpersonateUsername(user);
    config.setImpersonateGroups("system:serviceaccounts", "system:authenticated");
    return ApiServer.client(config);
  }

  private static List<GenericKubernetesResource> parts() {
    return TREE.objects().stream()
        .filter(object -> object.getKind().startsWith("ValidatingAdmissionPolicy"))
        .filter(object -> object.getMetadata().getName().matches("numa-agent-(nri|pins)"))
        .toList();
  }
}
