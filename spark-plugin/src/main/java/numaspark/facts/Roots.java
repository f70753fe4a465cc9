package numaspark.facts;

import java.nio.file.Path;

/** Where the kernel's files are; other folders in tests. */
record Roots(Path self, Path system, Path cgroups) {

  static Roots ofThisMachine() {
    return new Roots(
        Path.of("/proc/self"), Path.of("/sys/devices/system"), Path.of("/sys/fs/cgroup"));
  }
}
