package io.numaspark.planner.jvm;

/** Transparent huge pages of the heap; AUTO leaves the JVM's default. */
public enum TransparentHugePages {
  AUTO,
  ENABLED,
  DISABLED
}
