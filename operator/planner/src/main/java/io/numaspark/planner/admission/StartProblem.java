package io.numaspark.planner.admission;

/**
 * A reason why a kubelet does not start, or why this model does not cover it.
 *
 * @param field the field of the SparkNodeTopology that is to blame
 * @param message why, as a sentence
 * @param remedy what to change
 */
public record StartProblem(Kind kind, String field, String message, String remedy) {

  /** What is wrong, for those who sort problems. */
  public enum Kind {
    /** An option or a feature gate is unknown, or cannot be what it is set to. */
    OPTION_INVALID,
    /** An option needs a feature gate that is off. */
    FEATURE_GATE_OFF,
    /** Two options, or an option and a policy, exclude each other. */
    OPTIONS_CONFLICT,
    /** The Topology Manager takes fewer NUMA nodes than there are. */
    TOO_MANY_NUMA_NODES,
    /** The static CPU manager has no CPUs reserved. */
    CPUS_NOT_RESERVED,
    /** Reserved CPUs are not there. */
    RESERVED_CPUS_OFFLINE,
    /** The static Memory Manager has no memory reserved. */
    MEMORY_NOT_RESERVED,
    /** Memory is reserved on a NUMA node that is not there. */
    RESERVED_MEMORY_INVALID,
    /** More memory is reserved than the node has. */
    RESERVED_MEMORY_TOO_LARGE,
    /** The kubelet starts, but this model does not know what it does then. */
    NOT_COVERED
  }
}
