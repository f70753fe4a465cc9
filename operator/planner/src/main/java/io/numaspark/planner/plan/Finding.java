package io.numaspark.planner.plan;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Something that makes a plan untrue, or worse than it could be.
 *
 * @param message what was found, with the numbers
 * @param remedy what to change
 */
public record Finding(Severity severity, Reason reason, String message, String remedy) {

  /** How much it matters. */
  public enum Severity {
    /** Executors would not be pinned, or the node would break: it is not used. */
    ERROR,
    /** Executors are pinned, but something that belongs to it is missing. */
    WARNING,
    /** Could be better. */
    INFO;

    /** The word that people read: Error, Warning or Info. */
    public String displayName() {
      return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }

    /** The severity that people call so; empty for none. */
    public static Optional<Severity> named(String displayName) {
      return Stream.of(values())
          .filter(severity -> severity.displayName().equals(displayName))
          .findFirst();
    }
  }
}
