package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.Slot;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.TopologyTranslator;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The demo's application on the demo's profile: every executor runs where the plan says, by the
 * word of the plan, of the operator, of the executor's own JVM and of the kubelet, or of the kernel
 * where the container runtime pins.
 */
@Order(2)
@Tag("vertical")
class PinnedExecutorsE2E {
  private static final String NAME = "pinned-pi";
  private static final long COMPRESSED_OOPS_LIMIT = 32L << 30;

  @Test
  @Tag("runtime-pins")
  void everyExecutorRunsOnThePredictedCpusOfOneNumaNode() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        Duration.ofMinutes(2),
        profile -> Lab.condition(profile, "Ready").path("status").asText().equals("True"));
    Lab.apply(Lab.demo("application.yaml")).orFail();

    JsonNode allPinned =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            Duration.ofMinutes(20),
            app -> app.at("/status/executorCounts/pinned").asInt() == 3 || isFinal(app));
    Set<String> exclusive = NodeTools.isPinnedByRuntime() ? kernelCpus() : cpusInKubeletState();
    JsonNode application = Lab.awaitState(NAME, Duration.ofMinutes(20), "COMPLETED", "FAILED");

    assertThat(Lab.state(application))
        .as(application.path("status").toPrettyString())
        .isEqualTo("COMPLETED");
    assertThat(Lab.condition(application, "Pinned").path("status").asText()).isEqualTo("True");
    assertThat(application.at("/status/executorCounts/rejected").asInt()).isZero();
    assertThat(application.at("/status/executorCounts/running").asInt())
        .as("executors end with the driver")
        .isZero();

    Plan plan = plan();
    Set<String> predicted =
        plan.layouts().get(0).slots().stream()
            .map(Slot::cpus)
            .map(CpuSet::toString)
            .collect(Collectors.toSet());
    assertThat(predicted).hasSize(3);
    assertThat(reportedCpus(application)).as("operator's word").isEqualTo(predicted);
    assertThat(exclusive)
        .as("the word of kubelet or kernel, when " + Lab.state(allPinned))
        .containsAll(predicted);
    checkJvms(predicted);
  }

  /** Both would set the CPUs of containers, and each would undo what the other has done. */
  @Test
  void pinsByTheRuntimeAreRefusedWhereTheKubeletPins() {
    Lab.apply(Lab.demo("profile.yaml").replace("pinning:\n", "pinning:\n    by: Runtime\n"))
        .orFail();
    JsonNode profile =
        Lab.awaitObject(
            "sparknodeprofiles.numaspark.io",
            "dual-socket",
            Duration.ofMinutes(2),
            object ->
                object.at("/status/unusableNodes/0/reason").asText().equals("KubeletPinsItself"));
    assertThat(profile.at("/status/unusableNodes/0/message").asText())
        .contains("spec.pinning.by", "cpuManagerPolicy", "Kubelet or Auto");
    assertThat(profile.at("/status/slots/total").asInt()).isZero();
    Applications.applyProfile();
  }

  /** What each JVM says of itself, printed by the job from inside the executor. */
  private static void checkJvms(Set<String> predicted) {
    List<Map<String, String>> jvms =
        Lab.kubectl("logs", NAME + "-driver")
            .orFail()
            .out()
            .lines()
            .filter(line -> line.startsWith("EXECUTOR "))
            .map(PinnedExecutorsE2E::fields)
            .toList();
    Machine machine = machine();
    Set<String> seen = new HashSet<>();
    for (Map<String, String> jvm : jvms) {
      CpuSet cpus = CpuSet.parse(jvm.get("cpus"));
      NumaNode home =
          machine.topology().numaNodes().stream()
              .filter(node -> node.cpus().containsAll(cpus))
              .findFirst()
              .orElseThrow();
      assertThat(jvm.get("mems"))
          .as("memory nodes of %s", jvm)
          .isEqualTo(String.valueOf(home.id()));
      assertThat(home.cores())
          .as("whole cores of %s", jvm)
          .allMatch(core -> cpus.containsAll(core.threads()) || !cpus.intersects(core.threads()));
      assertThat(Long.parseLong(jvm.get("maxHeapBytes")))
          .isPositive()
          .isLessThan(COMPRESSED_OOPS_LIMIT);
      assertThat(jvm.get("compressedOops")).isEqualTo("true");
      assertThat(jvm.get("processors")).isEqualTo(String.valueOf(cpus.size()));
      seen.add(cpus.toString());
    }
    assertThat(jvms).hasSize(3);
    assertThat(seen).as("executor's word").isEqualTo(predicted);
  }

  private static Map<String, String> fields(String line) {
    return Arrays.stream(line.split(" "))
        .filter(field -> field.contains("="))
        .map(field -> field.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  private static Set<String> reportedCpus(JsonNode application) {
    Set<String> cpus = new HashSet<>();
    application
        .at("/status/executors")
        .forEach(executor -> cpus.add(executor.path("cpus").asText()));
    return cpus;
  }

  private static Set<String> cpusInKubeletState() {
    Set<String> cpus = new HashSet<>();
    Lab.json(Lab.nodeExec("numa-0", "cat /var/lib/kubelet/cpu_manager_state").orFail().out())
        .path("entries")
        .forEach(pod -> pod.forEach(container -> cpus.add(container.asText())));
    return cpus;
  }

  private static Set<String> kernelCpus() {
    Set<String> cpus = new HashSet<>();
    Lab.get("sparknodetopologies.numaspark.io", NodeTools.NODE)
        .at("/status/exclusive")
        .forEach(container -> cpus.add(container.path("kernelCpus").asText()));
    return cpus;
  }

  private static Plan plan() {
    SparkNodeProfile profile =
        Serialization.unmarshal(Lab.demo("profile.yaml"), SparkNodeProfile.class);
    return (Plan)
        ProfilePlanner.plan(
                profile.getSpec(),
                List.of(new MatchedNode("numa-0", Optional.of(topology()))),
                true)
            .result();
  }

  private static Machine machine() {
    return TopologyTranslator.machine(topology().getSpec());
  }

  private static SparkNodeTopology topology() {
    return Serialization.unmarshal(
        Lab.get("sparknodetopologies.numaspark.io", "numa-0").toString(), SparkNodeTopology.class);
  }

  private static boolean isFinal(JsonNode application) {
    return List.of("COMPLETED", "FAILED").contains(Lab.state(application));
  }
}
