package io.numaspark.planner.admission;

/** What a feature gate is if a kubelet's configuration does not name it (kube_features.go). */
enum FeatureGate {
  OFF,
  ON,
  /** On, and a kubelet that is to switch it off does not start (LockToDefault). */
  LOCKED_ON;

  boolean isOnByDefault() {
    return this != OFF;
  }
}
