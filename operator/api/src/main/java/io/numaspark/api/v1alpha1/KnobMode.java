package io.numaspark.api.v1alpha1;

/** Whether a knob is only compared, or set. */
public enum KnobMode {
  Observe,
  Enforce
}
