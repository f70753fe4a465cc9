package io.numaspark.agent.proof;

import static io.numaspark.agent.proof.CgroupTree.OTHER_UID;
import static io.numaspark.agent.proof.CgroupTree.UID;
import static io.numaspark.agent.proof.CgroupTree.fill;
import static io.numaspark.agent.proof.CgroupTree.id;
import static io.numaspark.agent.proof.CgroupTree.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.proof.CgroupReading.Containers;
import io.numaspark.agent.proof.CgroupReading.Unavailable;
import io.numaspark.agent.proof.CgroupTree.Driver;
import io.numaspark.agent.proof.KernelUsage.QuotaCounters;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupReaderTest {
  private static final CpuSet POOL = CpuSet.parse("0,4-31");

  @TempDir Path top;

  private List<KernelContainer> containers() {
    CgroupReading reading = new CgroupReader(top).read(Set.of(POOL, CpuSet.EMPTY));
    assertThat(reading).isInstanceOf(Containers.class);
    return ((Containers) reading).all();
  }

  private Unavailable unavailable() {
    CgroupReading reading = new CgroupReader(top).read(Set.of(POOL));
    assertThat(reading).isInstanceOf(Unavailable.class);
    return (Unavailable) reading;
  }

  @ParameterizedTest(name = "{0} below {1}")
  @CsvSource({
    "SYSTEMD, /",
    "CGROUPFS, /",
    "SYSTEMD, /kubelet",
    "CGROUPFS, /kubelet",
    "CGROUPFS, /a/kubelet"
  })
  void readsPodsOfAllClasses(Driver driver, String cgroupRoot) {
    CgroupTree tree = new CgroupTree(top, driver, cgroupRoot);
    fill(tree.container(UID, id(1)), "1-3", "0");
    fill(tree.container(UID, id(2)), "0,4-31", "0-1");
    fill(tree.pod("burstable", OTHER_UID).resolve(id(3)), "0,4-31", "0-1");
    fill(tree.pod("besteffort", "0123456789abcdef0123456789abcdef").resolve(id(4)), "", "0-1");

    KernelUsage usage =
        new KernelUsage(
            CpuSet.parse("1-3"),
            CpuSet.of(0),
            Map.of(0, 900_000_000L, 1, 100_000_000L),
            Optional.of(new QuotaCounters(1000, 50)));
    assertThat(containers())
        .containsExactly(
            new KernelContainer(
                "0123456789abcdef0123456789abcdef", id(4), CpuSet.EMPTY, Optional.empty()),
            new KernelContainer(UID, id(1), CpuSet.parse("1-3"), Optional.of(usage)),
            new KernelContainer(UID, id(2), POOL, Optional.empty()),
            new KernelContainer(OTHER_UID, id(3), POOL, Optional.empty()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          containerd, systemd  | cri-containerd-%s.scope  | true
          CRI-O, systemd       | crio-%s.scope            | true
          Docker, systemd      | docker-%s.scope          | true
          containerd, cgroupfs | %s                       | true
          CRI-O, cgroupfs      | crio-%s                  | true
          CRI-O's monitor      | crio-conmon-%s.scope     | false
          a file               | %s.max                   | false
          """)
  void knowsTheNamesThatRuntimesGive(String what, String name, boolean isContainer) {
    CgroupTree tree = new CgroupTree(top, Driver.SYSTEMD, "/");
    fill(tree.pod("", UID).resolve(String.format(name, id(1))), "1-3", "0");
    assertThat(containers())
        .extracting(KernelContainer::containerId)
        .isEqualTo(isContainer ? List.of(id(1)) : List.of());
  }

  @Test
  void looksIntoTheCgroupThatCrunMakes() {
    CgroupTree tree = new CgroupTree(top, Driver.SYSTEMD, "/");
    Path scope = tree.pod("", UID).resolve("crio-" + id(1) + ".scope");
    fill(scope, "", "0-1");
    fill(scope.resolve("container"), "1-3", "0");
    assertThat(containers())
        .singleElement()
        .extracting(KernelContainer::cpus)
        .isEqualTo(CpuSet.parse("1-3"));
  }

  @Test
  void aContainerThatGoesWhileItIsReadIsLeftOut() throws IOException {
    CgroupTree tree = new CgroupTree(top, Driver.SYSTEMD, "/");
    fill(tree.container(UID, id(1)), "1-3", "0");
    Files.delete(tree.container(UID, id(1)).resolve("cpuset.mems.effective"));
    Files.createDirectories(tree.container(UID, id(2)));
    assertThat(containers()).isEmpty();
  }

  @Test
  void doesWithoutTheFilesOfOtherControllers() throws IOException {
    CgroupTree tree = new CgroupTree(top, Driver.SYSTEMD, "/");
    Path container = tree.container(UID, id(1));
    fill(container, "1-3", "0");
    Files.delete(container.resolve("memory.numa_stat"));
    write(container, "cpu.stat", "usage_usec 5\n");
    assertThat(containers())
        .singleElement()
        .extracting(one -> one.usage().orElseThrow())
        .isEqualTo(new KernelUsage(CpuSet.parse("1-3"), CpuSet.of(0), Map.of(), Optional.empty()));
  }

  @Test
  void leavesOutThePodsOfNestedNodes() {
    CgroupTree outer = new CgroupTree(top, Driver.SYSTEMD, "/");
    fill(outer.container(UID, id(1)), "1-3", "0");
    CgroupTree nested = new CgroupTree(top.resolve("docker"), Driver.CGROUPFS, "/");
    fill(nested.container(OTHER_UID, id(2)), "1-3", "0");
    assertThat(containers()).extracting(KernelContainer::podUid).containsExactly(UID);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cpuset.cpus           | 1-x          | cpuset.cpus: 'x' in '1-x' is not a CPU id
          cpuset.cpus.effective | 9999         | cpuset.cpus.effective: '9999' in '9999' is not a CPU id
          memory.numa_stat      | anon N0=much | memory.numa_stat: 'much' is not a whole number
          cpu.stat              | nr_periods a~nr_throttled 1 | cpu.stat: 'a' is not a whole number
          """)
  void namesTheFileThatItDoesNotUnderstand(String file, String content, String message) {
    CgroupTree tree = new CgroupTree(top, Driver.SYSTEMD, "/");
    fill(tree.container(UID, id(1)), "1-3", "0");
    write(tree.container(UID, id(1)), file, content.replace('~', '\n') + "\n");
    assertThat(unavailable().reason()).isEqualTo("NotUnderstood");
    assertThat(unavailable().message())
        .contains(message)
        .contains(tree.container(UID, id(1)).toString());
  }

  @Test
  void tellsWhatIsWrongWithTheRoot() throws IOException {
    assertThat(unavailable().reason()).isEqualTo("NotMounted");
    assertThat(unavailable().message()).contains(top.toString(), "mount the node's");

    Files.createDirectories(top.resolve("cpuset/kubepods"));
    assertThat(unavailable().reason()).isEqualTo("CgroupV1");
    assertThat(unavailable().message()).contains("systemd.unified_cgroup_hierarchy=1");

    Files.delete(top.resolve("cpuset/kubepods"));
    write(top, "cgroup.controllers", "cpuset\n");
    assertThat(unavailable().reason()).isEqualTo("NoPods");
    assertThat(unavailable().message()).contains("kubepods");

    Files.createDirectories(top.resolve("kubepods.slice"));
    assertThat(unavailable().reason()).isEqualTo("NoCpuset");
    assertThat(unavailable().message()).contains("enable the controller cpuset");
  }
}
