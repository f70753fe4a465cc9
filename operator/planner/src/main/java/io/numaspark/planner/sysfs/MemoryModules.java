package io.numaspark.planner.sysfs;

import java.util.Optional;

/**
 * The memory modules of a machine, as its firmware lists them (SMBIOS type 17, Memory Device).
 *
 * @param count populated slots, at least 1
 * @param type kind of memory such as {@code DDR4}; of the first module, which speaks for all; empty
 *     if the firmware does not tell
 * @param configuredSpeed speed in MT/s that the firmware has set for the slowest module; empty if
 *     it tells none
 * @param ratedSpeed highest speed in MT/s of the slowest module; empty if the firmware does not
 *     tell
 */
public record MemoryModules(
    int count,
    Optional<String> type,
    Optional<Integer> configuredSpeed,
    Optional<Integer> ratedSpeed) {}
