package io.numaspark.render.proof;

import io.numaspark.api.v1alpha1.StatusReason;

/**
 * Why an executor is pinned, is not, or nothing is known of it; and that it failed without a word.
 */
public enum ExecutorReason implements StatusReason {
  PINNED,
  PINNED_LATE,
  NOT_REGISTERED,
  NOT_REPORTED,
  NOT_REPORTED_BY_AGENT,
  DRIVER_NOT_ANSWERING,
  NODE_UNREACHABLE,
  NO_TOPOLOGY,
  NOT_READABLE,
  KERNEL_NOT_READ,
  SHARED_CPUS,
  NO_FREE_SLOT,
  NOT_ENFORCED,
  STARTED_WITHOUT_PINNER,
  ALREADY_SET,
  EARLIER_LAYOUT,
  NOT_EXCLUSIVE,
  MOVED_BY_RUNC,
  MOVED_BY_KUBELET,
  CPUS_OFFLINE,
  NOT_RESTRICTED,
  KERNEL_DISAGREES,
  EXECUTOR_DISAGREES,
  OTHER_NUMBER_OF_CPUS,
  CPUS_NOT_EXCLUSIVE,
  PARTIAL_CORES,
  SPANS_NUMA_NODES,
  MEMORY_SPANS_NUMA_NODES,
  EXECUTOR_FAILED
}
