package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.render.scheduling.KueueWorkload;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Applications that wait for quota of Kueue.
 *
 * <p>Its kind is a stand-in that takes any field, and the test writes what Kueue says: {@code
 * KueueItselfIT} runs Kueue.
 */
class KueueIT extends OperatorAgainstApiServer {
  private static final Map<String, String> SETTINGS = Map.of("NUMASPARK_KUEUE", "true");
  private static final String SPEC =
      "timeToLiveSeconds: 3600\nexecutor: {instances: 2, cores: 1, memory: 1g}\n";

  private static final String WORKLOADS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: workloads.kueue.x-k8s.io
        annotations: {api-approved.kubernetes.io: unapproved}
      spec:
        group: kueue.x-k8s.io
        names: {kind: Workload, listKind: WorkloadList, plural: workloads, singular: workload}
        scope: Namespaced
        versions:
          - name: v1beta2
            served: true
            storage: true
            subresources: {status: {}}
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private CustomResourceDefinition crd;

  @BeforeEach
  void kueueIsInstalled() {
    crd =
        client
            .resource(Serialization.unmarshal(WORKLOADS, CustomResourceDefinition.class))
            .create();
    client
        .resource(crd)
        .waitUntilCondition(
            found ->
                found != null
                    && found.getStatus() != null
                    && found.getStatus().getConditions().stream()
                        .anyMatch(
                            condition ->
                                condition.getType().equals("Established")
                                    && condition.getStatus().equals("True")),
            30,
            TimeUnit.SECONDS);
  }

  @AfterEach
  void kueueIsGone() {
    stop();
    client.resource(crd).delete();
    eventually(() -> assertThat(client.resource(crd).get()).isNull());
  }

  @Test
  void anApplicationStartsWhenItsWorkloadIsAdmitted() {
    start(SETTINGS);
    create(queued("etl", SPEC));
    eventually(() -> assertWaits("etl", "WaitingForKueue"));
    eventually(() -> assertThat(workload("etl")).isNotNull());
    stays(() -> assertWaits("etl", "WaitingForKueue"));
    assertThat(drivers()).isEmpty();
    GenericKubernetesResource workload = workload("etl");
    assertThat(workload.<String>get("spec", "queueName")).isEqualTo("team");
    assertThat(workload.<List<Map<String, Object>>>get("spec", "podSets"))
        .extracting(set -> set.get("name") + " " + set.get("count"))
        .containsExactly("driver 1", "executor 2");
    assertThat(
            workload.<String>get(
                "spec",
                "podSets",
                1,
                "template",
                "spec",
                "containers",
                0,
                "resources",
                "requests",
                "cpu"))
        .isEqualTo("1");

    says("etl", "QuotaReserved=False", "no quota is free");
    eventually(
        () ->
            assertThat(condition(status("etl").conditions(), "Ready").getMessage())
                .isEqualTo(
                    "Workload etl-kueue is not admitted in LocalQueue team: no quota is free"));
    says("etl", "QuotaReserved=True Admitted=True", "admitted");
    eventually(() -> assertThat(drivers()).hasSize(1));
    eventually(() -> assertThat(status("etl").applicationState().waitingSince()).isNull());
  }

  @Test
  void anEvictedApplicationStopsGivesItsQuotaBackAndQueuesAgain() {
    start(SETTINGS);
    create(queued("etl", SPEC));
    eventually(() -> assertThat(workload("etl")).isNotNull());
    says("etl", "QuotaReserved=True Admitted=True", "admitted");
    eventually(() -> assertThat(drivers()).hasSize(1));
    says("etl", "QuotaReserved=True Admitted=True Evicted=True", "somebody else has priority");
    eventually(() -> assertThat(drivers()).isEmpty());
    eventually(() -> assertThat(said("etl", "QuotaReserved")).isEqualTo("False"));
    assertThat(said("etl", "Admitted")).isEqualTo("False");
    assertThat(said("etl", "Requeued")).isEqualTo("True");
    eventually(() -> assertWaits("etl", "WaitingForKueue"));
    says("etl", "QuotaReserved=True Admitted=True Evicted=False", "admitted");
    eventually(() -> assertThat(drivers()).hasSize(1));
  }

  @Test
  void anApplicationThatHasEndedOrIsSuspendedHasNoQuota() {
    start(SETTINGS);
    create(queued("ends", SPEC));
    create(queued("stops", SPEC));
    for (String name : List.of("ends", "stops")) {
      eventually(() -> assertThat(workload(name)).isNotNull());
      says(name, "QuotaReserved=True Admitted=True", "admitted");
      eventually(() -> assertThat(state(name)).isEqualTo(State.SUBMITTED));
    }
    eventually(() -> assertThat(drivers()).hasSize(2));
    // Also without its label, the Workload is known.
    change("ends", "{\"metadata\": {\"labels\": null}}");
    patchDriver("ends", driver -> driver.getStatus().setPhase("Succeeded"));
    eventually(() -> assertThat(state("ends")).isEqualTo(State.COMPLETED));
    eventually(() -> assertThat(said("ends", "Finished")).isEqualTo("True"));

    change("stops", "{\"spec\": {\"suspend\": true}}");
    eventually(() -> assertThat(state("stops")).isEqualTo(State.SUSPENDED));
    eventually(() -> assertThat(workload("stops")).isNull());
    change("stops", "{\"spec\": {\"suspend\": false}}");
    eventually(() -> assertWaits("stops", "WaitingForKueue"));
    eventually(() -> assertThat(workload("stops")).isNotNull());
  }

  @Test
  void otherPodsAndAnotherRunAreAnotherWorkload() {
    start(SETTINGS);
    create(queued("etl", SPEC));
    eventually(() -> assertThat(workload("etl")).isNotNull());
    String first = workload("etl").getMetadata().getUid();
    change("etl", "{\"spec\": {\"executor\": {\"instances\": 3}}}");
    eventually(
        () -> {
          GenericKubernetesResource workload = workload("etl");
          assertThat(workload).isNotNull();
          assertThat(workload.getMetadata().getUid()).isNotEqualTo(first);
        });
    assertThat(workload("etl").<Integer>get("spec", "podSets", 1, "count")).isEqualTo(3);
  }

  @Test
  void whatCannotQueueSaysWhy() {
    start(SETTINGS);
    create(queued("endless", SPEC + "dynamicAllocation: {enabled: true}\n"));
    eventually(() -> assertWaits("endless", "KueueNeedsMaximum"));
    assertThat(condition(status("endless").conditions(), "Ready").getMessage())
        .startsWith("spec.dynamicAllocation.maxExecutors: missing");
    // Somebody else's Workload of that name is left alone.
    client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: %s
                kind: Workload
                metadata: {name: taken-kueue, namespace: %s, labels: {app.kubernetes.io/managed-by: numaspark}}
                status: {conditions: [{type: Admitted, status: "True"}]}
                """
                    .formatted(KueueWorkload.API_VERSION, namespace),
                GenericKubernetesResource.class))
        .create();
    create(queued("taken", SPEC));
    eventually(() -> assertWaits("taken", "WaitingForKueue"));
    stays(() -> assertWaits("taken", "WaitingForKueue"));
    assertThat(condition(status("taken").conditions(), "Ready").getMessage())
        .contains("is not of this application");
  }

  @Test
  void withoutTheLabelOrTheSettingNobodyQueues() {
    start(SETTINGS);
    create(application("plain", SPEC));
    eventually(() -> assertThat(drivers()).hasSize(1));
    stop();
    start();
    create(queued("other", SPEC));
    eventually(() -> assertThat(drivers()).hasSize(2));
    assertThat(workload("other")).isNull();
  }

  private SparkApplication queued(String name, String spec) {
    SparkApplication application = application(name, spec);
    application.getMetadata().setLabels(Map.of(KueueWorkload.QUEUE, "team"));
    return application;
  }

  private void change(String name, String patch) {
    client
        .resources(SparkApplication.class)
        .inNamespace(namespace)
        .withName(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private List<Pod> drivers() {
    return client.pods().inNamespace(namespace).withLabel("spark-role", "driver").list().getItems();
  }

  private GenericKubernetesResource workload(String application) {
    return client
        .genericKubernetesResources(KueueWorkload.API_VERSION, KueueWorkload.KIND)
        .inNamespace(namespace)
        .withName(KueueWorkload.name(application))
        .get();
  }

  private String said(String application, String type) {
    List<Map<String, String>> conditions = workload(application).get("status", "conditions");
    return conditions.stream()
        .filter(condition -> condition.get("type").equals(type))
        .map(condition -> condition.get("status"))
        .findFirst()
        .orElse("");
  }

  /** What Kueue would write; the reason of each condition is Preempted. */
  private void says(String application, String conditions, String message) {
    List<Map<String, String>> written =
        Arrays.stream(conditions.split(" "))
            .map(text -> text.split("="))
            .map(
                condition ->
                    Map.of(
                        "type",
                        condition[0],
                        "status",
                        condition[1],
                        "reason",
                        "Preempted",
                        "message",
                        message,
                        "lastTransitionTime",
                        "2026-11-26T20:00:00Z"))
            .toList();
    client
        .genericKubernetesResources(KueueWorkload.API_VERSION, KueueWorkload.KIND)
        .inNamespace(namespace)
        .withName(KueueWorkload.name(application))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            Serialization.asJson(Map.of("status", Map.of("conditions", written))));
  }
}
