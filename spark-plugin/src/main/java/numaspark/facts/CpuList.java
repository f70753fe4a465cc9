package numaspark.facts;

import java.util.BitSet;
import java.util.Optional;

/** The kernel's notation for sets of CPUs and of NUMA nodes: {@code 0-3,8}. */
final class CpuList {
  /** The kernel's own limit (CONFIG_NR_CPUS) is 8192; more is garbage and would cost memory. */
  private static final int LIMIT = 1 << 16;

  private CpuList() {}

  /** Nothing, when the text is no such list. */
  static Optional<BitSet> parse(String text) {
    BitSet ids = new BitSet();
    try {
      for (String range : text.strip().split(",", -1)) {
        int dash = range.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
        if (first < 0 || last < first || last >= LIMIT) {
          return Optional.empty();
        }
        ids.set(first, last + 1);
      }
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    return Optional.of(ids);
  }

  static String format(BitSet ids) {
    StringBuilder text = new StringBuilder();
    for (int first = ids.nextSetBit(0); first >= 0; ) {
      int end = ids.nextClearBit(first);
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (end - 1 > first) {
        text.append('-').append(end - 1);
      }
      first = ids.nextSetBit(end);
    }
    return text.toString();
  }
}
