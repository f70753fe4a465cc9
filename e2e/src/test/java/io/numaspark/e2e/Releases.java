package io.numaspark.e2e;

import java.util.List;
import java.util.stream.Collectors;

/** What Helm releases leave in a cluster. */
final class Releases {
  private Releases() {}

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
}
