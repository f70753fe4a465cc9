package io.numaspark.render.sparktrial;

import io.numaspark.api.v1alpha1.SparkTrialSpec.Variant;
import io.numaspark.trial.design.Arm;

/**
 * One arm of a SparkTrial.
 *
 * @param what it is, in words
 * @param variant how it changes template and profile
 */
public record ArmPlan(Arm arm, String what, Variant variant) {}
