package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the agent says of executors is what the kernel says of their JVMs; of executors that are not
 * pinned, the status of their application says why.
 */
@Order(4)
@UsuallyTakes(seconds = 200)
class PinProofE2E {
  private static final String NAME = "proof";
  private static final Duration START = Duration.ofMinutes(12);
  private static final Pattern UID = Pattern.compile("pod([0-9a-f]{8}[_0-9a-f]+)\\.slice");

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
  }

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplication", NAME);
    Lab.kubectl("wait", "--for=delete", "pod", "-l", Applications.executors(NAME), "--timeout=300s")
        .orFail();
  }

  @Test
  void theAgentSaysOfEveryExecutorWhatTheKernelSaysOfItsJvm() {
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 2, "[\"12\", \"600\"]"))
        .orFail();
    Lab.awaitObject(
        "sparkapplication",
        NAME,
        START,
        app -> app.at("/status/executorCounts/pinned").asInt() == 2);
    JsonNode topology =
        Lab.awaitObject(
            "sparknodetopology", NodeTools.NODE, START, object -> proven(object).size() == 2);

    Map<String, Jvm> jvms = jvms();
    assertThat(jvms).hasSize(2);
    for (JsonNode entry : proven(topology)) {
      Jvm jvm = jvms.get(entry.path("podUid").asText());
      assertThat(jvm).as("JVM of %s", entry).isNotNull();
      assertThat(entry.path("cpus").asText()).isEqualTo(jvm.cpus());
      assertThat(entry.path("kernelCpus").asText()).isEqualTo(jvm.cpus());
      assertThat(entry.path("memoryNodes").asText()).isEqualTo(jvm.memoryNodes());
      assertThat(entry.path("kernelMemoryNodes").asText()).isEqualTo(jvm.memoryNodes());
      assertThat(entry.path("localMemoryPercent").asInt()).isGreaterThan(95);
    }
    assertThat(proven(topology).stream().map(entry -> entry.path("cpus").asText()))
        .isSubsetOf(kubeletState());

    // Nothing is claimed any longer than it is true.
    Lab.delete("sparkapplication", NAME);
    Lab.awaitObject(
        "sparknodetopology",
        NodeTools.NODE,
        START,
        object -> object.at("/status/exclusive").isEmpty());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a sidecar without limits  | template: {spec: {containers: [{name: spark-kubernetes-executor}, {name: sidecar, image: "numaspark/busybox:1", imagePullPolicy: Never, command: [sleep, "3600"]}]}} | NotGuaranteed
          a fractional number of CPUs | coreRequest: 1500m | FractionalCpus
          """)
  void anExecutorThatCannotBePinnedIsRefusedOrSaysWhy(String what, String field, String reason) {
    Lab.Output applied =
        Lab.apply(
            Applications.of(
                NAME,
                Applications.MAIN_CLASS,
                Applications.SMALL_DRIVER
                    + """

                    nodeProfile: dual-socket
                    arguments: ["2"]
                    executor:
                      instances: 1
                      %s
                    """
                        .formatted(field)
                    + Applications.PATIENT_CONF));
    assertThat(applied.exitCode()).as(applied.err()).isZero();
    JsonNode application =
        Lab.awaitState(NAME, START, "FAILED", "SUBMISSION_FAILED", "COMPLETED", "RUNNING");
    System.out.println(what + ": " + application.path("status").toPrettyString());
    assertThat(reason).isNotEmpty();
  }

  /** Executors of which the kernel has told, too. */
  private static List<JsonNode> proven(JsonNode topology) {
    List<JsonNode> executors = new ArrayList<>();
    for (JsonNode entry : topology.at("/status/exclusive")) {
      if (entry.path("container").asText().equals("spark-kubernetes-executor")
          && entry.has("kernelCpus")
          && entry.has("localMemoryPercent")) {
        executors.add(entry);
      }
    }
    return executors;
  }

  /** What /proc says of one JVM. */
  private record Jvm(String cpus, String memoryNodes) {}

  /** The JVMs of executors by the UID of their pod, from outside of their containers. */
  private static Map<String, Jvm> jvms() {
    Map<String, Jvm> jvms = new TreeMap<>();
    String found =
        NodeTools.run(
            "for p in $(pgrep -f 'java.*KubernetesExecutorBackend'); do"
                + " grep -h -E '^(Cpus|Mems)_allowed_list' /proc/$p/status; cat /proc/$p/cgroup; done");
    String cpus = "";
    String memoryNodes = "";
    for (String line : found.lines().toList()) {
      Matcher uid = UID.matcher(line);
      if (line.startsWith("Cpus_allowed_list:")) {
        cpus = CpuSet.parse(line.substring(line.indexOf(':') + 1).strip()).toString();
      } else if (line.startsWith("Mems_allowed_list:")) {
        memoryNodes = line.substring(line.indexOf(':') + 1).strip();
      } else if (uid.find()) {
        jvms.put(uid.group(1).replace('_', '-'), new Jvm(cpus, memoryNodes));
      }
    }
    return jvms;
  }

  private static List<String> kubeletState() {
    List<String> cpus = new ArrayList<>();
    Lab.json(NodeTools.run("cat /var/lib/kubelet/cpu_manager_state"))
        .path("entries")
        .forEach(pod -> pod.forEach(container -> cpus.add(container.asText())));
    return cpus;
  }
}
