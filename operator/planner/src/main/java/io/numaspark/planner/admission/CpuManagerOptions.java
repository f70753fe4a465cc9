package io.numaspark.planner.admission;

import io.numaspark.planner.topology.KubeletSettings;
import java.util.SortedMap;

/**
 * The CPU manager's options that change where CPUs are taken (policy_options.go:
 * StaticPolicyOptions).
 *
 * @param release the kubelet's version, which decides what the options mean in detail
 */
record CpuManagerOptions(
    boolean fullCoresOnly,
    boolean strictReservation,
    boolean preferAlignByCache,
    boolean distributeAcrossNuma,
    boolean distributeAcrossCores,
    boolean alignBySocket,
    KubeletRelease release) {

  static CpuManagerOptions of(KubeletSettings kubelet) {
    return of(kubelet.cpuManager().options(), KubeletRelease.of(kubelet));
  }

  static CpuManagerOptions of(SortedMap<String, String> options, KubeletRelease release) {
    return new CpuManagerOptions(
        isOn(options, KubeletSettings.FULL_PCPUS_ONLY),
        isOn(options, KubeletSettings.STRICT_CPU_RESERVATION),
        isOn(options, KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE),
        isOn(options, KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA),
        isOn(options, KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES),
        isOn(options, KubeletSettings.ALIGN_BY_SOCKET),
        release);
  }

  private static boolean isOn(SortedMap<String, String> options, String option) {
    return KubeletSettings.isTrue(options.get(option));
  }
}
