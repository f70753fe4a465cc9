package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/**
 * Why an executor is pinned, is not, or nothing is known of it; and that it failed without a word.
 */
public enum ExecutorReason implements StatusReason {
  PINNED,
  NOT_REGISTERED,
  NOT_REPORTED,
  DRIVER_NOT_ANSWERING,
  NO_TOPOLOGY,
  NOT_READABLE,
  KERNEL_NOT_READ,
  SHARED_CPUS,
  NOT_EXCLUSIVE,
  KERNEL_DISAGREES,
  EXECUTOR_DISAGREES,
  OTHER_NUMBER_OF_CPUS,
  CPUS_NOT_EXCLUSIVE,
  PARTIAL_CORES,
  SPANS_NUMA_NODES,
  MEMORY_SPANS_NUMA_NODES,
  EXECUTOR_FAILED
}
