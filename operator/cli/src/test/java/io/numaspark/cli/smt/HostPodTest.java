package io.numaspark.cli.smt;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.cli.smt.HostPod.Work;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPodTest {
  private static final String LONG = "a-very-long-name-of-a-node.with.many.parts." + "x".repeat(60);

  private static Pod pod(String status) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nstatus: " + status, Pod.class);
  }

  @Test
  void aNamespaceOfEachNodeHasAValidName() {
    assertThat(HostPod.namespace(LONG)).matches("numaspark-smt-[0-9a-f]{10}");
    assertThat(HostPod.namespace("a")).isNotEqualTo(HostPod.namespace("b"));
    assertThat(HostPod.namespaceOf("a").getMetadata().getLabels())
        .containsEntry("pod-security.kubernetes.io/enforce", "privileged");
  }

  /** It is bound to the node whatever taints that has, and has no token. */
  @Test
  void thePodIsAsItHasToBe() {
    Pod pod =
        HostPod.of("numa-0", Work.SWITCH, SmtTarget.OFF, new AgentImage("image:1", "IfNotPresent"));
    var spec = pod.getSpec();
    assertThat(spec.getNodeName()).isEqualTo("numa-0");
    assertThat(spec.getTolerations())
        .singleElement()
        .satisfies(
            toleration -> {
              assertThat(toleration.getOperator()).isEqualTo("Exists");
              assertThat(toleration.getKey()).isNull();
              assertThat(toleration.getEffect()).isNull();
            });
    assertThat(spec.getAutomountServiceAccountToken()).isFalse();
    assertThat(spec.getRestartPolicy()).isEqualTo("Never");
    assertThat(spec.getContainers().get(0).getCommand())
        .isEqualTo(List.of("/opt/numaspark/numaspark-smt", "switch", "off"));
    assertThat(HostPod.isOurs(pod)).isTrue();
  }

  @Test
  void readsTheReport() {
    var progress =
        HostPod.progress(
            pod(
                """
                {phase: Succeeded, containerStatuses: [{name: c, state: {terminated: {exitCode: 0,
                 message: '{"state": "switched", "cpus": 2, "online": "0,2", "reserved": "0", "new": 1}'}}}]}
                """));
    HostReport report = progress.report().orElseThrow();
    assertThat(report.state()).isEqualTo(HostReport.State.SWITCHED);
    assertThat(report.cpus()).isEqualTo(2);
    assertThat(report.online()).hasToString("0,2");
    assertThat(report.reserved()).hasToString("0");
    assertThat(report.message()).isEmpty();
  }

  @Test
  void namesWhatKeepsAPod() {
    assertThat(HostPod.progress(pod("{phase: Pending}"))).isEqualTo(HostPod.progress(pod("null")));
    assertThat(HostPod.progress(pod("{phase: Failed, reason: Evicted, message: no room}")).ended())
        .contains("Evicted: no room");
    assertThat(
            HostPod.progress(
                    pod(
                        "{containerStatuses: [{name: c, state: {waiting: {reason: ErrImagePull, message: \"a\\nb\"}}}]}"))
                .waiting())
        .contains("ErrImagePull: a b");
    assertThat(
            HostPod.progress(
                    pod(
                        "{containerStatuses: [{name: c, state: {waiting: {reason: ContainerCreating}}}]}"))
                .waiting())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "panic: x",
        "{}",
        "{\"state\": \"unheard\"}",
        "{\"state\": \"switched\", \"online\": \"all\"}"
      })
  void whatIsNoReportIsNone(String text) {
    assertThat(HostReport.parse(text)).isEmpty();
  }

  @Test
  void aReportIsBounded() {
    assertThat(
            HostReport.parse("{\"state\": \"failed\", \"message\": \"" + "x".repeat(9000) + "\"}"))
        .isEmpty();
    assertThat(HostReport.parse(null)).isEmpty();
  }
}
