package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import java.util.List;
import java.util.Optional;

/**
 * What a switch reads and writes in a cluster. Tests end the command between any two calls.
 *
 * <p>Every method throws {@link io.numaspark.cli.text.InputException} if the cluster does not
 * answer, or refuses.
 */
interface NodeCluster {

  Optional<Node> node(String name);

  /** What the node's agent reports. */
  Optional<SparkNodeTopology> topology(String node);

  /** The pods of a node, in all namespaces. */
  List<Pod> pods(String node);

  /**
   * Sets mark and cordon at once; an empty mark removes it.
   *
   * @return false if the node is not as it was seen
   */
  boolean update(Node seen, Optional<SwitchMark> mark, boolean cordoned);

  /**
   * Evicts a pod.
   *
   * @return false if a PodDisruptionBudget does not allow it now
   */
  boolean evict(Pod pod);

  Optional<Namespace> namespace(String name);

  /** Creates a namespace, unless it exists. */
  void create(Namespace namespace);

  /** Deletes a namespace with all that is in it, if it exists. */
  void deleteNamespace(String name);

  Optional<Pod> pod(String namespace, String name);

  /** Creates a pod, unless it exists. */
  void create(Pod pod);

  /** Deletes a pod, if it exists. */
  void delete(String namespace, String pod);
}
