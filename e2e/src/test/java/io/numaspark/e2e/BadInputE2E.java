package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mistakes that a new user makes: each is answered with the field, the reason and the remedy, at
 * admission or in a condition; deleting the object always works.
 */
@Order(3)
@Tag("vertical")
class BadInputE2E {
  private static final String APPLICATION = "mistake";
  private static final String PROFILE = "mistake";
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration ONE_DRIVER = Duration.ofMinutes(6);

  @AfterEach
  void deletingAlwaysWorks() {
    Lab.delete("sparkapplications.numaspark.io", APPLICATION);
    Lab.delete("sparknodeprofiles.numaspark.io", PROFILE);
    Lab.delete("sparknodetopologies.numaspark.io", "native-0");
  }

  static Stream<Arguments> refusedAtAdmission() {
    return Stream.of(
        Arguments.of(
            profile("executor: {maxHeap: 64Gi}"), "spec.executor.maxHeap", "allowLargeHeap: true"),
        Arguments.of(
            profile("executor: {coresPerExecutor: {min: -2}}"),
            "coresPerExecutor.min",
            "greater than or equal to 1"),
        Arguments.of(
            profile("executor: {coresPerExecutor: {preferred: 2.5}}"),
            "coresPerExecutor.preferred",
            "integer"),
        Arguments.of(profile("prefetcher: {mode: Enforce}"), "spec.prefetcher", "unknown field"),
        Arguments.of(
            profile("prefetch: {l1NextLine: Slower}"),
            "spec.prefetch.l1NextLine",
            "supported values: \"Disabled\", \"Enabled\", \"Unmanaged\""),
        Arguments.of(
            profile("memory: {swappiness: 300}"),
            "spec.memory.swappiness",
            "less than or equal to 200"),
        Arguments.of(application("executor: {cores: 2.5}"), "spec.executor.cores", "integer"),
        Arguments.of(
            application("executor: {instances: -3}"),
            "spec.executor.instances",
            "greater than or equal to 1"),
        Arguments.of(
            application("executor: {memory: lots}"), "spec.executor.memory", "should match"),
        Arguments.of(
            application("executor: {nodes: 2}"),
            "spec.executor.nodes",
            "use spec.executor.instances"),
        Arguments.of(
            application("").replaceFirst("(?m)^  image:.*\n", ""),
            "spec.image",
            "give it, or an image in both"),
        Arguments.of(
            application("").replaceFirst("(?m)^  mainClass:.*\n", ""),
            "spec.mainClass",
            "needs the class"));
  }

  @ParameterizedTest
  @MethodSource("refusedAtAdmission")
  void isRefusedAtAdmission(String manifest, String field, String remedy) {
    Lab.Output output = Lab.apply(manifest);
    assertThat(output.exitCode()).as(output.out()).isNotZero();
    assertThat(output.err()).contains(field).contains(remedy);
  }

  @Test
  void profileThatMatchesNoNode() {
    Lab.apply(profile("").replace("numaspark.io/lab: native", "no-such-label: here")).orFail();
    assertThat(readyMessage("NoMatchingNode"))
        .contains("spec.nodeSelector")
        .contains("label the nodes");
  }

  @Test
  void nodeWithoutTopology() {
    Lab.apply(profile("")).orFail();
    assertThat(readyMessage("NoTopology")).contains("native-0").contains("numaspark topology");
  }

  @Test
  void topologyThatDiffersFromTheProfiles() {
    Lab.apply(TOPOLOGY).orFail();
    Lab.apply(profile("topology: {sockets: 4, threadsPerCore: 2}")).orFail();
    assertThat(readyMessage("TopologyDiffers"))
        .contains("spec.topology.sockets is 4, the node has 1")
        .contains("spec.topology.threadsPerCore is 2, the node has 1")
        .contains("another profile");
  }

  @Test
  void executorLargerThanANumaNode() {
    Lab.apply(TOPOLOGY).orFail();
    Lab.apply(profile("executor: {coresPerExecutor: {min: 12, max: 12}}")).orFail();
    assertThat(readyMessage("ExecutorTooLarge"))
        .contains("spec.executor.coresPerExecutor.min is 12")
        .contains("has 3 cores")
        .contains("at most 3");
  }

  @Test
  void unknownProfile() {
    Lab.apply(application("nodeProfile: no-such-profile")).orFail();
    JsonNode application =
        Lab.awaitObject("sparkapplications.numaspark.io", APPLICATION, SOON, Lab::waits);
    assertThat(reason(application)).isEqualTo("ProfileNotFound");
    assertThat(message(application))
        .contains("spec.nodeProfile")
        .contains("no-such-profile")
        .contains("create it");
  }

  @Test
  void sparkPropertyThatWouldUndoPinning() {
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Lab.apply(application("nodeProfile: dual-socket\nsparkConf: {spark.executor.memory: 64g}"))
        .orFail();
    JsonNode application = Lab.awaitState(APPLICATION, SOON, "SUBMISSION_FAILED");
    assertThat(message(application))
        .contains("spark.executor.memory")
        .contains("remove it")
        .contains("SparkNodeProfile");
  }

  @Test
  void missingImage() {
    Lab.apply(application("").replace("numaspark/spark:4.3.0", "numaspark/no-such-image:1"))
        .orFail();
    JsonNode application = awaitReason("ErrImageNeverPull");
    assertThat(message(application)).contains("spec.image").contains("numaspark/no-such-image:1");
  }

  @Test
  void mainClassThatDoesNotExist() {
    Lab.apply(Applications.ordinary(APPLICATION, "com.example.NoSuchClass")).orFail();
    JsonNode application = Lab.awaitState(APPLICATION, ONE_DRIVER, "FAILED");
    assertThat(message(application))
        .contains("exited with code 101")
        .contains("spec.mainClass")
        .contains("NoSuchClass");
  }

  @Test
  void serviceAccountThatDoesNotExist() {
    Lab.apply(application("driver: {serviceAccount: nobody}")).orFail();
    JsonNode application = Lab.awaitState(APPLICATION, SOON, "SUBMISSION_FAILED");
    assertThat(message(application)).contains("nobody").contains("spec.driver.serviceAccount");
  }

  @Test
  void serviceAccountWithoutRights() {
    Lab.apply(application("driver: {serviceAccount: default, memory: 600m, coreRequest: 100m}"))
        .orFail();
    JsonNode application = Lab.awaitState(APPLICATION, ONE_DRIVER, "FAILED");
    assertThat(message(application)).contains("spec.driver.serviceAccount").contains("cannot");
  }

  private static final String TOPOLOGY =
      """
      apiVersion: numaspark.io/v1alpha1
      kind: SparkNodeTopology
      metadata: {name: native-0}
      spec:
        numaNodes:
        - {id: 0, socket: 0, memory: 17179869184, cores: ["0", "1", "2", "3"]}
        kubelet: {cpuManagerPolicy: static, topologyManagerPolicy: single-numa-node, reservedCpus: "0"}
      """;

  private static String profile(String more) {
    return """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeProfile
        metadata: {name: %s}
        spec:
          nodeSelector: {matchLabels: {numaspark.io/lab: native}}
          %s
        """
        .formatted(PROFILE, more);
  }

  private static String application(String more) {
    return Applications.of(APPLICATION, Applications.MAIN_CLASS, more);
  }

  private static String readyMessage(String reason) {
    JsonNode profile =
        Lab.awaitObject(
            "sparknodeprofiles.numaspark.io",
            PROFILE,
            SOON,
            object -> Lab.condition(object, "Ready").path("reason").asText().equals(reason));
    assertThat(Lab.condition(profile, "Ready").path("status").asText()).isEqualTo("False");
    return Lab.condition(profile, "Ready").path("message").asText();
  }

  private static JsonNode awaitReason(String reason) {
    return Lab.awaitObject(
        "sparkapplications.numaspark.io",
        APPLICATION,
        SOON,
        object -> reason(object).equals(reason));
  }

  private static String reason(JsonNode application) {
    return Lab.condition(application, "Ready").path("reason").asText();
  }

  private static String message(JsonNode application) {
    return Lab.condition(application, "Ready").path("message").asText();
  }
}
