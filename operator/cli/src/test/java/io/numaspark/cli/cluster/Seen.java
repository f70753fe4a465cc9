package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;

/** Objects as the API server gives them out. */
final class Seen {
  private Seen() {}

  static SparkApplication application(String name, String spec, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkApplication
        metadata: {namespace: team, name: %s, creationTimestamp: "2026-01-01T10:00:00Z"}
        spec: {%s}
        status: {%s}
        """
            .formatted(name, spec, status),
        SparkApplication.class);
  }

  static SparkNodeProfile profile(String name, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeProfile
        metadata: {name: %s}
        spec:
          nodeSelector: {matchLabels: {pool: spark}}
          executor: {coresPerExecutor: {min: 2, max: 2}}
        %s
        """
            .formatted(name, status),
        SparkNodeProfile.class);
  }

  /** 2 sockets of 4 cores with 2 threads, siblings 8 apart; core 0 is reserved. */
  static SparkNodeTopology topology(String node, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeTopology
        metadata: {name: %s}
        spec:
          numaNodes:
          - {id: 0, socket: 0, memory: 17179869184, cores: ["0,8", "1,9", "2,10", "3,11"]}
          - {id: 1, socket: 1, memory: 17179869184, cores: ["4,12", "5,13", "6,14", "7,15"]}
          kubelet:
            cpuManagerPolicy: static
            cpuManagerPolicyOptions: {full-pcpus-only: "true"}
            topologyManagerPolicy: single-numa-node
            topologyManagerScope: pod
            memoryManagerPolicy: Static
            reservedCpus: "0,8"
            reservedMemory: {"0": 1073741824}
        %s
        """
            .formatted(node, status),
        SparkNodeTopology.class);
  }

  static Pod pod(String name, String labels, String cpu, String node) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {namespace: team, name: %s, labels: {%s}}
        spec:
          nodeName: %s
          containers:
          - name: main
            resources: {requests: {cpu: "%s", memory: 1Gi}, limits: {cpu: "%s", memory: 1Gi}}
        status:
          phase: Running
        """
            .formatted(name, labels, node, cpu, cpu),
        Pod.class);
  }
}
