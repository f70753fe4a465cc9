package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class BoundPodsTest {
  private static final String EXECUTOR =
      """
      metadata:
        name: e-1
        labels: {spark-role: executor, spark-app-selector: spark-1, team: data}
        annotations: {note: long}
      spec:
        nodeName: n-1
        initContainers:
        - name: first
          resources: {requests: {slots.numaspark.io/dual: "3"}}
        containers:
        - name: main
          image: i
          env: [{name: A, value: b}]
          resources:
            requests: {cpu: "4", memory: 1Gi, slots.numaspark.io/dual: "2"}
            limits: {cpu: "4", memory: 1Gi, slots.numaspark.io/dual: "2"}
      status: {phase: Running, qosClass: Guaranteed, podIP: 10.0.0.1}
      """;

  @Test
  void onlyWhatSlotsDependOnIsKept() {
    Pod trimmed = BoundPods.trimmed(pod(EXECUTOR));
    assertThat(trimmed.getMetadata().getLabels())
        .containsOnlyKeys("spark-role", "spark-app-selector");
    assertThat(trimmed.getMetadata().getAnnotations()).isNullOrEmpty();
    assertThat(trimmed.getSpec().getContainers())
        .singleElement()
        .satisfies(
            container -> {
              assertThat(container.getImage()).isNull();
              assertThat(container.getEnv()).isNullOrEmpty();
              assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
            });
    assertThat(trimmed.getStatus().getPodIP()).isNull();
    assertThat(BoundPods.concernsSlots(trimmed)).isTrue();
    assertThat(BoundPods.trimmed(trimmed)).isEqualTo(trimmed);
  }

  @Test
  void initContainersRunBeforeTheOthers() {
    assertThat(BoundPods.slotsRequested(pod(EXECUTOR), "slots.numaspark.io/dual")).isEqualTo(3);
    assertThat(BoundPods.slotsRequested(pod(EXECUTOR), "slots.numaspark.io/other")).isZero();
  }

  @Test
  void ofABurstablePodOnlyItsNameIsKept() {
    Pod burstable =
        pod(
            """
            metadata: {name: b-1, namespace: default}
            spec: {nodeName: n-1, containers: [{name: main, resources: {requests: {cpu: "4"}}}]}
            status: {phase: Running, qosClass: Burstable}
            """);
    assertThat(BoundPods.concernsSlots(burstable)).isFalse();
    Pod trimmed = BoundPods.trimmed(burstable);
    assertThat(trimmed.getSpec().getContainers()).isEmpty();
    assertThat(BoundPods.concernsSlots(trimmed)).isFalse();
  }

  private static Pod pod(String yaml) {
    return Serialization.unmarshal("apiVersion: v1\nkind: Pod\n" + yaml, Pod.class);
  }
}
