package io.numaspark.planner.jvm;

/**
 * Garbage collector; AUTO is chosen by {@link JvmOptions}, UNSET is left to options given
 * elsewhere.
 */
public enum Collector {
  AUTO,
  PARALLEL,
  G1,
  SERIAL,
  ZGC,
  UNSET
}
