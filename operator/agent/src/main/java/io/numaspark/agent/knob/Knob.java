package io.numaspark.agent.knob;

import java.util.List;

/**
 * The closed set of knobs, by the names of {@code spec.knobs.settings}, with the values of each.
 *
 * <p>Limit: says nothing about how a machine implements a knob; that is {@link MechanismTable}.
 */
public enum Knob {
  L1_NEXT_LINE("prefetch.l1NextLine", Values.SWITCH),
  L1_STRIDE("prefetch.l1Stride", Values.SWITCH),
  L1_REGION("prefetch.l1Region", Values.SWITCH),
  L1_NEXT_PAGE("prefetch.l1NextPage", Values.SWITCH),
  L2_STREAM("prefetch.l2Stream", Values.SWITCH),
  L2_ADJACENT_LINE("prefetch.l2AdjacentLine", Values.SWITCH),
  L2_ADAPTIVE_MULTIPATH("prefetch.l2AdaptiveMultipath", Values.SWITCH),
  LLC_PAGE("prefetch.llcPage", Values.SWITCH),
  ARRAY_OF_POINTERS("prefetch.arrayOfPointers", Values.SWITCH),
  LLC_STREAM("prefetch.llcStream", Values.SWITCH),
  TRANSPARENT_HUGE_PAGES("memory.transparentHugePages", Values.HUGE_PAGES),
  NUMA_BALANCING("memory.numaBalancing", Values.SWITCH),
  ZONE_RECLAIM("memory.zoneReclaim", Values.SWITCH),
  SWAPPINESS("memory.swappiness", Values.SWAPPINESS);

  /** Largest value of vm.swappiness (Linux 5.8 and later; Documentation/admin-guide/sysctl/vm). */
  private static final int SWAPPINESS_MAX = 200;

  private static final List<String> SWITCH_WORDS = List.of("Enabled", "Disabled");
  private static final List<String> HUGE_PAGES_WORDS = List.of("Always", "Madvise", "Never");

  private enum Values {
    SWITCH,
    HUGE_PAGES,
    SWAPPINESS
  }

  private final String key;
  private final Values values;

  Knob(String key, Values values) {
    this.key = key;
    this.values = values;
  }

  /** The name in resources and on the writer's socket, for example {@code prefetch.l1Stride}. */
  public String key() {
    return key;
  }

  /** Whether the knob is a prefetcher's, so that it can be set by core. */
  public boolean isPrefetcher() {
    return key.startsWith("prefetch.");
  }

  /**
   * The knob of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Knob of(String key) {
    Knob found = find(key);
    if (found != null) {
      return found;
    }
    StringBuilder names = new StringBuilder();
    for (Knob knob : values()) {
      names.append(names.isEmpty() ? "" : ", ").append(knob.key);
    }
    throw new IllegalArgumentException(
        "'" + Quoted.of(key) + "' is not a knob: write one of " + names);
  }

  /** The knob of this name; null if there is none. */
  public static Knob find(String key) {
    for (Knob knob : values()) {
      if (knob.key.equals(key)) {
        return knob;
      }
    }
    return null;
  }

  /**
   * Checks a value of this knob.
   *
   * @return the value itself
   * @throws IllegalArgumentException if the knob does not take it
   */
  public String check(String value) {
    boolean taken =
        switch (values) {
          case SWITCH -> SWITCH_WORDS.contains(String.valueOf(value));
          case HUGE_PAGES -> HUGE_PAGES_WORDS.contains(String.valueOf(value));
          case SWAPPINESS -> isSwappiness(value);
        };
    if (taken) {
      return value;
    }
    String allowed =
        switch (values) {
          case SWITCH -> String.join(" or ", SWITCH_WORDS);
          case HUGE_PAGES -> String.join(", ", HUGE_PAGES_WORDS);
          case SWAPPINESS -> "a number from 0 to " + SWAPPINESS_MAX;
        };
    throw new IllegalArgumentException(
        key + ": '" + Quoted.of(value) + "' is not a value of this knob: write " + allowed);
  }

  private static boolean isSwappiness(String value) {
    if (value == null || value.isEmpty() || value.length() > 3) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    // "007" would never be equal to what is read back.
    return String.valueOf(Integer.parseInt(value)).equals(value)
        && Integer.parseInt(value) <= SWAPPINESS_MAX;
  }
}
