package io.numaspark.agent.knob;

/**
 * What has to be known of a processor to tell its prefetcher registers.
 *
 * @param vendor {@code GenuineIntel}, {@code AuthenticAMD}, {@code POWER9}, or an Arm implementer
 *     code such as {@code 0x41}, as /proc/cpuinfo says
 * @param family CPU family; 0 where /proc/cpuinfo has none
 * @param model model number; 0 where /proc/cpuinfo has none
 * @param hypervisor whether the machine is a guest
 * @param leaf80000021 EAX of CPUID leaf 0x80000021; null if it could not be read
 */
public record Processor(
    String vendor, int family, int model, boolean hypervisor, Integer leaf80000021) {

  /** Vendor, family and model for messages. */
  public String describe() {
    return family == 0
        ? vendor
        : vendor
            + " family "
            + family
            + " model "
            + model
            + " (0x"
            + Integer.toHexString(model)
            + ")";
  }
}
