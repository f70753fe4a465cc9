package io.numaspark.planner.sysfs;

import java.util.Optional;

/**
 * Which processor a machine has, as /proc/cpuinfo names it.
 *
 * @param vendor {@code GenuineIntel} or {@code AuthenticAMD} on x86, the implementer code on Arm
 *     ({@code 0x41}), the processor on POWER ({@code POWER9}); {@code unknown} if none is given
 * @param family CPU family on x86, architecture version on Arm; 0 if none is given
 * @param model model on x86, part number on Arm; 0 if none is given
 * @param name the name that the processor gives itself; empty if it gives none, as most of Arm
 * @param smtControl the kernel's SMT switch ({@code on}, {@code off}, {@code forceoff}, {@code
 *     notsupported}, since Linux 6.6 also a number of threads where some of them are off); {@code
 *     notimplemented} if there is no switch
 */
public record CpuIdentity(
    String vendor, int family, int model, Optional<String> name, String smtControl) {}
