package io.numaspark.agent.knob;

/**
 * The closed set of places that a knob may live in: registers of a CPU, and files of the kernel.
 *
 * <p>Limit: {@link #writable()} is what any processor may have; what one processor has is in {@link
 * MechanismTable}.
 */
public enum Location {
  /** MSR_PREFETCH_CONTROL, once MSR_MISC_FEATURE_CONTROL (Intel SDM volume 4). */
  INTEL_PREFETCH_CONTROL("msr-0x1a4", 0x1A4L, 0xFFL),
  /** Prefetchers of newer server cores (PerfSpect's definitions, MsrPrefetchers). */
  INTEL_PREFETCHERS("msr-0x6d", 0x6DL, 1L << 42),
  /** Prefetchers of efficient server cores (PerfSpect's definitions, MsrAtomPrefTuning1). */
  INTEL_ATOM_PREFETCH("msr-0x1320", 0x1320L, 1L << 43),
  /** Prefetch Control, bits 0-3 and 5 (AMD PPR of family 19h). */
  AMD_PREFETCH_CONTROL("msr-0xc0000108", 0xC0000108L, 0x2FL),
  /** Data stream control register, its three bits of default prefetch depth (Power ISA 2.07). */
  POWER_DSCR("dscr", -1, 0x7L),
  TRANSPARENT_HUGE_PAGES("transparent-hugepage", "sys/kernel/mm/transparent_hugepage/enabled"),
  NUMA_BALANCING("numa-balancing", "proc/sys/kernel/numa_balancing"),
  ZONE_RECLAIM("zone-reclaim", "proc/sys/vm/zone_reclaim_mode"),
  SWAPPINESS("swappiness", "proc/sys/vm/swappiness");

  private final String key;
  private final long msr;
  private final long writable;
  private final String file;

  Location(String key, long msr, long writable) {
    this.key = key;
    this.msr = msr;
    this.writable = writable;
    this.file = null;
  }

  Location(String key, String file) {
    this.key = key;
    this.msr = -1;
    this.writable = -1;
    this.file = file;
  }

  /** The name in the writer's state file. */
  public String key() {
    return key;
  }

  /** Whether it is a model specific register. */
  public boolean isMsr() {
    return msr >= 0;
  }

  /** Number of the model specific register; -1 if it is none. */
  public long msr() {
    return msr;
  }

  /** Whether each CPU has its own. */
  public boolean isPerCpu() {
    return file == null;
  }

  /** Path of the kernel's file below the root; null if each CPU has its own. */
  public String file() {
    return file;
  }

  /** Every bit that some knob may change; all other bits stay as they are. */
  public long writable() {
    return writable;
  }

  /**
   * The place of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Location of(String key) {
    for (Location location : values()) {
      if (location.key.equals(key)) {
        return location;
      }
    }
    throw new IllegalArgumentException("'" + Quoted.of(key) + "' is no place of a knob");
  }
}
