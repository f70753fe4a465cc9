package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodAnswerTest {
  private static final String EXECUTOR =
      "spark-role: executor, numaspark.io/application: etl, spark-exec-id: \"1\"";

  @Test
  void aPinnedExecutorIsProven() {
    PodDocument answer =
        executor(
            "{id: \"1\", pod: e-1, node: a, phase: Running, pinned: \"True\", reason: Pinned, cpus: \"1-2,9-10\","
                + " numaNode: 0, memoryNodes: \"0\", toldBy: AgentAndExecutor, localMemoryPercent: 98}");
    assertThat(answer.text())
        .isEqualTo(
            """
            Executor 1 of team/etl is pinned
              Node: a
              Pinned by: the kubelet
              CPUs: 1-2,9-10
              NUMA node: 0
              Memory nodes: 0
              Memory on its own NUMA nodes, percent: 98
              Source of these facts: AgentAndExecutor
            """);
    assertThat(answer.pinned()).isEqualTo(Pinned.True);
  }

  @Test
  void oneThatIsNotPinnedSaysWhy() {
    PodDocument answer =
        executor(
            "{id: \"1\", pod: e-1, node: a, phase: Running, pinned: \"False\", reason: PodNotGuaranteed,"
                + " message: give the sidecar limits}");
    assertThat(answer.lines().get(0))
        .isEqualTo(
            "Executor 1 of team/etl is not pinned: PodNotGuaranteed, give the sidecar limits");
    assertThat(answer.reason()).isEqualTo("PodNotGuaranteed");
  }

  @Test
  void oneThatFailedSaysHow() {
    PodDocument answer =
        executor(
            "{id: \"1\", pod: e-1, node: a, phase: Rejected, pinned: Unknown, reason: TopologyAffinityError, message: refused}");
    assertThat(answer.lines().get(0))
        .isEqualTo("Executor 1 of team/etl is Rejected: TopologyAffinityError, refused");
  }

  @Test
  void oneThatTheStatusDoesNotListIsNotGuessed() {
    PodDocument answer = executor("{id: \"2\", pod: e-2, phase: Running}");
    assertThat(answer.reason()).isEqualTo("NotListed");
    assertThat(answer.pinned()).isEqualTo(Pinned.Unknown);
  }

  @Test
  void aDriverSaysHowItsApplicationIs() {
    PodDocument answer =
        PodAnswer.of(
            Seen.pod("d", "spark-role: driver, numaspark.io/application: etl", "1", "a"),
            Optional.of(
                Seen.application(
                    "etl",
                    "nodeProfile: dual",
                    "applicationState: {state: RUNNING}, conditions: [{type: Ready, status: \"True\", reason: Running, message: it runs}]")),
            Optional.empty(),
            Optional.empty(),
            Instant.EPOCH);
    assertThat(answer.text())
        .isEqualTo(
            """
            Driver of team/etl, which is RUNNING: it runs
              Drivers are not pinned; their executors are.
              Node: a
            """);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no node, shape from templates | nodeTemplates: [m6i]                | {usable: 0, matched: 0} | {cores: 2} | true
          only an unusable node         | nodeTemplates: [m6i]                | {usable: 0, matched: 1} | {cores: 2} | true
          a usable node                 | nodeTemplates: [m6i]                | {usable: 1, matched: 1} | {cores: 2} | false
          templates of no use           | nodeTemplates: [m6i]                | {usable: 0, matched: 0} | null       | false
          no template                   | tolerations: []                     | {usable: 0, matched: 0} | null       | false
          """)
  void oneThatWaitsForTheFirstNodeSaysSo(
      String name, String spec, String nodes, String shape, boolean said) {
    SparkNodeProfile profile =
        Seen.profile("dual", "status: {nodes: " + nodes + ", executor: " + shape + "}");
    SparkNodeProfileSpec fields = Serialization.unmarshal(spec, SparkNodeProfileSpec.class);
    profile.setSpec(fields);
    SparkApplication application =
        Seen.application(
            "etl",
            "nodeProfile: dual",
            "applicationState: {state: RUNNING}, executors: [{id: \"1\", pod: e-1, phase: Pending,"
                + " reason: NotRunning}]");
    String line =
        "Profile dual has no usable node yet: an autoscaler has to add one; kubectl describe of a pending executor"
            + " shows its event (docs/autoscaling.md)";
    assertThat(executor(application, Optional.of(profile)).lines().contains(line)).isEqualTo(said);
    assertThat(
            ClusterFindings.of(List.of(profile), List.of(application)).findings().stream()
                .filter(finding -> finding.reason().equals("NoNodeYet"))
                .map(finding -> finding.severity() + ": " + finding.message())
                .toList())
        .isEqualTo(
            said
                ? List.of(
                    "Info: 1 executor waits, such as e-1: profile dual has no usable node yet")
                : List.of());
  }

  private static PodDocument executor(
      SparkApplication application, Optional<SparkNodeProfile> profile) {
    return PodAnswer.of(
        Seen.pod("e-1", EXECUTOR, "4", "a"),
        Optional.of(application),
        profile,
        Optional.empty(),
        Instant.EPOCH);
  }

  private static PodDocument executor(String info) {
    SparkApplication application =
        Seen.application(
            "etl",
            "nodeProfile: dual",
            "applicationState: {state: RUNNING}, executors: [" + info + "]");
    return executor(application, Optional.empty());
  }
}
