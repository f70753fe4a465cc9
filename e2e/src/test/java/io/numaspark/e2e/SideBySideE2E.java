package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A second release with its own operator runs the applications of its namespace on the slots of the
 * same node, and goes without a trace.
 *
 * <p>Limit: both are of the same version, as docs/install.md asks.
 */
@Order(17)
@Tag("upgrade")
class SideBySideE2E {
  private static final Duration LONG = Duration.ofMinutes(12);
  private static final String OTHER = "team-b";
  private static final String ITS_NAMESPACE = "numaspark-team-b";
  private static final String NAME = "side-by-side";

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.kubectl("delete", "sparkapplications.numaspark.io", NAME, "-n", OTHER, "--ignore-not-found")
        .orFail();
    Applications.awaitNoPods(NAME);
    Lab.helmIn(ITS_NAMESPACE, "uninstall", OTHER, "--ignore-not-found").orFail();
    Lab.kubectl("delete", "namespace", OTHER, ITS_NAMESPACE, "--ignore-not-found").orFail();
    Releases.finished(Lab.upgradeRelease());
  }

  @Test
  void eachOperatorRunsTheApplicationsOfItsNamespaces() {
    Applications.applyProfile();
    Releases.finished(Lab.upgradeRelease("--set=namespaces={default}"));
    String slots = Applications.publishedSlots();
    Lab.kubectl("create", "namespace", OTHER).orFail();
    Lab.helmIn(
            ITS_NAMESPACE,
            "install",
            OTHER,
            Lab.CHART.toString(),
            "--create-namespace",
            // They are there, and may belong to kubectl since an upgrade.
            "--skip-crds",
            "--values=" + Lab.REPOSITORY.resolve(Lab.VALUES),
            "--values=" + Lab.REPOSITORY.resolve("charts/tests/values/team-b.yaml"),
            "--set-json=sharedPages.namespaces=[]",
            // The lab's agents belong to the other release, and with them their pinners.
            "--set=agent.pinner.enabled=false,agent.pinner.elsewhere=true",
            "--wait",
            "--timeout=5m")
        .orFail();
    Lab.helmIn(ITS_NAMESPACE, "test", OTHER).orFail();

    String application =
        Applications.pinned(NAME, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"2\"]");
    Lab.apply(application).orFail();
    Lab.kubectlWith(application, "apply", "-n", OTHER, "-f", "-").orFail();
    for (String namespace : new String[] {"default", OTHER}) {
      JsonNode ended =
          Lab.awaitObject(
              "sparkapplications.numaspark.io",
              namespace,
              NAME,
              LONG,
              found -> found.at("/status/terminationTime").isTextual());
      assertThat(Lab.state(ended)).as(namespace).isEqualTo("COMPLETED");
      assertThat(ended.at("/status/executorCounts/pinned").asInt())
          .as("%s: %s", namespace, ended.path("status").toPrettyString())
          .isEqualTo(1);
    }
    assertThat(Applications.publishedSlots()).isEqualTo(slots);
    nobodyWritesTheProfileAnyMore();

    Lab.helmIn(ITS_NAMESPACE, "uninstall", OTHER, "--wait").orFail();
    Lab.kubectl(
            "delete", "pods", "-n", ITS_NAMESPACE, "-l", "app.kubernetes.io/name=numaspark-test")
        .orFail();
    Releases.awaitNothingOf(OTHER);
    assertThat(Releases.objectsOf("numaspark")).isNotEmpty();
    assertThat(Applications.publishedSlots()).isEqualTo(slots);
  }

  /** Two operators that count differently would write in turns. */
  private static void nobodyWritesTheProfileAnyMore() {
    String[] before = new String[1];
    await("no write of the profile")
        .pollInterval(Duration.ofSeconds(5))
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              String last = before[0];
              before[0] =
                  Lab.get("sparknodeprofiles.numaspark.io", "dual-socket")
                      .at("/metadata/resourceVersion")
                      .asText();
              return before[0].equals(last);
            });
  }
}
