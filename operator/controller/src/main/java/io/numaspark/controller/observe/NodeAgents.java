package io.numaspark.controller.observe;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import java.util.Optional;

/**
 * What the agents of the nodes report.
 *
 * <p>Limit: of the spec of these topologies only the wishes are kept.
 */
public interface NodeAgents {

  /** Whether what is not known does not exist. */
  boolean isLoaded();

  /** The topology of a node, with its status; empty if there is none, or none is loaded yet. */
  Optional<SparkNodeTopology> of(String node);
}
