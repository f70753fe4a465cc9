package io.numaspark.controller.slots;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes of two NUMA nodes, which their container runtime pins. */
public final class PinnedNodes {
  private PinnedNodes() {}

  /** The plan of profile p on node a, with one slot of two cores in each NUMA node. */
  public static ProfilePlan byRuntime() {
    return of(16, cores(0, 4), cores(8, 4));
  }

  /** With so many slots of two cores, an even number. */
  static ProfilePlan byRuntime(int slots) {
    return of(64, cores(0, slots + 1), cores(100, slots + 1));
  }

  private static String cores(int first, int count) {
    return IntStream.range(0, count)
        .map(core -> first + 2 * core)
        .mapToObj(cpu -> "'%d-%d'".formatted(cpu, cpu + 1))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static ProfilePlan of(int gibibytes, String first, String second) {
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeTopology
            metadata: {name: a}
            spec:
              numaNodes:
                - {id: 0, socket: 0, memory: %1$d, cores: %2$s}
                - {id: 1, socket: 1, memory: %1$d, cores: %3$s}
              kubelet: {}
            """
                .formatted((long) gibibytes << 30, first, second),
            SparkNodeTopology.class);
    SparkNodeProfile profile =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeProfile
            metadata: {name: p}
            spec:
              nodeSelector: {}
              executor: {coresPerExecutor: {preferred: 2}}
            """,
            SparkNodeProfile.class);
    return ProfilePlanner.plan(
        profile.getSpec(), List.of(new MatchedNode("a", Optional.of(topology))), true);
  }
}
