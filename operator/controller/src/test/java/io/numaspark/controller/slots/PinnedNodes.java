package io.numaspark.controller.slots;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.List;
import java.util.Optional;

/** A node of two NUMA nodes with one slot of two cores each, which its container runtime pins. */
public final class PinnedNodes {
  private PinnedNodes() {}

  /** The plan of profile p on node a. */
  public static ProfilePlan byRuntime() {
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeTopology
            metadata: {name: a}
            spec:
              numaNodes:
                - {id: 0, socket: 0, memory: 17179869184, cores: ['0-1', '2-3', '4-5', '6-7']}
                - {id: 1, socket: 1, memory: 17179869184, cores: ['8-9', '10-11', '12-13', '14-15']}
              kubelet: {}
            """,
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
