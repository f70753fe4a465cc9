package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import numaspark.facts.ExecutorFacts.Throttling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupReaderTest {
  private static final String V2 =
      "usage_usec 1\nuser_usec 1\nnr_periods 40\nnr_throttled 3\nthrottled_usec 2500000\n";
  private static final String V1 = "nr_periods 20\nnr_throttled 2\nthrottled_time 1500000000\n";

  @TempDir Path folder;
  private FakeMachine machine;
  private final Unread unread = new Unread();

  @BeforeEach
  void empty() {
    machine = new FakeMachine(folder);
  }

  private CgroupReader reader() {
    return new CgroupReader(machine.roots(), unread);
  }

  @Test
  void version2InAContainersOwnNamespace() {
    machine
        .write("self/cgroup", "0::/\n")
        .write("cgroups/cgroup.controllers", "cpu io memory\n")
        .write("cgroups/cpu.stat", V2)
        .write(
            "cgroups/io.pressure",
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\nfull avg10=0.00 total=5\n");
    assertThat(reader().throttling()).contains(new Throttling(2.5, 40, 3));
    assertThat(reader().stalledMicros("io")).isEqualTo(77);
    assertThat(reader().stalledMicros("cpu")).isNull();
  }

  @Test
  void version2OnTheHost() {
    machine
        .write("self/cgroup", "0::/kubepods/pod1/c1\n")
        .write("cgroups/cgroup.controllers", "cpu\n")
        .write("cgroups/cpu.stat", "usage_usec 1\n")
        .write("cgroups/kubepods/pod1/c1/cgroup.controllers", "cpu\n")
        .write("cgroups/kubepods/pod1/c1/cpu.stat", V2);
    assertThat(reader().throttling()).contains(new Throttling(2.5, 40, 3));
  }

  @Test
  void version1() {
    machine
        .write("self/cgroup", "3:cpuset:/other\n4:cpu,cpuacct:/kubepods/c1\n")
        .write("cgroups/cpu,cpuacct/kubepods/c1/cpu.stat", V1);
    assertThat(reader().throttling()).contains(new Throttling(1.5, 20, 2));
    assertThat(reader().stalledMicros("io")).isNull();
    assertThat(unread.reasons()).contains("io pressure: it needs cgroup version 2");
  }

  @Test
  void version1WhosePathIsTheHosts() {
    machine.write("self/cgroup", "4:cpuacct,cpu:/kubepods/c1\n").write("cgroups/cpu/cpu.stat", V1);
    assertThat(reader().throttling()).contains(new Throttling(1.5, 20, 2));
  }

  @Test
  void bothVersionsMounted() {
    machine
        .write("self/cgroup", "4:cpu:/a\n0::/b\n")
        .write("cgroups/cpu/a/cpu.stat", V1)
        .write("cgroups/unified/b/cgroup.controllers", "")
        .write("cgroups/unified/b/cpu.stat", "usage_usec 1\n")
        .write("cgroups/unified/b/cpu.pressure", "some avg10=0.00 total=9\n");
    assertThat(reader().throttling()).contains(new Throttling(1.5, 20, 2));
    assertThat(reader().stalledMicros("cpu")).isEqualTo(9);
  }

  @Test
  void theRootOfAllCgroupsHasNoQuota() {
    machine
        .write("self/cgroup", "0::/\n")
        .write("cgroups/cgroup.controllers", "cpu\n")
        .write("cgroups/cpu.stat", "usage_usec 1\n");
    assertThat(reader().throttling()).isEmpty();
    assertThat(unread.reasons()).anyMatch(reason -> reason.startsWith("throttling: "));
  }

  @Test
  void garbageAndMissingFilesAreUnknown() {
    assertThat(reader().throttling()).isEmpty();
    machine
        .write("self/cgroup", ":::\n\n0::/../../etc\n4:cpu\nxyz")
        .write("cgroups/cgroup.controllers", "")
        .write("cgroups/cpu.stat", "nr_periods -1\nnr_throttled x\nthrottled_usec\n")
        .write("cgroups/io.pressure", "some total=\n");
    assertThat(reader().throttling()).isEmpty();
    assertThat(reader().stalledMicros("io")).isNull();
  }
}
