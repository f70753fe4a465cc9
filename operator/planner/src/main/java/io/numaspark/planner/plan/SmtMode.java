package io.numaspark.planner.plan;

/** Use of a core's hardware threads. */
public enum SmtMode {
  /** Every thread may run a task. */
  SHARED,
  /** One task a core; its other threads belong to the executor and stay idle. */
  ISOLATED,
  /** SMT is expected to be off. */
  DISABLED
}
