package io.numaspark.planner.admission;

import io.numaspark.planner.topology.CpuSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a kubelet answers to a pod. */
public sealed interface Admission {

  /**
   * The pod runs.
   *
   * @param numaNodes ids of the NUMA nodes of its exclusive CPUs and of its memory, if the Memory
   *     Manager placed it; empty if it has neither
   * @param containers exclusive CPUs by container; containers of the shared pool are not in it
   */
  record Admitted(List<Integer> numaNodes, SortedMap<String, CpuSet> containers)
      implements Admission {
    public Admitted {
      numaNodes = List.copyOf(numaNodes);
      containers = new TreeMap<>(containers);
    }
  }

  /** The pod fails, with the reason and the message of its status. */
  record Rejected(String reason, String message) implements Admission {}

  /** The kubelet would crash, or never answer: there is nothing to predict. */
  record Undefined(String message) implements Admission {}
}
