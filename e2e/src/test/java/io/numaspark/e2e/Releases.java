package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** What Helm releases do and leave in a cluster. */
final class Releases {
  private Releases() {}

  /**
   * Waits until a change of the release numaspark has left only the operator's pod that it wants.
   */
  static void finished(Lab.Output helm) {
    helm.orFail();
    Lab.kubectl(
            "rollout",
            "status",
            "deployment/numaspark",
            "--namespace=numaspark-system",
            "--timeout=300s")
        .orFail();
    await("the operator's old pod to be gone")
        .atMost(Duration.ofMinutes(4))
        .until(() -> Lab.operatorPods().size() == 1);
  }

  /** Objects of every kind that carry the label of a release, as kind and name. */
  static List<String> objectsOf(String release) {
    String kinds =
        Lab.kubectl("api-resources", "--verbs=list", "--output=name")
            .orFail()
            .out()
            .lines()
            // Both are copies of others: metrics of pods, and the older API of the same events.
            .filter(kind -> !kind.endsWith(".metrics.k8s.io") && !kind.equals("events"))
            .collect(Collectors.joining(","));
    return Lab.kubectl(
            "get",
            kinds,
            "--all-namespaces",
            "--selector=app.kubernetes.io/instance=" + release,
            "--output=name")
        .orFail()
        .out()
        .lines()
        .toList();
  }

  /** Pods and what controllers make of Services end a little later than Helm. */
  static void awaitNothingOf(String release) {
    await("nothing of release " + release)
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(() -> assertThat(objectsOf(release)).isEmpty());
  }
}
