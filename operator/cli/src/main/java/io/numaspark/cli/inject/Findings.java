package io.numaspark.cli.inject;

import java.util.ArrayList;
import java.util.List;

/** What is said about a manifest: what forbids pinning it, and what is only worth knowing. */
final class Findings {
  private final List<String> refusals = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  void refuse(String field, String reasonAndRemedy) {
    refusals.add(field + ": " + reasonAndRemedy);
  }

  void refuseNodeLabel(String field, String value, String ofProfile) {
    refuse(
        field,
        "is %s, but the profile's nodes have %s; remove it, or use another profile"
            .formatted(value, ofProfile));
  }

  void warn(String field, String message) {
    warnings.add(field + ": " + message);
  }

  List<String> refusals() {
    return List.copyOf(refusals);
  }

  List<String> warnings() {
    return List.copyOf(warnings);
  }
}
