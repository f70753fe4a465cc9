package io.numaspark.agent.knob;

/** How a machine implements a knob, or why it does not. */
public sealed interface Mechanism {

  /**
   * The knob is some bits of a place.
   *
   * @param location the place
   * @param mask the knob's bits; all other bits belong to others
   * @param coding what the bits mean
   * @param experimental whether the vendor's description leaves open what the bit does to a load
   */
  record Bits(Location location, long mask, Coding coding, boolean experimental)
      implements Mechanism {

    /**
     * The value that the bits stand for, in the words of {@link Knob}; text in parentheses if the
     * knob has no word for it.
     */
    public String decode(long content) {
      long bits = content & mask;
      return switch (coding) {
        case ONE_DISABLES -> bits == 0 ? "Enabled" : "Disabled";
        case ONE_IS_NO_PREFETCH -> bits == 1 ? "Disabled" : "Enabled";
        case ZERO_IS_OFF -> bits == 0 ? "Disabled" : "Enabled";
        case HUGE_PAGES ->
            bits == 0 ? "Always" : bits == 1 ? "Madvise" : bits == 2 ? "Never" : "(" + bits + ")";
        case NUMBER -> String.valueOf(bits);
      };
    }

    /**
     * The content of the place with this knob set to a valid value, and all other bits as they are.
     * Bits that mean the value already stay as they are too: a POWER depth of 7, for example, is as
     * enabled as one of 0.
     */
    public long encode(long content, String value) {
      if (decode(content).equals(value)) {
        return content;
      }
      long bits =
          switch (coding) {
            case ONE_DISABLES -> value.equals("Disabled") ? mask : 0;
            case ONE_IS_NO_PREFETCH -> value.equals("Disabled") ? 1 : 0;
            case ZERO_IS_OFF -> value.equals("Disabled") ? 0 : 1;
            case HUGE_PAGES -> value.equals("Always") ? 0 : value.equals("Madvise") ? 1 : 2;
            case NUMBER -> Long.parseLong(value);
          };
      return content & ~mask | bits & mask;
    }
  }

  /**
   * The machine has no such knob, or none that is known to be safe.
   *
   * @param reason why
   * @param remedy what may be done about it
   */
  record None(String reason, String remedy) implements Mechanism {

    /** Reason and remedy in one sentence. */
    public String message() {
      return reason + ": " + remedy;
    }
  }

  /** What the bits of a knob mean. */
  enum Coding {
    /** A set bit turns the prefetcher off (Intel, AMD). */
    ONE_DISABLES,
    /** Default prefetch depth of POWER: 1 is none, 0 the default, 2 to 7 from shallow to deep. */
    ONE_IS_NO_PREFETCH,
    /** 0 is off; every other number is some way of on. */
    ZERO_IS_OFF,
    /** 0 always, 1 madvise, 2 never. */
    HUGE_PAGES,
    /** The number itself. */
    NUMBER
  }
}
