package io.numaspark.cli.convert;

import java.util.ArrayList;
import java.util.List;

/**
 * What is said about one manifest: why it cannot be converted, and what of it has no effect or
 * another one. Fields are named as the reader wrote them.
 */
final class Notes {
  private final List<String> refusals = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  void refuse(String field, String reasonAndRemedy) {
    refusals.add(field + ": " + reasonAndRemedy);
  }

  void warn(String field, String reason) {
    warnings.add(field + ": " + reason);
  }

  /** A warning that names its field itself. */
  void warn(String warning) {
    warnings.add(warning);
  }

  boolean isRefused() {
    return !refusals.isEmpty();
  }

  List<String> refusals() {
    return List.copyOf(refusals);
  }

  List<String> warnings() {
    return List.copyOf(warnings);
  }
}
