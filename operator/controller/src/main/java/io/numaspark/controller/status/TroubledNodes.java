package io.numaspark.controller.status;

import io.numaspark.render.text.ForeignText;
import java.util.List;
import java.util.SortedMap;

/**
 * The nodes of a profile on which something does not work, in one message of a condition.
 *
 * <p>Limit: agents' own messages are a part of it, so three nodes are named and the whole is cut.
 *
 * @param all how many nodes were looked at
 * @param messages what does not work, by node name
 */
record TroubledNodes(int all, SortedMap<String, String> messages) {
  private static final int NAMED = 3;
  private static final int LONGEST_MESSAGE = 4096;

  /** For example "1 of 3 nodes". */
  String count() {
    return "%d of %s".formatted(messages.size(), nodes(all));
  }

  /** For example "1 node". */
  static String nodes(int count) {
    return count == 1 ? "1 node" : count + " nodes";
  }

  /** Some words that end with {@link #count}, and then what does not work where. */
  String listed(String what) {
    List<String> named =
        messages.entrySet().stream()
            .limit(NAMED)
            .map(node -> node.getKey() + ": " + node.getValue())
            .toList();
    int others = messages.size() - named.size();
    return ForeignText.line(
        "%s: %s%s"
            .formatted(
                what,
                String.join("; ", named),
                others > 0 ? "; and %d more".formatted(others) : ""),
        LONGEST_MESSAGE);
  }
}
