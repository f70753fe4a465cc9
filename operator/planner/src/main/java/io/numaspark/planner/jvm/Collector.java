package io.numaspark.planner.jvm;

/** Garbage collector; AUTO is chosen by {@link JvmOptions}. */
public enum Collector {
  AUTO,
  PARALLEL,
  G1,
  SERIAL,
  ZGC
}
