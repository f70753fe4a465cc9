package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.inject.InjectionNotes;
import io.numaspark.render.proof.AgentReports;
import io.numaspark.render.proof.PodProof;
import io.numaspark.render.proof.SlotRequest;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * How many executors of others are pinned, and how many were left as they are.
 *
 * <p>They are counted and no more: numaspark never changes or deletes what it did not create.
 */
public final class ForeignExecutors {
  private ForeignExecutors() {}

  /**
   * Labels of a series.
   *
   * @param pinned true, false or unknown
   */
  public record Series(String namespace, String profile, String pinned)
      implements Comparable<Series> {
    @Override
    public int compareTo(Series other) {
      return (namespace + "/" + profile + "/" + pinned)
          .compareTo(other.namespace + "/" + other.profile + "/" + other.pinned);
    }
  }

  /**
   * Those that run and request a slot, by whether they are pinned.
   *
   * @param machines of a profile's node, by both names
   */
  public static Map<Series, Integer> byPinning(
      Collection<Pod> pods,
      AgentReports agents,
      BiFunction<String, String, Optional<Machine>> machines) {
    PodProof proof = new PodProof(agents);
    Map<Series, Integer> counts = new TreeMap<>();
    for (Pod pod : pods) {
      Optional<SlotRequest> slots = isRunning(pod) ? SlotRequest.of(pod) : Optional.empty();
      slots.ifPresent(
          request -> {
            Pinned pinned =
                NodeSilence.hides(pod)
                    ? Pinned.Unknown
                    : proof
                        .of(
                            pod,
                            request.container(),
                            machines.apply(request.profile(), pod.getSpec().getNodeName()))
                        .verdict()
                        .pinned();
            counts.merge(
                new Series(
                    pod.getMetadata().getNamespace(),
                    request.profile(),
                    pinned.name().toLowerCase(Locale.ROOT)),
                1,
                Integer::sum);
          });
    }
    return counts;
  }

  /** Those that have not ended and were left as they are, by namespace. */
  public static Map<String, Integer> notInjected(Collection<Pod> pods) {
    Map<String, Integer> counts = new TreeMap<>();
    pods.stream()
        .filter(pod -> annotations(pod).containsKey(InjectionNotes.REASON))
        .forEach(pod -> counts.merge(pod.getMetadata().getNamespace(), 1, Integer::sum));
    return counts;
  }

  static Map<String, String> annotations(Pod pod) {
    return Optional.ofNullable(pod.getMetadata().getAnnotations()).orElse(Map.of());
  }

  private static boolean isRunning(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getNodeName() != null
        && pod.getStatus() != null
        && "Running".equals(pod.getStatus().getPhase());
  }
}
