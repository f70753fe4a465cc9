package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.render.proof.SlotRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForeignExecutorPodsTest {
  @Test
  void ofOneWithASlotWhatItsProofNeedsIsKept() {
    Pod pod =
        ForeignExecutorPods.trimmed(pod("slots.numaspark.io/dual", "{numaspark.io/pin: dual}"));
    assertThat(SlotRequest.of(pod)).map(SlotRequest::profile).contains("dual");
    assertThat(pod.getSpec().getNodeName()).isEqualTo("n");
    assertThat(pod.getSpec().getContainers().get(0).getImage()).isNull();
    assertThat(pod.getSpec().getContainers().get(1).getName()).isEqualTo("proxy");
    assertThat(pod.getStatus().getContainerStatuses()).hasSize(1);
    assertThat(pod.getMetadata().getUid()).isEqualTo("u");
    assertThat(pod.getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T11:00:00Z");
    assertThat(pod.getMetadata().getAnnotations()).isEqualTo(Map.of("numaspark.io/pin", "dual"));
    assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("spark-app-selector", "spark-1"));
  }

  @Test
  void ofAllOthersTheirNamesAndNotesAreKept() {
    Pod pod =
        ForeignExecutorPods.trimmed(
            pod("example.com/gpu", "{numaspark.io/not-injected: why, other: x}"));
    assertThat(pod.getSpec()).isNull();
    assertThat(pod.getStatus()).isNull();
    assertThat(pod.getMetadata().getAnnotations())
        .isEqualTo(Map.of("numaspark.io/not-injected", "why"));
  }

  @Test
  void onlyNotesAreNews() {
    Pod one = pod("example.com/gpu", "{a: x}");
    assertThat(ForeignExecutorPods.notesDiffer(one, pod("example.com/gpu", "{a: y}"))).isFalse();
    assertThat(
            ForeignExecutorPods.notesDiffer(
                one, pod("example.com/gpu", "{numaspark.io/not-injected: why}")))
        .isTrue();
    Pod other = pod("example.com/gpu", "{a: x}");
    other.getMetadata().setUid("another");
    assertThat(ForeignExecutorPods.notesDiffer(one, other)).isTrue();
  }

  private static Pod pod(String resource, String annotations) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: e
          namespace: ns
          uid: u
          creationTimestamp: "2026-01-01T11:00:00Z"
          labels: {spark-role: executor, spark-app-selector: spark-1, team: a}
          annotations: %s
        spec:
          nodeName: n
          containers:
          - {name: spark, image: i, resources: {requests: {cpu: 2, %s: 1}}}
          - {name: proxy, image: i}
        status: {phase: Running, containerStatuses: [{name: spark}]}
        """
            .formatted(annotations, resource),
        Pod.class);
  }
}
