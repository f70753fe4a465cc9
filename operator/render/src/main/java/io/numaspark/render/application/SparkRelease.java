package io.numaspark.render.application;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which Spark an application says it runs (spec.sparkVersion). */
public final class SparkRelease {
  private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})");

  private SparkRelease() {}

  /** Whether the version is known and at least the given one. */
  public static boolean isAtLeast(String version, int major, int minor) {
    return version != null && compare(version, major, minor) >= 0;
  }

  /** Whether the version is known and before the given one. */
  public static boolean isBefore(String version, int major, int minor) {
    if (version == null) {
      return false;
    }
    Matcher parts = VERSION.matcher(version);
    return parts.lookingAt() && compare(version, major, minor) < 0;
  }

  private static int compare(String version, int major, int minor) {
    Matcher parts = VERSION.matcher(version);
    if (!parts.lookingAt()) {
      return -1;
    }
    int majors = Integer.compare(Integer.parseInt(parts.group(1)), major);
    return majors != 0 ? majors : Integer.compare(Integer.parseInt(parts.group(2)), minor);
  }
}
