package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read of a pod, and what is not. */
class TrimmedPodsTest {
  private static final String POD =
      """
      {
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
          "name": "pi-driver-exec-1", "namespace": "default", "uid": "u1", "resourceVersion": "7", "generation": 1,
          "generateName": "pi-", "creationTimestamp": "2026-11-21T07:00:00Z",
          "deletionTimestamp": "2026-11-21T08:00:00Z", "deletionGracePeriodSeconds": 30,
          "labels": {"spark-role": "executor", "team": "a"}, "annotations": {"who": "me", "numaspark.io/not-injected": "set\\nspark.executor.memory"},
          "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "pi-driver", "uid": "u0"}],
          "managedFields": [{"manager": "java", "operation": "Update", "fieldsV1": {"f:spec": {"f:containers": {}}}}]
        },
        "spec": {
          "nodeName": "node-1", "serviceAccountName": "spark", "restartPolicy": "Never",
          "containers": [{
            "name": "spark-kubernetes-executor", "image": "spark:4", "args": ["executor"],
            "env": [{"name": "SPARK_USER", "value": "spark"}],
            "resources": {"limits": {"memory": "896Mi"}, "requests": {"cpu": "1"}},
            "volumeMounts": [{"name": "work", "mountPath": "/work"}]
          }],
          "tolerations": [{"key": "dedicated"}],
          "volumes": [{"name": "work", "emptyDir": {}}]
        },
        "status": {
          "phase": "Running", "podIP": "10.1.2.3", "qosClass": "Burstable",
          "conditions": [{"type": "Ready", "status": "True"}],
          "containerStatuses": [{"name": "spark-kubernetes-executor", "containerID": "containerd://c-1", "state": {"running": {}}, "ready": true}],
          "hostIP": "10.0.0.1"
        }
      }
      """;

  private final KubernetesSerialization trimmed = TrimmedPods.serialization();

  @Test
  void dropsOnlyWhatNobodyReads() {
    Pod whole = new KubernetesSerialization().unmarshal(POD, Pod.class);
    Pod expected =
        new PodBuilder(whole)
            .editMetadata()
            .withManagedFields()
            .withAnnotations(Map.of("numaspark.io/not-injected", "set spark.executor.memory"))
            .withLabels(Map.of("spark-role", "executor"))
            .withGeneration(null)
            .withGenerateName(null)
            .withDeletionGracePeriodSeconds(null)
            .endMetadata()
            .editSpec()
            .withRestartPolicy(null)
            .withTolerations()
            .withVolumes()
            .editFirstContainer()
            .withArgs()
            .withEnv()
            .withVolumeMounts()
            .endContainer()
            .endSpec()
            .editStatus()
            .withHostIP(null)
            .editFirstContainerStatus()
            .withReady(null)
            .endContainerStatus()
            .endStatus()
            .build();

    assertThat(trimmed.unmarshal(POD, Pod.class)).isEqualTo(expected).isNotEqualTo(whole);
  }

  /** Anybody may write an annotation of 256 KiB. */
  @Test
  void annotationsAreBounded() {
    Pod pod = trimmed.unmarshal(POD.replace("set\\n", "x".repeat(200_000)), Pod.class);
    assertThat(pod.getMetadata().getAnnotations().get("numaspark.io/not-injected"))
        .hasSize(1024)
        .endsWith("…");
  }

  @Test
  void trimsThePodsOfAListAndOfAWatch() {
    Pod pod = trimmed.unmarshal(POD, Pod.class);

    assertThat(trimmed.unmarshal(event("MODIFIED", POD), WatchEvent.class).getObject())
        .isEqualTo(pod);
    assertThat(
            trimmed
                .unmarshal(
                    "{\"apiVersion\": \"v1\", \"kind\": \"PodList\", \"items\": [" + POD + "]}",
                    PodList.class)
                .getItems())
        .isEqualTo(List.of(pod));
  }

  @Test
  void slotsAreCountedFromItAsFromTheWholePod() {
    String guaranteed =
        """
        {
          "apiVersion": "v1", "kind": "Pod",
          "metadata": {"name": "db", "namespace": "other", "uid": "u2", "labels": {"app": "db"}},
          "spec": {
            "nodeName": "node-1",
            "resources": {"requests": {"cpu": "3"}, "limits": {"cpu": "3"}},
            "initContainers": [
              {"name": "proxy", "restartPolicy": "Always", "command": ["x"],
               "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1"}}}],
            "containers": [
              {"name": "db", "command": ["y"],
               "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}}]
          },
          "status": {"phase": "Running", "qosClass": "Guaranteed"}
        }
        """;
    Pod whole = new KubernetesSerialization().unmarshal(guaranteed, Pod.class);

    assertThat(BoundPods.trimmed(trimmed.unmarshal(guaranteed, Pod.class)))
        .isEqualTo(BoundPods.trimmed(whole));
    assertThat(BoundPods.trimmed(whole).getSpec().getInitContainers()).hasSize(1);
  }

  @Test
  void readsThatAWatchHasExpired() {
    String expired =
        "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"code\": 410, \"reason\": \"Expired\"}";

    assertThat(trimmed.unmarshal(event("ERROR", expired), WatchEvent.class).getObject())
        .isInstanceOfSatisfying(
            Status.class, status -> assertThat(status.getCode()).isEqualTo(410));
  }

  private static String event(String type, String object) {
    return "{\"type\": \"%s\", \"object\": %s}".formatted(type, object);
  }
}
