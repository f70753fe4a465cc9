package io.numaspark.agent.knob;

/**
 * Intel's processors of family 6, as far as their prefetcher bits in MSR 0x1A4 are known.
 *
 * <p>Sources: see {@link MechanismTable}. Limit: servers, and the desktop processors that share
 * their cores up to Kaby Lake.
 */
enum IntelCore {
  /** Nehalem to Ice Lake: four prefetchers. */
  FOUR_PREFETCHERS,
  /** Sapphire Rapids and Emerald Rapids. */
  SAPPHIRE_RAPIDS,
  /** Granite Rapids. */
  GRANITE_RAPIDS,
  /** Sierra Forest and Clearwater Forest. */
  EFFICIENT_SERVER,
  /** Knights Landing and Knights Mill, whose bits 0 and 1 mean something else. */
  XEON_PHI,
  UNKNOWN;

  static IntelCore ofModel(int model) {
    return switch (model) {
      // Nehalem, Westmere.
      case 0x1A, 0x1E, 0x1F, 0x2E, 0x25, 0x2C, 0x2F -> FOUR_PREFETCHERS;
      // Sandy Bridge, Ivy Bridge.
      case 0x2A, 0x2D, 0x3A, 0x3E -> FOUR_PREFETCHERS;
      // Haswell, Broadwell.
      case 0x3C, 0x3F, 0x45, 0x46, 0x3D, 0x47, 0x4F, 0x56 -> FOUR_PREFETCHERS;
      // Skylake, with Cascade Lake and Cooper Lake under the same number; Kaby Lake.
      case 0x4E, 0x5E, 0x55, 0x8E, 0x9E -> FOUR_PREFETCHERS;
      // Ice Lake servers.
      case 0x6A, 0x6C -> FOUR_PREFETCHERS;
      case 0x8F, 0xCF -> SAPPHIRE_RAPIDS;
      case 0xAD, 0xAE -> GRANITE_RAPIDS;
      case 0xAF, 0xDD -> EFFICIENT_SERVER;
      case 0x57, 0x85 -> XEON_PHI;
      default -> UNKNOWN;
    };
  }

  /** The knob's bit in MSR 0x1A4; -1 if it has none there. */
  int bit(Knob knob) {
    if (this == XEON_PHI) {
      return knob == Knob.L1_NEXT_LINE ? 0 : knob == Knob.L2_STREAM ? 1 : -1;
    }
    return switch (knob) {
      case L2_STREAM -> 0;
      case L2_ADJACENT_LINE -> 1;
      case L1_NEXT_LINE -> 2;
      case L1_STRIDE -> 3;
      // PerfSpect has this bit for all processors, Intel's disclosure calls it reserved up to
      // Broadwell; so it is taken only where both generations of documents leave no doubt.
      case L1_NEXT_PAGE -> hasPrefetchersRegister() ? 4 : -1;
      case L2_ADAPTIVE_MULTIPATH -> hasPrefetchersRegister() ? 5 : -1;
      case LLC_PAGE -> this == GRANITE_RAPIDS ? 6 : -1;
      case ARRAY_OF_POINTERS -> this == GRANITE_RAPIDS ? 7 : -1;
      default -> -1;
    };
  }

  /** Whether MSR 0x6D holds further prefetchers. */
  boolean hasPrefetchersRegister() {
    return this == SAPPHIRE_RAPIDS || this == GRANITE_RAPIDS;
  }
}
