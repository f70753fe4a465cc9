package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.status.ForeignExecutors.Series;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.proof.AgentReports;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForeignExecutorsTest {
  private static final Machine MACHINE = Samples.machine(Samples.dualSocket("n"));
  private static final String READY = "[{type: Ready, status: 'True'}]";

  @Test
  void thoseWithSlotsAreCountedByWhetherTheyArePinned() {
    List<Pod> pods =
        List.of(
            pod("pinned-1", "slots.numaspark.io/dual: 1", "", "Running", READY),
            pod("pinned-2", "slots.numaspark.io/dual: 1", "", "Running", READY),
            pod("not", "slots.numaspark.io/dual: 1", "", "Running", READY),
            pod(
                "lost",
                "slots.numaspark.io/dual: 1",
                "",
                "Running",
                "[{type: Ready, status: 'False'}]"),
            pod("pending", "slots.numaspark.io/dual: 1", "", "Pending", "[]"),
            pod("without", "example.com/gpu: 1", "", "Running", READY));
    assertThat(count(pods, agents()))
        .isEqualTo(
            Map.of(
                new Series("team", "dual", "true"), 2,
                new Series("team", "dual", "false"), 1,
                new Series("team", "dual", "unknown"), 1));
  }

  @Test
  void beforeAgentsAreReadAndOnUnknownNodesNothingIsKnown() {
    List<Pod> pods =
        List.of(
            pod("pinned-1", "slots.numaspark.io/dual: 1", "", "Running", READY),
            pod("pinned-2", "slots.numaspark.io/other: 1", "", "Running", READY));
    assertThat(count(pods.subList(0, 1), AgentReports.notLoaded()))
        .isEqualTo(Map.of(new Series("team", "dual", "unknown"), 1));
    assertThat(count(pods.subList(1, 2), agents()))
        .isEqualTo(Map.of(new Series("team", "other", "unknown"), 1));
    assertThat(count(List.of(), agents())).isEmpty();
  }

  @Test
  void thoseThatWereLeftAreCountedByNamespace() {
    assertThat(
            ForeignExecutors.notInjected(
                List.of(
                    pod("a", "a: 1", "numaspark.io/not-injected: why", "Pending", "[]"),
                    pod("b", "a: 1", "numaspark.io/not-injected: why", "Running", "[]"),
                    pod("c", "a: 1", "numaspark.io/injection: done", "Running", "[]"))))
        .isEqualTo(Map.of("team", 2));
  }

  private static Map<Series, Integer> count(List<Pod> pods, AgentReports agents) {
    return ForeignExecutors.byPinning(
        pods,
        agents,
        (profile, node) ->
            Optional.of(MACHINE).filter(found -> profile.equals("dual") && node.equals("n")));
  }

  private static AgentReports agents() {
    String entry =
        "{namespace: team, pod: %s, container: spark-kubernetes-executor, podUid: %s, cpus: '%s', kernelCpus: '%s', memoryNodes: '0', kernelMemoryNodes: '0'}";
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            metadata: {name: n}
            status:
              heartbeat: "2026-01-01T12:00:00Z"
              conditions: [{type: PinningRead, status: "True"}]
              exclusive: [%s, %s]
            """
                .formatted(
                    entry.formatted("pinned-1", "pinned-1", "1,9", "1,9"),
                    entry.formatted("pinned-2", "pinned-2", "2,10", "2,10")),
            SparkNodeTopology.class);
    return AgentReports.of(
        node -> Optional.of(topology).filter(of -> node.equals("n")),
        Instant.parse("2026-01-01T12:01:00Z"));
  }

  static Pod pod(
      String name, String resource, String annotations, String phase, String conditions) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          uid: %s
          creationTimestamp: "2026-01-01T11:00:00Z"
          labels: {spark-role: executor, spark-app-selector: spark-1, spark-exec-id: "1"}
          annotations: {%s}
        spec:
          nodeName: n
          containers:
          - name: spark-kubernetes-executor
            resources: {requests: {cpu: 2, memory: 1Gi, %s}, limits: {cpu: 2, memory: 1Gi}}
        status:
          phase: %s
          conditions: %s
          containerStatuses:
          - {name: spark-kubernetes-executor, state: {running: {startedAt: "2026-01-01T11:00:00Z"}}}
        """
            .formatted(name, name, annotations, resource, phase, conditions),
        Pod.class);
  }
}
