package io.numaspark.e2e;

import static io.numaspark.e2e.SubmitNamespace.CLUSTER;
import static io.numaspark.e2e.SubmitNamespace.FOLDER;
import static io.numaspark.e2e.SubmitNamespace.PI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One flag of spark-submit pins a submission, without a webhook: what inject wrote into files. */
@Order(29)
@Tag("spark-submit")
class SparkSubmitE2E {
  private static final SubmitNamespace JOBS = new SubmitNamespace("submissions");
  private static final String PINNED = " --properties-file " + FOLDER + "/pinned.conf";

  @BeforeAll
  static void inject(@TempDir Path folder) throws IOException {
    assertThat(Lab.get("mutatingwebhookconfiguration", "numaspark-webhook").isMissingNode())
        .as("nothing else pins these executors")
        .isTrue();
    Applications.applyProfile();
    JOBS.create("");
    Path topology =
        Files.writeString(
            folder.resolve("topology.json"),
            Lab.get("sparknodetopologies.numaspark.io", NodeTools.NODE).toString());
    Path properties =
        Files.writeString(
            folder.resolve("spark.conf"),
            "spark.executor.instances 1\nspark.executor.cores 8\nspark.executor.memory 1g\n");
    Path pinned = folder.resolve("pinned.conf");
    Lab.numaspark(
            "",
            "inject",
            "-f",
            topology.toString(),
            "-f",
            Lab.REPOSITORY.resolve("lab/demo/profile.yaml").toString(),
            "-f",
            properties.toString(),
            "-o",
            pinned.toString(),
            "--template-as",
            FOLDER + "/pinned-executor.yaml")
        .orFail();
    JOBS.kubectl(
            "create",
            "configmap",
            SubmitNamespace.FILES,
            "--from-file=" + pinned,
            "--from-file=" + folder.resolve("pinned-executor.yaml"))
        .orFail();
  }

  @AfterEach
  void cleanUp() {
    JOBS.kubectl("delete", "pods", "--all", "--wait=true", "--timeout=300s").orFail();
  }

  @AfterAll
  static void delete() {
    Lab.delete("namespace", JOBS.name());
  }

  private static void assertPinnedByFiles(List<CpuSet> sets) {
    assertThat(sets.get(0).intersects(sets.get(1))).isFalse();
    for (JsonNode pod : JOBS.executors()) {
      SubmitNamespace.assertHasSlot(pod);
      assertThat(pod.at("/spec/tolerations").findValuesAsText("key"))
          .contains("numaspark.io/pinned");
    }
  }

  @Test
  void inClusterMode() {
    JOBS.submit("submit", CLUSTER + PINNED + PI);
    assertPinnedByFiles(JOBS.awaitPinned(2));
    JOBS.awaitDriver();
  }

  @Test
  void inClientMode() {
    JOBS.submit("notebook", SubmitNamespace.client("notebook") + PINNED + PI);
    assertPinnedByFiles(JOBS.awaitPinned(2));
    assertThat(JOBS.executors())
        .as("they go with the driver's pod")
        .allMatch(pod -> pod.at("/metadata/ownerReferences/0/name").asText().equals("notebook"));
    JOBS.awaitPhase("notebook", "Succeeded");
  }
}
