package io.numaspark.cli.cluster;

import java.time.Duration;
import java.time.Instant;

/** How long ago something was, as kubectl writes it. */
final class Age {
  private static final int MANY = 2;

  private Age() {}

  /** For example 45s, 12m, 5h, 3d. */
  static String of(String since, Instant now) {
    if (since == null) {
      return "";
    }
    Duration age = Duration.between(Instant.parse(since), now);
    if (age.toDays() >= MANY) {
      return age.toDays() + "d";
    }
    if (age.toHours() >= MANY) {
      return age.toHours() + "h";
    }
    return age.toMinutes() >= MANY ? age.toMinutes() + "m" : Math.max(0, age.toSeconds()) + "s";
  }
}
