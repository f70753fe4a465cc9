package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which pods of a node have to end before its CPUs change, and what keeps them from being evicted:
 * the rules of {@code kubectl drain --ignore-daemonsets}.
 *
 * @param toEvict pods that hold CPUs or could get some
 * @param refusals what a person has to decide first, one sentence for each kind
 */
record Drain(List<Pod> toEvict, List<String> refusals) {
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final int MOST_NAMES = 10;

  static Drain of(Collection<Pod> pods, DrainOptions options) {
    List<Pod> toEvict =
        pods.stream().filter(pod -> !isFinished(pod) && !staysWithTheNode(pod)).toList();
    List<String> refusals = new ArrayList<>();
    if (!options.deletesEmptyDirData()) {
      refuse(
          refusals,
          toEvict.stream().filter(Drain::hasEmptyDir).toList(),
          "have emptyDir volumes, whose content is lost: add --delete-emptydir-data");
    }
    if (!options.isForced()) {
      refuse(
          refusals,
          toEvict.stream().filter(pod -> controller(pod) == null).toList(),
          "have no controller that creates them again: end them, or add --force");
    }
    return new Drain(toEvict, List.copyOf(refusals));
  }

  private static void refuse(List<String> refusals, List<Pod> pods, String why) {
    if (!pods.isEmpty()) {
      refusals.add(names(pods) + " " + why);
    }
  }

  /** Names of pods for a message. */
  static String names(List<Pod> pods) {
    List<String> names = pods.stream().map(Drain::name).sorted().toList();
    int more = names.size() - MOST_NAMES;
    return more <= 0
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES)) + " and " + more + " more";
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }

  private static boolean isFinished(Pod pod) {
    return pod.getStatus() != null
        && Set.of("Succeeded", "Failed")
            .contains(Objects.requireNonNullElse(pod.getStatus().getPhase(), ""));
  }

  /** Static pods are the kubelet's, and those of a DaemonSet would come again at once. */
  private static boolean staysWithTheNode(Pod pod) {
    Map<String, String> annotations =
        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    OwnerReference controller = controller(pod);
    return annotations.containsKey(MIRROR)
        || controller != null && "DaemonSet".equals(controller.getKind())
        || HostPod.isOurs(pod);
  }

  private static OwnerReference controller(Pod pod) {
    return Objects.requireNonNullElse(
            pod.getMetadata().getOwnerReferences(), List.<OwnerReference>of())
        .stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .orElse(null);
  }

  private static boolean hasEmptyDir(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getVolumes() != null
        && pod.getSpec().getVolumes().stream().anyMatch(volume -> volume.getEmptyDir() != null);
  }
}
