package io.numaspark.planner.sysfs;

import java.util.Optional;

/**
 * What a machine runs on, beside its CPUs and NUMA nodes; each part is empty if the tree does not
 * tell.
 *
 * @param architecture as {@code uname -m} says it: {@code x86_64}, {@code aarch64}, {@code ppc64le}
 * @param kernel release of the kernel, as {@code uname -r} says it
 * @param hypervisor what the machine is a guest of, such as {@code kvm}; empty on a machine of its
 *     own too
 * @param memory the memory modules
 */
public record SystemIdentity(
    Optional<String> architecture,
    Optional<String> kernel,
    Optional<String> hypervisor,
    Optional<MemoryModules> memory) {}
