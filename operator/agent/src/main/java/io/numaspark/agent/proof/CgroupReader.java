package io.numaspark.agent.proof;

import io.numaspark.planner.topology.CpuSet;
import java.nio.file.Path;
import java.util.Set;

/**
 * Reads the cgroups of pods' containers.
 *
 * @param root where the node's /sys/fs/cgroup is
 */
public record CgroupReader(Path root) {
  /** Where the reader's container has the node's /sys/fs/cgroup. */
  public static final Path DEFAULT_ROOT = Path.of("/host/cgroup");

  /**
   * Reads all containers of pods.
   *
   * @param sharedPools CPU sets of which no more than {@code cpuset.cpus} is read (see {@link
   *     NodeCpus#sharedPools}): the containers that have them share their CPUs
   */
  public CgroupReading read(Set<CpuSet> sharedPools) {
    return new CgroupReading.Unavailable("", "");
  }
}
