package io.numaspark.render.scheduling;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import java.util.List;
import java.util.Optional;

/**
 * The API of a batch scheduler's PodGroup: its group, and its versions, newest first.
 *
 * <p>What is rendered has the same fields in each version of a group, so an API server that serves
 * one of them is enough. Kubernetes 1.35 has none: its gangs were parts of a Workload.
 */
public enum PodGroupApi {
  VOLCANO("scheduling.volcano.sh", List.of("v1beta1"), "install Volcano"),
  COSCHEDULING(
      "scheduling.x-k8s.io",
      List.of("v1alpha1"),
      "install the coscheduling plugin with its PodGroup, or for Kubernetes' own gangs write"
          + " spec.batchScheduler: workload"),
  /** Kubernetes 1.37 has the first two, 1.36 the last; all are off unless they are switched on. */
  KUBERNETES(
      "scheduling.k8s.io",
      List.of("v1beta1", "v1alpha3", "v1alpha2"),
      "switch it on, in Kubernetes 1.36 or later: the API in --runtime-config, and the feature gates"
          + " GenericWorkload and, in 1.36 only, GangScheduling; or use spec.start: AllOrNothing with"
          + " spec.nodeProfile");

  public static final String KIND = "PodGroup";

  private final String group;
  private final List<String> versions;
  private final String remedy;

  PodGroupApi(String group, List<String> versions, String remedy) {
    this.group = group;
    this.versions = versions;
    this.remedy = remedy;
  }

  /** The API of the scheduler that an application names, if that scheduler reads PodGroups. */
  public static Optional<PodGroupApi> of(SparkApplicationSpec spec) {
    if (spec.batchScheduler() == null) {
      return Optional.empty();
    }
    return switch (spec.batchScheduler()) {
      case BatchScheduling.YUNIKORN -> Optional.empty();
      case BatchScheduling.VOLCANO -> Optional.of(VOLCANO);
      case BatchScheduling.WORKLOAD -> Optional.of(KUBERNETES);
      default -> Optional.of(COSCHEDULING);
    };
  }

  /** Group and version, newest first. */
  public List<String> apiVersions() {
    return versions.stream().map(version -> group + "/" + version).toList();
  }

  /**
   * The version to render.
   *
   * @param served group and version that the API server has; empty if that is not known
   */
  String apiVersion(Optional<String> served) {
    return served.filter(apiVersions()::contains).orElse(apiVersions().get(0));
  }

  /** Why an application waits whose API server has none of the versions, with the remedy. */
  public String missing(SparkApplicationSpec spec) {
    return "spec.batchScheduler: %s needs the kind PodGroup of %s, which the API server does not serve; %s"
        .formatted(spec.batchScheduler(), String.join(" or ", apiVersions()), remedy);
  }
}
