package io.numaspark.planner.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Topologies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemInfoTest {
  private static final String DMI = "sys/class/dmi/id/";

  @TempDir Path root;

  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          vendor_id : GenuineIntel/flags : fpu lm             | -                                     | -
          vendor_id : GenuineIntel/flags : fpu lm             | product_name=KVM                      | -
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | -                                     | unknown
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | clock=tsc kvm-clock                   | kvm
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | clock=hyperv_clocksource_tsc_page tsc | microsoft
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | clock=xen tsc                         | xen
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | sys_vendor=VMware, Inc.               | vmware
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | product_name=VirtualBox               | oracle
          vendor_id : GenuineIntel/flags : fpu lm hypervisor  | sys_vendor=QEMU                       | qemu
          vendor_id : GenuineIntel/flags : fpu lm             | type=xen                              | xen
          CPU implementer : 0x41/CPU architecture : 8         | -                                     | -
          CPU implementer : 0x41/CPU architecture : 8         | product_name=c6g.metal                | -
          CPU implementer : 0x41/CPU architecture : 8         | sys_vendor=Amazon EC2                 | amazon
          CPU implementer : 0x41/CPU architecture : 8         | product_name=KVM Virtual Machine      | kvm
          CPU implementer : 0x41/CPU architecture : 8         | compatible=xen,xen-4.17               | xen
          CPU implementer : 0x41/CPU architecture : 8         | compatible=acme,vm                    | unknown
          cpu : POWER9 (raw)/platform : PowerNV               | -                                     | -
          cpu : POWER9/platform : pSeries/machine : CHRP IBM pSeries (emulated by qemu) | -           | qemu
          cpu : POWER9/platform : pSeries/machine : CHRP IBM pSeries (emulated by qemu) | compatible=linux,kvm | kvm
          cpu : POWER9 (architected)/platform : pSeries/machine : CHRP IBM,9009-22A     | -           | powervm
          """)
  void hypervisor(String cpuinfo, String fact, String expected) throws IOException {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .write("proc/cpuinfo", cpuinfo.replace('/', '\n'));
    if (fact != null) {
      String[] words = fact.split("=", 2);
      fake.write(path(words[0]), words[1]);
    }
    assertThat(fake.read().system().hypervisor()).isEqualTo(Optional.ofNullable(expected));
  }

  private static String path(String fact) {
    return switch (fact) {
      case "clock" -> "sys/devices/system/clocksource/clocksource0/available_clocksource";
      case "type" -> "sys/hypervisor/type";
      case "compatible" -> "sys/firmware/devicetree/base/hypervisor/compatible";
      default -> DMI + fact;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "vendor_id : AuthenticAMD;flags : fpu lm | x86_64",
        "vendor_id : GenuineIntel;flags : fpu | i686",
        "CPU implementer : 0x41;CPU architecture : 8 | aarch64",
        "CPU implementer : 0x41;CPU architecture : AArch64 | aarch64",
        "CPU implementer : 0x41;CPU architecture : 7 | arm",
        "cpu : POWER8E (raw), altivec supported | ppc64le",
        "cpu : Power11, altivec supported | ppc64le",
        "vendor_id : IBM/S390 | s390x",
        "isa : rv64imafdc | riscv64",
        "processor : 0 | -",
      })
  void architectureOfOlderKernels(String cpuinfo, String expected) throws IOException {
    assertThat(
            FakeRoot.of(root, Topologies.singleSocketNoSmt())
                .write("proc/cpuinfo", cpuinfo.replace(';', '\n'))
                .read()
                .system()
                .architecture())
        .isEqualTo(Optional.ofNullable(expected));
  }

  @Test
  void theKernelsOwnWordComesFirst() throws IOException {
    SystemIdentity system =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .write("proc/sys/kernel/arch", "ppc64")
            .write("proc/sys/kernel/osrelease", "6.6.30")
            .write("proc/version", "Linux version 5.1 (builder@host) #1")
            .read()
            .system();
    assertThat(system.architecture()).contains("ppc64");
    assertThat(system.kernel()).contains("6.6.30");
  }

  @Test
  void theVersionNamesTheKernelOtherwise() throws IOException {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .write("proc/version", "Linux version 6.1.0-18-amd64 (builder@host) #1");
    assertThat(fake.read().system().kernel()).contains("6.1.0-18-amd64");
    assertThat(fake.write("proc/version", "Linux").read().system().kernel()).isEmpty();
  }

  @Test
  void whatCannotBeReadIsUnknown() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.singleSocketNoSmt());
    Files.createDirectories(root.resolve("proc/sys/kernel/osrelease"));
    Files.createDirectories(root.resolve("sys/firmware/dmi/tables/DMI"));
    assertThat(fake.read().system().kernel()).isEmpty();
    assertThat(fake.read().system().memory()).isEmpty();
  }

  @Test
  void theMemoryTableMayLieElsewhere() throws IOException {
    CapturedTree.named("ivybridge-smt2").unpack(root);
    Path table = Files.move(root.resolve("sys/firmware/dmi/tables/DMI"), root.resolve("DMI"));
    assertThat(SysfsTopologyReader.read(root).system().memory()).isEmpty();
    assertThat(SysfsTopologyReader.read(root, table).system().memory())
        .hasValueSatisfying(memory -> assertThat(memory.count()).isEqualTo(8));
  }

  @Test
  void theSmtSwitchMayTellANumberOfThreads() throws IOException {
    // Since Linux 6.6, where some threads of the cores are off.
    assertThat(
            FakeRoot.of(root, Topologies.powerSmt8())
                .write("sys/devices/system/cpu/smt/control", "4")
                .read()
                .cpu()
                .smtControl())
        .isEqualTo("4");
  }
}
