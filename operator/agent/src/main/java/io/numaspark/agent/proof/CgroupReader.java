package io.numaspark.agent.proof;

import io.numaspark.planner.topology.CpuSet;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the cgroups (v2) of pods' containers, of both cgroup drivers of the kubelet.
 *
 * <p>One short file for each container, and four more for each that has CPUs of its own. Containers
 * come and go while this reads: one that has gone is left out, without an error. Limit: cgroups
 * below a container's own are not looked at, except the {@code container} that crun makes.
 *
 * @param root where the node's /sys/fs/cgroup is
 */
public record CgroupReader(Path root) {
  /** Where the reader's container has the node's /sys/fs/cgroup. */
  public static final Path DEFAULT_ROOT = Path.of("/host/cgroup");

  /** The kubelet's cgroup-root may be another one than /, as in kind: /kubelet.slice. */
  private static final int KUBEPODS_DEPTH = 3;

  /**
   * Reads all containers of pods.
   *
   * @param sharedPools CPU sets of which no more than {@code cpuset.cpus} is read (see {@link
   *     NodeCpus#sharedPools}): the containers that have them share their CPUs
   */
  public CgroupReading read(Set<CpuSet> sharedPools) {
    File top = root.toFile();
    if (!new File(top, "cgroup.controllers").exists()) {
      return notVersion2(top);
    }
    List<File> kubepods = kubepods(top);
    if (kubepods.isEmpty()) {
      return new CgroupReading.Unavailable(
          KernelReason.NO_PODS,
          "no cgroup kubepods or kubepods.slice up to "
              + KUBEPODS_DEPTH
              + " levels below "
              + root
              + ": mount the node's whole /sys/fs/cgroup there");
    }
    List<KernelContainer> containers = new ArrayList<>();
    try {
      for (File pods : kubepods) {
        if (CgroupFile.read(pods, "cpuset.cpus") == null) {
          return new CgroupReading.Unavailable(
              KernelReason.NO_CPUSET,
              pods
                  + " has no readable cpuset.cpus: enable the controller cpuset for it"
                  + " (cgroup.subtree_control of the cgroups above)");
        }
        addPods(pods, sharedPools, containers);
      }
    } catch (IllegalArgumentException e) {
      return new CgroupReading.Unavailable(KernelReason.NOT_UNDERSTOOD, e.getMessage());
    }
    containers.sort(
        Comparator.comparing(KernelContainer::podUid).thenComparing(KernelContainer::containerId));
    return new CgroupReading.Containers(List.copyOf(containers));
  }

  private CgroupReading notVersion2(File top) {
    if (new File(top, "cpuset").isDirectory() || new File(top, "unified").isDirectory()) {
      return new CgroupReading.Unavailable(
          KernelReason.CGROUP_V1,
          "the node has cgroup v1, which is not supported: start its kernel with"
              + " systemd.unified_cgroup_hierarchy=1");
    }
    return new CgroupReading.Unavailable(
        KernelReason.NOT_MOUNTED,
        root + " has no cgroup.controllers: mount the node's /sys/fs/cgroup there, read-only");
  }

  /** The highest cgroups of that name; others below them would be those of a nested node. */
  private static List<File> kubepods(File top) {
    List<File> level = List.of(top);
    List<File> found = new ArrayList<>();
    for (int depth = 1; depth <= KUBEPODS_DEPTH && found.isEmpty(); depth++) {
      List<File> below = new ArrayList<>();
      for (File parent : level) {
        for (String name : children(parent)) {
          if (CgroupName.isKubepods(name)) {
            found.add(new File(parent, name));
          } else if (CgroupName.isCgroup(name)) {
            below.add(new File(parent, name));
          }
        }
      }
      level = below;
    }
    return found;
  }

  /** Names in a cgroup; none if it is gone or is a file. */
  private static String[] children(File cgroup) {
    String[] names = cgroup.list();
    return names == null ? new String[0] : names;
  }

  private static void addPods(File parent, Set<CpuSet> sharedPools, List<KernelContainer> to) {
    for (String name : children(parent)) {
      Optional<String> uid = CgroupName.podUid(name);
      if (uid.isPresent()) {
        addContainers(new File(parent, name), uid.get(), sharedPools, to);
      } else if (CgroupName.isQosClass(name)) {
        addPods(new File(parent, name), sharedPools, to);
      }
    }
  }

  private static void addContainers(
      File pod, String uid, Set<CpuSet> sharedPools, List<KernelContainer> to) {
    for (String name : children(pod)) {
      Optional<String> id = CgroupName.containerId(name);
      if (id.isPresent()) {
        File cgroup = new File(pod, name);
        CpuSet cpus = CgroupFile.cpus(cgroup, "cpuset.cpus");
        File inner = new File(cgroup, "container");
        if (cpus != null && cpus.isEmpty() && inner.isDirectory()) {
          cgroup = inner;
          cpus = CgroupFile.cpus(cgroup, "cpuset.cpus");
        }
        add(new Leaf(cgroup, uid, id.get(), cpus), sharedPools, to);
      }
    }
  }

  /** A container's cgroup; cpus is null if it has gone. */
  private record Leaf(File cgroup, String podUid, String containerId, CpuSet cpus) {
    KernelContainer with(Optional<KernelUsage> usage) {
      return new KernelContainer(podUid, containerId, cpus, usage);
    }
  }

  private static void add(Leaf leaf, Set<CpuSet> sharedPools, List<KernelContainer> to) {
    if (leaf.cpus == null) {
      return;
    }
    if (leaf.cpus.isEmpty() || sharedPools.contains(leaf.cpus)) {
      to.add(leaf.with(Optional.empty()));
      return;
    }
    Optional<KernelUsage> usage = usage(leaf.cgroup);
    if (usage.isPresent()) {
      to.add(leaf.with(usage));
    }
  }

  private static Optional<KernelUsage> usage(File cgroup) {
    CpuSet cpus = CgroupFile.cpus(cgroup, "cpuset.cpus.effective");
    CpuSet memoryNodes = CgroupFile.cpus(cgroup, "cpuset.mems.effective");
    if (cpus == null || memoryNodes == null) {
      return Optional.empty();
    }
    return Optional.of(
        new KernelUsage(
            cpus, memoryNodes, CgroupFile.anonBytes(cgroup), CgroupFile.quotaCounters(cgroup)));
  }
}
