package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSilenceTest {
  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "Running, Ready,            False, '',                     true",
    "Running, Ready,            False, ContainersNotReady,     false",
    "Running, DisruptionTarget, True,  DeletionByTaintManager, false",
    "Failed,  DisruptionTarget, True,  DeletionByPodGC,        true",
    "Failed,  DisruptionTarget, True,  EvictionByEvictionAPI,  false",
    "Failed,  Ready,            False, '',                     false"
  })
  void aSilentNodeIsToldFromAnAnsweringOne(
      String phase, String type, String status, String reason, boolean silent) {
    Pod pod =
        new PodBuilder()
            .withNewStatus()
            .withPhase(phase)
            .addNewCondition()
            .withType(type)
            .withStatus(status)
            .withReason(reason)
            .endCondition()
            .endStatus()
            .build();
    assertThat(NodeSilence.hides(pod)).isEqualTo(silent);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      nullValues = "-",
      value = {
        "its node is silent and it is deleted, -,                  2026-11-25T20:17:27Z, 2026-11-25T20:17:27Z",
        "its node is silent,                   -,                  -,                    -",
        "it is deleted and its kubelet answers, ContainersNotReady, 2026-11-25T20:17:27Z, -",
        "a time that cannot be read,           -,                  soon,                 -"
      })
  void aPodIsAbandonedOnlyIfItShallEndAndNobodyEndsIt(
      String what, String notReadyBecause, String deleted, String expected) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("exec-1")
            .withDeletionTimestamp(deleted)
            .endMetadata()
            .withNewStatus()
            .withPhase("Running")
            .addNewCondition()
            .withType("Ready")
            .withStatus("False")
            .withReason(notReadyBecause)
            .endCondition()
            .endStatus()
            .build();
    assertThat(NodeSilence.abandonedFrom(pod).map(Object::toString).orElse(null))
        .isEqualTo(expected);
  }
}
