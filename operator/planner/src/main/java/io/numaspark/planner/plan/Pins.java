package io.numaspark.planner.plan;

/** What pins the executors of a plan. */
public enum Pins {
  KUBELET,
  RUNTIME,
  /** The kubelet on some nodes, the container runtime on others. */
  BOTH,
  /** Nothing, on nodes whose kubelet would: their executors must not ask for CPUs of their own. */
  NOTHING;

  /** Whether the container runtime pins on any node. */
  public boolean byRuntime() {
    return this == RUNTIME || this == BOTH;
  }
}
