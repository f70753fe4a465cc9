package io.numaspark.render.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What becomes of a new application in a namespace with defaults. */
public sealed interface Defaulting {
  /** Annotation, cause and remedy of each default that is not used. */
  List<String> warnings();

  /** It stays as it was sent. */
  record Unchanged(List<String> warnings) implements Defaulting {}

  /**
   * Fields are filled in.
   *
   * @param object whole, with the annotation that says which
   */
  record Filled(ObjectNode object, List<String> warnings) implements Defaulting {}
}
