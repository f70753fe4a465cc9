package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;

/** The two halves of a topology, so that each cache holds no more than it is asked for. */
public final class TopologyParts {
  private TopologyParts() {}

  /** What the node is, without what its agent sees there. */
  public static SparkNodeTopology hardware(SparkNodeTopology topology) {
    SparkNodeTopology part = new SparkNodeTopology();
    part.setMetadata(identity(topology));
    part.setSpec(
        topology.getSpec() == null ? null : topology.getSpec().withKnobs(null).withPins(null));
    return part;
  }

  /** What the agent sees, and of the spec only what is wanted of it. */
  public static SparkNodeTopology agent(SparkNodeTopology topology) {
    SparkNodeTopology part = new SparkNodeTopology();
    part.setMetadata(identity(topology));
    SparkNodeTopologySpec spec = topology.getSpec();
    part.setSpec(
        spec == null
            ? null
            : new SparkNodeTopologySpec(null, null, null, null, spec.knobs(), spec.pins()));
    part.setStatus(topology.getStatus());
    return part;
  }

  /** Of its spec: what an agent sees changes the status every minute, and no plan. */
  public static String edition(SparkNodeTopology topology) {
    return topology.getMetadata().getUid() + "/" + topology.getMetadata().getGeneration();
  }

  private static ObjectMeta identity(SparkNodeTopology topology) {
    return new ObjectMetaBuilder()
        .withName(topology.getMetadata().getName())
        .withUid(topology.getMetadata().getUid())
        .withGeneration(topology.getMetadata().getGeneration())
        .withResourceVersion(topology.getMetadata().getResourceVersion())
        .build();
  }
}
