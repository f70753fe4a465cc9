package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Authors of pods write what they like, and some of it passes the API server. */
  @ParameterizedTest
  @CsvSource({
    "'',                    0",
    "3,                     3",
    "1k,                    1000",
    "2147483647,            2147483647",
    "2147483648,            2147483647",
    "4294967297,            2147483647",
    "1e18,                  2147483647",
    "9223372036854775807,   2147483647",
    "999E,                  2147483647",
    "1e999999999,           2147483647",
    "1e-999999999,          1",
    "500m,                  1",
    "2500m,                 3",
    "-1,                    0",
    "-1e999999999,          0",
    "many,                  2147483647"
  })
  void anyNumberOfSlotsIsOneThatCanBeCounted(String asked, int counted) {
    Pod pod = pod(EXECUTOR);
    pod.getSpec().setInitContainers(List.of());
    pod.getSpec()
        .getContainers()
        .get(0)
        .getResources()
        .setRequests(Map.of("slots.numaspark.io/dual", quantity(asked)));
    assertThat(BoundPods.slotsRequested(pod, "slots.numaspark.io/dual")).isEqualTo(counted);
    pod.getSpec().setContainers(Collections.nCopies(3, pod.getSpec().getContainers().get(0)));
    assertThat(BoundPods.slotsRequested(pod, "slots.numaspark.io/dual"))
        .isEqualTo((int) Math.min(Integer.MAX_VALUE, 3L * counted));
  }

  private static Quantity quantity(String text) {
    Quantity quantity = new Quantity();
    String number = text.replaceAll("(?<=[0-9])[a-zA-Z]$", "");
    quantity.setAmount(number.isEmpty() ? "0" : number);
    quantity.setFormat(text.substring(number.length()));
    return quantity;
  }

  @Test
  void sidecarsRunBesideTheOthers() {
    Pod pod = pod(EXECUTOR);
    pod.getSpec().getInitContainers().get(0).setRestartPolicy("Always");
    assertThat(BoundPods.slotsRequested(pod, "slots.numaspark.io/dual")).isEqualTo(5);
  }

  @Test
  void whetherASchedulerBoundItIsKept() {
    Pod pod = pod(EXECUTOR);
    assertThat(BoundPods.wasScheduled(BoundPods.trimmed(pod))).isFalse();
    pod.getStatus()
        .setConditions(
            List.of(new PodConditionBuilder().withType("PodScheduled").withStatus("True").build()));
    assertThat(BoundPods.wasScheduled(BoundPods.trimmed(pod))).isTrue();
    pod.getStatus().getConditions().get(0).setStatus("False");
    assertThat(BoundPods.wasScheduled(BoundPods.trimmed(pod))).isFalse();
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
