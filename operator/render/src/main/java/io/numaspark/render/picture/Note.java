package io.numaspark.render.picture;

import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Finding.Severity;

/**
 * Something that stands beside a picture: a finding, or why an executor is not pinned.
 *
 * @param subject what it is about, for example the reason of a finding
 * @param remedy what to do; may be empty
 */
public record Note(Severity severity, String subject, String message, String remedy) {

  /** A finding of the planner. */
  public static Note of(Finding finding) {
    return new Note(
        finding.severity(), finding.reason().displayName(), finding.message(), finding.remedy());
  }

  /** The first line. */
  String heading() {
    return severity.displayName() + ": " + subject;
  }
}
