package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the chart before its last change to the one of this tree, back, and there again, as
 * docs/install.md says, while an application runs.
 *
 * <p>Limit: the images are this tree's throughout.
 */
@Order(15)
@UsuallyTakes(seconds = 125)
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
    Path before = chartBefore();
    Applications.applyProfile();
    String slots = Applications.publishedSlots();
    // Without a difference in its pods a change of the chart need not start them anew.
    Releases.finished(
        Lab.helm(
            "upgrade",
            "numaspark",
            before.toString(),
            "--values=" + checkout.resolve(Lab.VALUES),
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

  /** Unpacks the chart as it was before its last change. */
  private Path chartBefore() {
    Lab.Output change =
        Lab.git("log", "-1", "--first-parent", "--format=%H", "--", "charts/numaspark").orFail();
    Path archive = checkout.resolve("chart.tar");
    Lab.Output archived =
        Lab.git(
            "archive",
            "--output=" + archive,
            change.out().trim() + "^1",
            "charts/numaspark",
            Lab.VALUES);
    assumeThat(archived.exitCode())
        .as("SKIPPED: this clone has no older chart: %s", archived.err())
        .isZero();
    Lab.run(List.of("tar", "-x", "-C", checkout.toString(), "-f", archive.toString()), "").orFail();
    return checkout.resolve("charts/numaspark");
  }
}
