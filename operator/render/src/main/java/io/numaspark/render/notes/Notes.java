package io.numaspark.render.notes;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.schema.NullFields;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said about one manifest: why it is refused, and what of it has no effect or another one.
 * Fields are named as the reader wrote them.
 */
public final class Notes {
  private final List<String> refusals = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** A refusal, which names the remedy too. */
  public void refuse(String field, String reasonAndRemedy) {
    refusals.add(field + ": " + reasonAndRemedy);
  }

  /** Takes keys without a value out of a document, as kubectl does; a list item is refused. */
  public void dropNulls(JsonNode document) {
    NullFields.drop(document, "")
        .forEach(item -> refuse(item, "is empty; give it a value or remove it"));
  }

  /** A warning about a field. */
  public void warn(String field, String reason) {
    warnings.add(field + ": " + reason);
  }

  /** A warning that names its field itself. */
  public void warn(String warning) {
    warnings.add(warning);
  }

  /** Whether there is a refusal. */
  public boolean isRefused() {
    return !refusals.isEmpty();
  }

  /** The refusals, in order. */
  public List<String> refusals() {
    return List.copyOf(refusals);
  }

  /** The warnings, in order. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }
}
