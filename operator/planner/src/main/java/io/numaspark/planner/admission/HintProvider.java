package io.numaspark.planner.admission;

import java.util.List;
import java.util.SortedSet;

/**
 * A resource manager of the kubelet, as its Topology Manager sees it.
 *
 * <p>Limit: it is asked only about pods that are placed at all.
 */
interface HintProvider {

  /**
   * Possible NUMA nodes for one container: a list per resource. No list at all: the manager does
   * not care. An empty list: no set of NUMA nodes can serve that resource.
   */
  List<List<Hint>> hints(ContainerRequest container);

  /** The same for a pod as a whole. */
  List<List<Hint>> podHints(PodRequest pod);

  /** Gives the container what it asks for, within the affinity if that is possible. */
  void allocate(PodRequest pod, ContainerRequest container, Hint affinity) throws AdmissionFailure;

  /** Takes back all that a pod has. */
  void remove(String pod);

  /** The NUMA nodes of what a pod got. */
  SortedSet<Integer> numaNodes(String pod);
}
