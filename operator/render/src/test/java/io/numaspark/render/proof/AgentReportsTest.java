package io.numaspark.render.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.render.proof.AgentReports.NotLoaded;
import io.numaspark.render.proof.AgentReports.Reported;
import io.numaspark.render.proof.AgentReports.Unreported;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The executor's container c-1 of pod u-1 started at 12:00:00. */
class AgentReportsTest {
  private static final String MINE =
      "{namespace: ns, pod: exec-1, container: spark-kubernetes-executor, podUid: u-1, containerId: c-1, cpus: '1,9'}";
  private static final String COMPLETE = "[{type: PinningRead, status: 'True'}]";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          of this container           | 12:00:05 | {pod: exec-1, podUid: u-1, containerId: c-1} | true  | Reported
          without the kernel's ids    | 12:00:05 | {pod: exec-1}                                | true  | Reported
          nameless, by its id         | 12:00:05 | {containerId: c-1}                           | true  | Reported
          of an earlier pod           | 12:00:05 | {pod: exec-1, podUid: u-0}                   | true  | reports an earlier pod
          of an earlier container     | 12:00:05 | {pod: exec-1, podUid: u-1, containerId: c-0} | true  | reports an earlier pod
          from before it started      | 11:59:59 | {pod: exec-1, podUid: u-1}                   | true  | has not looked since
          other pods, long after      | 12:00:40 | {pod: exec-2}                                | true  | Found nothing
          other pods, just after      | 12:00:05 | {pod: exec-2}                                | true  | has not reported the executor yet
          other pods, not complete    | 12:00:40 | {pod: exec-2}                                | false | has not reported the executor yet
          same name elsewhere         | 12:00:40 | {pod: exec-1, namespace: other}              | true  | Found nothing
          its sidecar                 | 12:00:40 | {pod: exec-1, container: proxy}              | true  | Found nothing
          silent                      | 11:49:00 | {pod: exec-1, podUid: u-1}                   | true  | is silent
          """)
  void whatIsBelieved(String what, String heard, String entry, boolean complete, String expected) {
    String named =
        entry.contains("pod:")
            ? entry.replace(
                "{",
                (entry.contains("namespace:") ? "{" : "{namespace: ns, ")
                    + (entry.contains("container:")
                        ? ""
                        : "container: spark-kubernetes-executor, "))
            : entry;
    AgentReports reports = reports(heard, "[" + named + "]", complete ? COMPLETE : "[]");
    String found =
        reports.of(pod("u-1")) instanceof Reported told
            ? told.container().isPresent() ? "Reported" : "Found nothing"
            : ((Unreported) reports.of(pod("u-1"))).why();
    assertThat(found).contains(expected);
    assertThat(reports.cover(List.of(pod("u-1"))))
        .isEqualTo(reports.of(pod("u-1")) instanceof Reported);
  }

  @Test
  void othersAreThoseOnTheSameNode() {
    AgentReports reports =
        reports("12:00:05", "[" + MINE + ", {namespace: kube, pod: db, cpus: '2'}]", COMPLETE);
    Reported told = (Reported) reports.of(pod("u-1"));
    assertThat(told.container()).map(ExclusiveContainer::cpus).contains("1,9");
    assertThat(told.others()).extracting(ExclusiveContainer::pod).containsExactly("db");
    assertThat(told.until()).isEqualTo("2026-01-01T12:10:05Z");
    assertThat(reports.until(List.of(pod("u-1"), pod("u-2")))).contains(told.until());
  }

  /** The agent cannot know that both are one container. */
  @Test
  void whatIsGivenByNameIsJoinedWithTheContainerOfThatId() {
    String entries =
        """
        [{namespace: ns, pod: exec-1, container: spark-kubernetes-executor, cpus: '1,9', memoryNodes: '0'},
         {podUid: u-1, containerId: c-1, kernelCpus: '0,8', kernelMemoryNodes: '0', localMemoryPercent: 3},
         {podUid: u-2, containerId: c-2, kernelCpus: '2,10'}]""";
    Reported told = (Reported) reports("12:00:40", entries, COMPLETE).of(pod("u-1"));
    assertThat(told.container())
        .hasValueSatisfying(
            container -> {
              assertThat(container.cpus()).isEqualTo("1,9");
              assertThat(container.kernelCpus()).isEqualTo("0,8");
              assertThat(container.kernelMemoryNodes()).isEqualTo("0");
              assertThat(container.localMemoryPercent()).isNull();
            });
    assertThat(told.others()).extracting(ExclusiveContainer::podUid).containsExactly("u-2");
    assertThat(told.settled()).isTrue();
  }

  @Test
  void withoutAnAgentNothingIsTold() {
    AgentReports none = AgentReports.of(node -> Optional.empty(), Instant.EPOCH);
    assertThat(none.of(pod("u-1"))).isEqualTo(new Unreported("the agent of node n is missing"));
    assertThat(none.until(List.of(pod("u-1")))).isEmpty();
  }

  @Test
  void beforeTopologiesAreReadNothingIsSaid() {
    assertThat(AgentReports.notLoaded().of(pod("u-1"))).isEqualTo(new NotLoaded());
    assertThat(AgentReports.notLoaded().isLoaded()).isFalse();
  }

  private static AgentReports reports(String heard, String exclusive, String conditions) {
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            metadata: {name: n}
            status:
              heartbeat: "2026-01-01T%sZ"
              exclusive: %s
              conditions: %s
            """
                .formatted(heard, exclusive, conditions),
            SparkNodeTopology.class);
    return AgentReports.of(
        node -> Optional.of(topology).filter(found -> node.equals("n")),
        Instant.parse("2026-01-01T12:01:00Z"));
  }

  private static Pod pod(String uid) {
    return Serialization.unmarshal(
        """
        kind: Pod
        metadata: {name: exec-1, namespace: ns, uid: %s}
        spec: {nodeName: n}
        status:
          phase: Running
          containerStatuses:
          - {name: proxy, containerID: "containerd://c-9"}
          - name: spark-kubernetes-executor
            containerID: containerd://c-1
            state: {running: {startedAt: "2026-01-01T12:00:00Z"}}
        """
            .formatted(uid),
        Pod.class);
  }
}
