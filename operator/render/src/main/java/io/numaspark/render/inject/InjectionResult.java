package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** What injecting a profile into a manifest came to. */
public sealed interface InjectionResult {

  /**
   * The manifest's new values.
   *
   * @param tree all values, changed or not
   * @param summary what became of the executors, in one line
   * @param warnings field and message, of what does no harm but is worth knowing
   * @param podTemplate what properties of spark-submit name as the executors' pod template; empty
   *     if none is needed beside the user's own, and for all manifests that contain it
   */
  record Injected(
      ObjectNode tree, String summary, List<String> warnings, Optional<ObjectNode> podTemplate)
      implements InjectionResult {}

  /**
   * The executors would not be pinned.
   *
   * @param reasons field, reason and remedy of each; at least one
   */
  record Refused(List<String> reasons) implements InjectionResult {}
}
