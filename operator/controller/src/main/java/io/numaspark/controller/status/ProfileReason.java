package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/** Reasons of the conditions of a profile, beside findings, those of its nodes and of knobs. */
public enum ProfileReason implements StatusReason {
  // Ready and Planned.
  INVALID_SPEC,
  NO_MATCHING_NODE,
  NO_SLOT,
  NO_NODE_YET,
  TEMPLATE_UNUSABLE,
  SLOTS_PUBLISHED,
  SHAPE_FOUND,
  PLANNED_ON_TEMPLATES,

  // SlotsWithheld.
  NO_REJECTION,
  EXECUTORS_REJECTED,

  // AgentsReporting and KnobsApplied.
  ALL_REPORTING,
  APPLIED,

  // PinnersConnected.
  CONNECTED,
  PINNER_NOT_CONNECTED,

  // SystemdAgrees.
  AGREES,
  RELOAD_MOVES_CONTAINERS
}
