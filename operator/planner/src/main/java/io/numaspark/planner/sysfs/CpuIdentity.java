package io.numaspark.planner.sysfs;

/**
 * Which processor a machine has, as /proc/cpuinfo names it.
 *
 * @param vendor {@code GenuineIntel} or {@code AuthenticAMD} on x86, the implementer code on Arm
 *     ({@code 0x41}), the processor on POWER ({@code POWER9}); {@code unknown} if none is given
 * @param family CPU family on x86, architecture version on Arm; 0 if none is given
 * @param model model on x86, part number on Arm; 0 if none is given
 * @param smtControl the kernel's SMT switch ({@code on}, {@code off}, {@code forceoff}, {@code
 *     notsupported}, on newer POWER kernels a number of threads); {@code notimplemented} if there
 *     is no switch
 */
public record CpuIdentity(String vendor, int family, int model, String smtControl) {}
