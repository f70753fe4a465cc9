package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KueueStateTest {
  private static final String TIME = "2026-11-26T20:00:00Z";

  @Test
  void anEvictedWorkloadLosesItsReservationAndIsQueuedAsKueueWould() {
    GenericKubernetesResource workload = evicted("Preempted");
    assertThat(KueueState.of(workload))
        .isEqualTo(new KueueState(true, true, true, false, "make room"));
    assertThat(KueueState.of(workload).isToBeLeft()).isTrue();
    Map<String, Object> left = KueueState.left(workload, TIME);
    workload.setAdditionalProperty("status", left);
    assertThat(left).doesNotContainKey("admission").containsKey("requeueState");
    assertThat(KueueState.of(workload))
        .isEqualTo(new KueueState(false, false, true, false, "make room"));
    assertThat(KueueState.of(workload).isToBeLeft()).isFalse();
    assertThat(KueueState.left(workload, "2027-01-01T00:00:00Z"))
        .as("nothing changes a second time")
        .isEqualTo(left);
  }

  @ParameterizedTest
  @CsvSource({
    "Preempted, True",
    "NodeFailures, True",
    "PodsReadyTimeout, False",
    "Deactivated, False"
  })
  void afterSomeEvictionsItWaitsFirst(String reason, String requeued) {
    GenericKubernetesResource workload = evicted(reason);
    assertThat(conditions(KueueState.left(workload, TIME)))
        .filteredOn(condition -> condition.get("type").equals("Requeued"))
        .singleElement()
        .isEqualTo(
            Map.of(
                "type", "Requeued",
                "status", requeued,
                "reason", reason,
                "message", "make room",
                "lastTransitionTime", TIME));
  }

  @Test
  void whatHasEndedIsFinishedAndKeepsTheRest() {
    GenericKubernetesResource workload = evicted("Preempted");
    workload.setAdditionalProperty("status", KueueState.finished(workload, false, TIME));
    assertThat(KueueState.of(workload).finished()).isTrue();
    assertThat(workload.<String>get("status", "admission", "clusterQueue")).isEqualTo("sparks");
    assertThat(conditions(workload.get("status"))).hasSize(4);
  }

  /** Whoever writes there, nothing breaks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "status: 1",
        "status: {conditions: none}",
        "status: {conditions: [1, [], {type: 7, status: True}, {status: \"True\"}]}",
        "status: {conditions: [{type: QuotaReserved, status: \"False\", message: {a: 1}}]}",
        "spec: {}"
      })
  void anythingElseIsNoState(String yaml) {
    GenericKubernetesResource workload = workload(yaml);
    assertThat(KueueState.of(workload)).isEqualTo(new KueueState(false, false, false, false, ""));
    workload.setAdditionalProperty("status", KueueState.finished(workload, true, TIME));
    assertThat(KueueState.of(workload).finished()).isTrue();
  }

  private static GenericKubernetesResource evicted(String reason) {
    return workload(
        """
        status:
          admission: {clusterQueue: sparks}
          requeueState: {count: 1}
          conditions:
            - {type: QuotaReserved, status: "True", reason: r, message: m}
            - {type: Admitted, status: "True", reason: r, message: m}
            - {type: Evicted, status: "True", reason: %s, message: make room}
        """
            .formatted(reason));
  }

  private static GenericKubernetesResource workload(String yaml) {
    return Serialization.unmarshal(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: x}\n" + yaml,
        GenericKubernetesResource.class);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> conditions(Map<String, Object> status) {
    return (List<Map<String, Object>>) status.get("conditions");
  }
}
