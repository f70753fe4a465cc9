package io.numaspark.render.kubelet;

import io.numaspark.render.text.MemorySize;
import java.util.OptionalInt;

/**
 * What a node keeps for the system.
 *
 * <p>The defaults are those of the example scenario in Kubernetes' page "Reserve Compute Resources
 * for System Daemons" (kube-reserved 1 CPU and 2Gi, system-reserved 500m and 1Gi), rounded up to
 * whole cores, and the kubelet's own threshold of eviction (eviction/defaults_linux.go:
 * memory.available 100Mi).
 *
 * @param cores whole cores; empty: as many as have {@value #DEFAULT_MILLI_CPUS} mCPU
 * @param kubeBytes kubeReserved.memory, a whole number of MiB
 * @param systemBytes systemReserved.memory, a whole number of MiB
 * @param evictionBytes evictionHard memory.available, a whole number of MiB
 */
public record SystemReserve(
    OptionalInt cores, long kubeBytes, long systemBytes, long evictionBytes) {
  static final int DEFAULT_MILLI_CPUS = 1500;

  /** The defaults. */
  public static final SystemReserve DEFAULT =
      new SystemReserve(
          OptionalInt.empty(), 2 * MemorySize.GIB, MemorySize.GIB, 100 * MemorySize.MIB);

  /**
   * Checks the amounts.
   *
   * @throws IllegalArgumentException naming the amount, if one is negative or no whole number of
   *     MiB, if nothing is reserved, or if there is no core
   */
  public SystemReserve {
    if (cores.isPresent() && cores.getAsInt() < 1) {
      throw new IllegalArgumentException(
          "reserved cores: is %d; a static CPU manager needs at least 1"
              .formatted(cores.getAsInt()));
    }
    check("kubeReserved memory", kubeBytes);
    check("systemReserved memory", systemBytes);
    check("evictionHard memory.available", evictionBytes);
    if (kubeBytes + systemBytes + evictionBytes == 0) {
      throw new IllegalArgumentException(
          "no memory is reserved; a static memory manager needs some: give for example 1Gi");
    }
  }

  private static void check(String name, long bytes) {
    if (bytes < 0 || bytes % MemorySize.MIB != 0) {
      throw new IllegalArgumentException(
          "%s: %d bytes is not a whole number of MiB; write for example 1Gi or 512Mi"
              .formatted(name, bytes));
    }
  }

  /** The whole cores to reserve on a machine with so many threads a core. */
  int cores(int threadsPerCore) {
    int milliCpusPerCore = 1000 * threadsPerCore;
    return cores.orElse((DEFAULT_MILLI_CPUS + milliCpusPerCore - 1) / milliCpusPerCore);
  }

  /** What reservedMemory has to sum to (memorymanager: validateReservedMemory). */
  long memoryBytes() {
    return kubeBytes + systemBytes + evictionBytes;
  }
}
