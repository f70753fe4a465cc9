package io.numaspark.agent.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a tree of cgroups as a node has it, of one driver, below one root. */
final class CgroupTree {
  static final String UID = "0b5aabb1-1c2d-4e3f-8091-a2b3c4d5e6f7";
  static final String OTHER_UID = "11111111-2222-3333-4444-555555555555";

  enum Driver {
    SYSTEMD,
    CGROUPFS
  }

  private final Path top;
  private final Path kubepods;
  private final Driver driver;
  private final String prefix;

  /**
   * An empty kubepods.
   *
   * @param cgroupRoot where the kubelet has its pods, for example {@code /} or {@code /kubelet}
   */
  CgroupTree(Path top, Driver driver, String cgroupRoot) {
    this.top = top;
    this.driver = driver;
    String name = cgroupRoot.substring(1);
    prefix = name.isEmpty() ? "kubepods" : name.replace('/', '-') + "-kubepods";
    Path parent = top;
    if (!name.isEmpty()) {
      parent = top.resolve(driver == Driver.SYSTEMD ? name + ".slice" : name);
    }
    kubepods = parent.resolve(driver == Driver.SYSTEMD ? prefix + ".slice" : "kubepods");
    write(top, "cgroup.controllers", "cpuset cpu io memory pids\n");
    write(top, "cpuset.cpus.effective", "0-31\n");
    write(top.resolve("system.slice/containerd.service"), "cgroup.procs", "1\n");
    write(kubepods, "cpuset.cpus", "\n");
  }

  /** The cgroup of a pod; the class is empty for Guaranteed. */
  Path pod(String qosClass, String uid) {
    if (driver == Driver.CGROUPFS) {
      return kubepods.resolve(qosClass).resolve("pod" + uid);
    }
    String slice = qosClass.isEmpty() ? prefix : prefix + "-" + qosClass;
    Path parent = qosClass.isEmpty() ? kubepods : kubepods.resolve(slice + ".slice");
    return parent.resolve(slice + "-pod" + uid.replace('-', '_') + ".slice");
  }

  /** The cgroup of a container of a Guaranteed pod, as containerd names it. */
  Path container(String uid, String id) {
    String name = driver == Driver.SYSTEMD ? "cri-containerd-" + id + ".scope" : id;
    return pod("", uid).resolve(name);
  }

  Path top() {
    return top;
  }

  /** Files of a container that was told to use these CPUs. */
  static void fill(Path cgroup, String cpus, String memoryNodes) {
    write(cgroup, "cgroup.procs", "4711\n");
    write(cgroup, "cpuset.cpus", cpus + "\n");
    write(cgroup, "cpuset.cpus.effective", (cpus.isEmpty() ? "0-31" : cpus) + "\n");
    write(cgroup, "cpuset.mems.effective", memoryNodes + "\n");
    write(
        cgroup,
        "memory.numa_stat",
        "anon N0=900000000 N1=100000000\nfile N0=5 N1=7\nanon_thp N0=0\n");
    write(
        cgroup,
        "cpu.stat",
        "usage_usec 5\nuser_usec 4\nnr_periods 1000\nnr_throttled 50\nthrottled_usec 9\n");
  }

  static void write(Path cgroup, String file, String content) {
    try {
      Files.createDirectories(cgroup);
      Files.writeString(cgroup.resolve(file), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An id as container runtimes make them. */
  static String id(int number) {
    return String.format("%064x", 0xabcdef00L + number);
  }
}
