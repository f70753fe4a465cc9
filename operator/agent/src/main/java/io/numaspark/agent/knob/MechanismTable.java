package io.numaspark.agent.knob;

import io.numaspark.agent.knob.Mechanism.Bits;
import io.numaspark.agent.knob.Mechanism.Coding;
import io.numaspark.agent.knob.Mechanism.None;

/**
 * Which register and bit is which knob on which processor: a pure table.
 *
 * <p>Sources: Intel "Disclosure of Hardware Prefetcher Control on Some Intel Processors" (0x1A4,
 * bits 0-3, Nehalem to Broadwell); Intel SDM volume 4 (Xeon Phi's own meaning of bits 0 and 1);
 * Intel PerfSpect, prefetcher definitions (0x1A4 bits 0-7, 0x6D, 0x1320, for Haswell to Clearwater
 * Forest); Linux arch/x86/include/asm/intel-family.h (model numbers); AMD PPR of family 19h
 * (0xC0000108); Power ISA (DSCR). Limit: processors that no source names are unsupported, however
 * much they resemble one that is; that the bits do something is for the writer to prove.
 */
public final class MechanismTable {

  private static final int AMD_ZEN_1_AND_2 = 0x17;
  private static final int AMD_ZEN_3_AND_4 = 0x19;
  private static final int AMD_ZEN_5 = 0x1A;

  /** PrefetchCtlMsr, in EAX of CPUID leaf 0x80000021 (AMD PPR, Fn8000_0021_EAX[13]). */
  private static final int PREFETCH_CTL_MSR = 1 << 13;

  private static final String LEAVE_OUT = "leave the knob out of the profile of such nodes";

  private MechanismTable() {}

  /** How a processor, or the kernel, implements a knob. */
  public static Mechanism find(Knob knob, Processor processor) {
    Bits file = kernelFile(knob);
    if (file != null) {
      return file;
    }
    String vendor = processor.vendor();
    if (vendor.equals("GenuineIntel")) {
      return intel(knob, processor);
    }
    if (vendor.equals("AuthenticAMD")) {
      return amd(knob, processor);
    }
    if (vendor.startsWith("POWER")) {
      return power(knob, processor);
    }
    if (vendor.startsWith("0x")) {
      return new None(
          "Arm processors have their prefetch control in CPUECTLR_EL1 and CPUACTLR_EL1, which only"
              + " firmware may write",
          LEAVE_OUT + ", or look for a setting of the firmware");
    }
    return new None(
        "no prefetcher register of " + processor.describe() + " is documented", LEAVE_OUT);
  }

  private static Bits kernelFile(Knob knob) {
    return switch (knob) {
      case TRANSPARENT_HUGE_PAGES -> file(Location.TRANSPARENT_HUGE_PAGES, Coding.HUGE_PAGES);
      case NUMA_BALANCING -> file(Location.NUMA_BALANCING, Coding.ZERO_IS_OFF);
      case ZONE_RECLAIM -> file(Location.ZONE_RECLAIM, Coding.ZERO_IS_OFF);
      case SWAPPINESS -> file(Location.SWAPPINESS, Coding.NUMBER);
      default -> null;
    };
  }

  private static Bits file(Location location, Coding coding) {
    return new Bits(location, -1L, coding, false);
  }

  private static Mechanism intel(Knob knob, Processor processor) {
    IntelCore core =
        processor.family() == 6 ? IntelCore.ofModel(processor.model()) : IntelCore.UNKNOWN;
    if (core == IntelCore.UNKNOWN) {
      return new None(
          processor.describe()
              + " is not in the list of processors whose prefetcher bits are known",
          "leave the knob out of the profile of such nodes, or ask for the processor to be added"
              + " and name a document of Intel");
    }
    int bit = core.bit(knob);
    if (bit >= 0) {
      return bit(Location.INTEL_PREFETCH_CONTROL, bit, false);
    }
    if (knob == Knob.LLC_STREAM && core.hasPrefetchersRegister()) {
      return bit(Location.INTEL_PREFETCHERS, 42, false);
    }
    if (knob == Knob.LLC_STREAM && core == IntelCore.EFFICIENT_SERVER) {
      return bit(Location.INTEL_ATOM_PREFETCH, 43, false);
    }
    return absent(knob, processor);
  }

  private static Mechanism amd(Knob knob, Processor processor) {
    if (processor.family() == AMD_ZEN_1_AND_2) {
      return new None(
          "AMD documents no prefetcher register of family 17h (Zen, Zen 2)",
          LEAVE_OUT + ", or use the settings of the firmware");
    }
    if (processor.family() != AMD_ZEN_3_AND_4 && processor.family() != AMD_ZEN_5) {
      return new None(
          processor.describe()
              + " is not in the list of processors whose prefetcher bits are known",
          LEAVE_OUT);
    }
    if (processor.leaf80000021() == null) {
      return new None(
          "CPUID leaf 0x80000021 cannot be read, which says whether the prefetcher register exists",
          "load the kernel module cpuid on the node, and let the writer see /dev/cpu");
    }
    if ((processor.leaf80000021() & PREFETCH_CTL_MSR) == 0) {
      return new None(
          "CPUID leaf 0x80000021 EAX bit 13 says that there is no prefetcher register"
              + (processor.hypervisor() ? "; hypervisors hide it" : ""),
          LEAVE_OUT);
    }
    int bit =
        switch (knob) {
          case L1_NEXT_LINE -> 0;
          case L1_STRIDE -> 1;
          case L1_REGION -> 2;
          case L2_STREAM -> 3;
          case L2_ADJACENT_LINE -> 5;
          default -> -1;
        };
    return bit < 0 ? absent(knob, processor) : bit(Location.AMD_PREFETCH_CONTROL, bit, true);
  }

  private static Mechanism power(Knob knob, Processor processor) {
    if (knob == Knob.L2_STREAM) {
      return new Bits(Location.POWER_DSCR, 0x7L, Coding.ONE_IS_NO_PREFETCH, false);
    }
    return new None(
        processor.describe() + " has only stream prefetch, whose default depth is in the DSCR",
        "use " + Knob.L2_STREAM.key() + " there");
  }

  private static Bits bit(Location location, int bit, boolean experimental) {
    return new Bits(location, 1L << bit, Coding.ONE_DISABLES, experimental);
  }

  private static None absent(Knob knob, Processor processor) {
    return new None(processor.describe() + " has no documented bit for " + knob.key(), LEAVE_OUT);
  }
}
