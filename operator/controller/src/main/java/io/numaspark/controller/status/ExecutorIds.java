package io.numaspark.controller.status;

import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of Spark's executor ids, as text in ranges: "1-40,57".
 *
 * <p>Spark numbers executors upwards from 1 and never reuses a number within an attempt, so the
 * text stays short even for a driver that replaces executors without end. Limit: of more than
 * {@value #MOST_RANGES} ranges the lowest are joined, so that an executor between them would no
 * longer be counted.
 */
final class ExecutorIds {
  private static final int MOST_RANGES = 200;
  private static final int LARGEST_ID = 10_000_000;

  private final BitSet ids = new BitSet();

  /** The ids of a text that this class wrote; whatever else is in it is left out. */
  static ExecutorIds parse(String text) {
    ExecutorIds parsed = new ExecutorIds();
    Stream.of(text == null ? new String[0] : text.split(","))
        .filter(range -> range.matches("[0-9]{1,7}(-[0-9]{1,7})?"))
        .map(range -> range.split("-"))
        .forEach(
            ends -> {
              int first = Integer.parseInt(ends[0]);
              int last = Integer.parseInt(ends[ends.length - 1]);
              parsed.ids.set(first, Math.max(first, last) + 1);
            });
    return parsed;
  }

  /** Adds an id; false if it was there already, or is not one of Spark's. */
  boolean add(int id) {
    if (id < 0 || id >= LARGEST_ID || ids.get(id)) {
      return false;
    }
    ids.set(id);
    return true;
  }

  /** The ranges; null for the empty set, which a status leaves out. */
  String text() {
    Stream.Builder<String> ranges = Stream.builder();
    int count = 0;
    for (int first = ids.nextSetBit(0); first >= 0; count++) {
      first = ids.nextSetBit(ids.nextClearBit(first));
    }
    int joined = Math.max(0, count - MOST_RANGES);
    int seen = 0;
    int start = ids.nextSetBit(0);
    for (int first = start; first >= 0; seen++) {
      int end = ids.nextClearBit(first);
      if (seen >= joined) {
        int from = seen == joined ? start : first;
        ranges.add(from == end - 1 ? String.valueOf(from) : from + "-" + (end - 1));
      }
      first = ids.nextSetBit(end);
    }
    String text = ranges.build().collect(Collectors.joining(","));
    return text.isEmpty() ? null : text;
  }
}
