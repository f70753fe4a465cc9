package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What injecting a profile into a manifest came to. */
public sealed interface InjectionResult {

  /**
   * The manifest's new values.
   *
   * @param tree all values, changed or not
   * @param summary what became of the executors, in one line
   * @param warnings field and message, of what does no harm but is worth knowing
   */
  record Injected(ObjectNode tree, String summary, List<String> warnings)
      implements InjectionResult {}

  /**
   * The executors would not be pinned.
   *
   * @param reasons field, reason and remedy of each; at least one
   */
  record Refused(List<String> reasons) implements InjectionResult {}
}
