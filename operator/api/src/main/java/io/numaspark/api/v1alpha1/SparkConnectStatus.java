package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;

/** What became of a server, with the field names of kubeflow's SparkConnect where it has them. */
public record SparkConnectStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Whether the server accepts sessions, and why not.") State state,
    @JsonPropertyDescription("The server and how it is reached.") ServerInfo server,
    @JsonPropertyDescription("Executors by phase (pending, running, failed) of the current server.")
        Map<String, Integer> executors,
    @JsonPropertyDescription("Executors proven to be pinned.") Integer pinnedExecutors,
    @JsonPropertyDescription("When a server of it accepted sessions for the first time.")
        String startTime,
    @JsonPropertyDescription("When this status changed last.") String lastUpdateTime,
    @JsonPropertyDescription(
            "Ready: the server accepts sessions. Reconciling: it is not Ready, and the operator continues by itself. Stalled: it"
                + " is not Ready, and somebody has to change something.")
        List<Condition> conditions) {

  /** States of a server. */
  public enum State {
    /** It starts, or waits for its profile, for slots or for a node. */
    Provisioning,
    /** It accepts sessions. */
    Ready,
    /** It has accepted sessions, and does not now. */
    NotReady,
    /** Stopped by spec.suspend. */
    Suspended,
    /** Somebody has to change something. */
    Failed
  }

  /** The server and how it is reached. */
  public record ServerInfo(
      @JsonPropertyDescription("Name of the server's pod.") String podName,
      @JsonPropertyDescription("Address of the pod.") String podIp,
      @JsonPropertyDescription("Service in front of it.") String serviceName,
      @JsonPropertyDescription("Where clients in the cluster connect to.") String endpoint,
      @JsonPropertyDescription("Spark's id of the server (spark.app.id).")
          String sparkApplicationId,
      @JsonPropertyDescription(
              "Servers that took the place of another one, for whatever reason. Each time all sessions were lost.")
          Integer restarts,
      @JsonPropertyDescription("When the current server's pod started.") String startedAt) {}
}
