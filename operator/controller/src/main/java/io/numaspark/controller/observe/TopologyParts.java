package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** The two halves of a topology, so that each cache holds no more than it is asked for. */
public final class TopologyParts {
  /** In the cache only: computed once for each event, and read in each reconciliation. */
  private static final String EDITION = "edition";

  private TopologyParts() {}

  /** What the node is, without what its agent sees there. */
  public static SparkNodeTopology hardware(SparkNodeTopology topology) {
    SparkNodeTopology part = new SparkNodeTopology();
    part.setMetadata(identity(topology));
    part.getMetadata().setAnnotations(Map.of(EDITION, edition(topology)));
    part.setSpec(planned(topology));
    return part;
  }

  private static SparkNodeTopologySpec planned(SparkNodeTopology topology) {
    return topology.getSpec() == null
        ? null
        : topology.getSpec().withKnobs(null).withPins(null).withReportLoad(null);
  }

  /** What the agent sees, and of the spec only what is wanted of it. */
  public static SparkNodeTopology agent(SparkNodeTopology topology) {
    SparkNodeTopology part = new SparkNodeTopology();
    part.setMetadata(identity(topology));
    SparkNodeTopologySpec spec = topology.getSpec();
    part.setSpec(
        spec == null
            ? null
            : new SparkNodeTopologySpec(
                null, null, null, null, spec.knobs(), spec.pins(), spec.reportLoad()));
    part.setStatus(topology.getStatus());
    return part;
  }

  /**
   * Of what plans read: the generation would also change with what the operator writes for the
   * agent, so that a layout for many nodes would have all plans made anew for each of them.
   */
  public static String edition(SparkNodeTopology topology) {
    Map<String, String> annotations = topology.getMetadata().getAnnotations();
    String known = annotations == null ? null : annotations.get(EDITION);
    return known == null ? digest(String.valueOf(planned(topology))) : known;
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
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
