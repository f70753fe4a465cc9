package io.numaspark.planner.topology;

import java.util.BitSet;
import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * An immutable, sorted set of CPU ids (hardware threads), in Linux's list notation as text.
 *
 * <p>Ids go from 0 to {@value #MAX_ID}, the largest that a Linux kernel is built for.
 */
public final class CpuSet {
  /** Largest CPU id: CONFIG_NR_CPUS is at most 8192. */
  public static final int MAX_ID = 8191;

  /** Most characters of a text that a message has of it. */
  private static final int QUOTED = 64;

  public static final CpuSet EMPTY = new CpuSet(new BitSet());

  private final BitSet bits;

  private CpuSet(BitSet bits) {
    this.bits = bits;
  }

  /** The set of the given ids. */
  public static CpuSet of(int... ids) {
    return of(IntStream.of(ids));
  }

  /** The set of the given ids. */
  public static CpuSet of(IntStream ids) {
    BitSet bits = new BitSet();
    ids.forEach(
        id -> {
          if (id < 0 || id > MAX_ID) {
            throw new IllegalArgumentException("CPU id " + id + " is outside of 0-" + MAX_ID);
          }
          bits.set(id);
        });
    return new CpuSet(bits);
  }

  /** All ids from first to last, both included. */
  public static CpuSet range(int first, int last) {
    return of(IntStream.rangeClosed(first, last));
  }

  /** The union of all given sets. */
  public static CpuSet unionOf(Collection<CpuSet> sets) {
    BitSet bits = new BitSet();
    sets.forEach(set -> bits.or(set.bits));
    return new CpuSet(bits);
  }

  /**
   * Reads Linux's list notation, for example {@code 0-3,8}; blank text is the empty set.
   *
   * @throws IllegalArgumentException naming the part that is not understood
   */
  public static CpuSet parse(String list) {
    BitSet bits = new BitSet();
    if (list.isBlank()) {
      return EMPTY;
    }
    for (String part : list.trim().split(",", -1)) {
      String[] ends = part.trim().split("-", -1);
      if (ends.length > 2) {
        throw unreadable(list, part);
      }
      int first = parseId(list, ends[0]);
      int last = ends.length == 1 ? first : parseId(list, ends[1]);
      if (last < first) {
        throw new IllegalArgumentException(
            "'" + cut(part) + "' in '" + cut(list) + "' runs backwards: write the lower CPU first");
      }
      bits.set(first, last + 1);
    }
    return new CpuSet(bits);
  }

  private static int parseId(String list, String text) {
    if (text.isEmpty() || text.length() > 4 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw unreadable(list, text);
    }
    int id = Integer.parseInt(text);
    if (id > MAX_ID) {
      throw unreadable(list, text);
    }
    return id;
  }

  private static IllegalArgumentException unreadable(String list, String part) {
    return new IllegalArgumentException(
        "'"
            + cut(part)
            + "' in '"
            + cut(list)
            + "' is not a CPU id: write ids from 0 to "
            + MAX_ID
            + " as in 0-3,8");
  }

  /** Texts of others may be of any length. */
  private static String cut(String text) {
    return text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "...";
  }

  public CpuSet union(CpuSet other) {
    BitSet result = copy();
    result.or(other.bits);
    return new CpuSet(result);
  }

  public CpuSet minus(CpuSet other) {
    BitSet result = copy();
    result.andNot(other.bits);
    return new CpuSet(result);
  }

  public CpuSet intersect(CpuSet other) {
    BitSet result = copy();
    result.and(other.bits);
    return new CpuSet(result);
  }

  private BitSet copy() {
    return (BitSet) bits.clone();
  }

  public boolean contains(int id) {
    return id >= 0 && bits.get(id);
  }

  public boolean containsAll(CpuSet other) {
    return other.minus(this).isEmpty();
  }

  public boolean intersects(CpuSet other) {
    return bits.intersects(other.bits);
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public int size() {
    return bits.cardinality();
  }

  /**
   * The lowest id.
   *
   * @throws NoSuchElementException if the set is empty
   */
  public int first() {
    if (bits.isEmpty()) {
      throw new NoSuchElementException("the empty set has no first CPU");
    }
    return bits.nextSetBit(0);
  }

  /** The ids in ascending order. */
  public IntStream stream() {
    return bits.stream();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && bits.equals(set.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  /** Linux's list notation with the fewest parts; empty text for the empty set. */
  @Override
  public String toString() {
    StringJoiner list = new StringJoiner(",");
    for (int first = bits.nextSetBit(0); first >= 0; ) {
      int last = bits.nextClearBit(first) - 1;
      list.add(first == last ? String.valueOf(first) : first + "-" + last);
      first = bits.nextSetBit(last + 1);
    }
    return list.toString();
  }
}
