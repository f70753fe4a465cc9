package io.numaspark.controller.reconcile;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.controller.status.Diagnosis;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.application.ProfileContext;
import java.util.Map;
import java.util.Optional;

/** What an application learns of the profile that it names. */
interface ProfileLookup {

  /** Whether an application of this spec has the profile that it needs. */
  Found find(SparkApplicationSpec spec);

  /** The machine of each node that the profile plans, by node name. */
  Map<String, Machine> machines(String profile);

  /** An answer. */
  sealed interface Found {}

  /**
   * The application can be rendered.
   *
   * @param context empty for an application without a profile
   */
  record Ready(Optional<ProfileContext> context) implements Found {}

  /** The profile does not exist or has no slot. */
  record Missing(Diagnosis why) implements Found {}

  /** The operator has just started and has not planned the profile yet. */
  record NotPlannedYet() implements Found {}
}
