package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What becomes of an object that somebody creates or changes in a namespace with a profile. */
public sealed interface Review {

  /** Nothing is to be done, and nothing to be said. */
  record Unchanged() implements Review {}

  /**
   * Its executors get a profile's shape, or keep it.
   *
   * @param object whole, with the annotations that say so
   * @param warnings field and message, of what does no harm but is worth knowing
   */
  record Pinned(ObjectNode object, List<String> warnings) implements Review {}

  /**
   * It stays as its author wrote it, and its executors are not pinned.
   *
   * @param object whole, with the annotation that says why
   * @param reasons field, reason and remedy of each; at least one
   */
  record Left(ObjectNode object, List<String> reasons) implements Review {}
}
