package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.StatusReason;

/** Why a node cannot be used by a profile, beside what the planner finds. */
public enum NodeReason implements StatusReason {
  NODE_HAS_ANOTHER_PROFILE,
  NO_TOPOLOGY,
  TOPOLOGY_INVALID,
  TOPOLOGY_DIFFERS,
  NO_SLOT
}
