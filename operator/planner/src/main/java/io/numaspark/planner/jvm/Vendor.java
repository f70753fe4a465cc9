package io.numaspark.planner.jvm;

/** JVM implementation. */
public enum Vendor {
  HOTSPOT,
  OPENJ9
}
