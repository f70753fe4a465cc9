package io.numaspark.agent.proof;

import io.numaspark.api.v1alpha1.StatusReason;

/** Why nothing can be read of the cgroups of a node. */
public enum KernelReason implements StatusReason {
  NOT_MOUNTED,
  CGROUP_V1,
  NO_PODS,
  NO_CPUSET,
  NOT_UNDERSTOOD
}
