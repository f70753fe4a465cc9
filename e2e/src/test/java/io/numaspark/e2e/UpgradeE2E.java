package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the chart before its last change to the one of this tree, back, and there again, as
 * docs/install.md says, while an application runs.
 *
 * <p>Limit: the images are this tree's throughout.
 */
@Order(15)
@Tag("upgrade")
class UpgradeE2E {
  private static final String NAME = "through-upgrades";

  @TempDir Path checkout;

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.upgradeRelease().orFail();
  }

  @Test
  void anApplicationRunsThroughUpgradeAndRollback() {
    String before = beforeTheLastChange();
    String values = valuesAt(before);
    unpack(before, "charts/numaspark", values);
    Applications.applyProfile();
    String slots = Applications.publishedSlots();
    // Without a difference in its pods a change of the chart need not start them anew.
    Releases.finished(
        Lab.helm(
            "upgrade",
            "numaspark",
            checkout.resolve("charts/numaspark").toString(),
            "--values=" + checkout.resolve(values),
            "--set=podAnnotations.chart=before"));
    Lab.apply(
            Applications.ordinary(
                NAME, Applications.MAIN_CLASS, "arguments: [\"2\", \"90\"]\n", ""))
        .orFail();
    JsonNode running = Lab.awaitState(NAME, Duration.ofMinutes(8), "RUNNING");

    Lab.kubectl(
            "apply",
            "--server-side",
            "--force-conflicts",
            "-f",
            Lab.CHART.resolve("crds").toString())
        .orFail();
    Set<String> operators = new HashSet<>(Set.of(operator()));
    Releases.finished(Lab.upgradeRelease());
    operators.add(operator());
    Lab.testRelease().orFail();
    Releases.finished(Lab.helm("rollback", "numaspark"));
    operators.add(operator());
    Releases.finished(Lab.upgradeRelease());
    operators.add(operator());
    assertThat(operators).as("each change starts the operator anew").hasSize(4);

    JsonNode application = Applications.awaitCompleted(NAME, Duration.ofMinutes(8));
    assertThat(application.at("/status/driverInfo/podUid").asText())
        .isNotEmpty()
        .isEqualTo(running.at("/status/driverInfo/podUid").asText());
    assertThat(Applications.publishedSlots()).isEqualTo(slots);
    assertThat(Lab.operatorPods().at("/0/status/containerStatuses/0/restartCount").asInt())
        .isZero();
  }

  private static String operator() {
    return Lab.operatorPods().at("/0/metadata/uid").asText();
  }

  /** The commit before the chart's last change. */
  private static String beforeTheLastChange() {
    String last =
        Lab.git("log", "-1", "--first-parent", "--format=%H", "--", "charts/numaspark")
            .orFail()
            .out();
    return last.strip() + "^1";
  }

  /** The values of the lab at a commit, wherever they were then. */
  private static String valuesAt(String commit) {
    Lab.Output files = Lab.git("ls-tree", "-r", "--name-only", commit);
    assertThat(files.exitCode())
        .as("this clone has no older chart, run git fetch --unshallow: %s", files.err())
        .isZero();
    return files
        .out()
        .lines()
        .filter(file -> file.endsWith("lab/manifests/numaspark-values.yaml"))
        .findFirst()
        .orElseThrow();
  }

  private void unpack(String commit, String... files) {
    Path archive = checkout.resolve("chart.tar");
    List<String> arguments = new ArrayList<>(List.of("archive", "--output=" + archive, commit));
    arguments.addAll(List.of(files));
    Lab.git(arguments.toArray(String[]::new)).orFail();
    Lab.run(List.of("tar", "-x", "-C", checkout.toString(), "-f", archive.toString()), "").orFail();
  }
}
