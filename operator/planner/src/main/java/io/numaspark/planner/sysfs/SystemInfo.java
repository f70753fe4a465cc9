package io.numaspark.planner.sysfs;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads what a machine runs on: architecture, kernel, hypervisor.
 *
 * <p>Limit: nothing of it is needed to pin, so what is missing or not readable is unknown, never an
 * error. Who runs the reader does not matter: only the tree is asked.
 */
final class SystemInfo {
  private static final String DMI_ID = "sys/class/dmi/id/";
  private static final String CLOCKS =
      "sys/devices/system/clocksource/clocksource0/available_clocksource";
  private static final String UNKNOWN = "unknown";

  /** Words of DMI's vendor and product names, in lower case, with the hypervisor they stand for. */
  private static final String[][] VENDORS = {
    {"kubevirt", "kvm"},
    {"openstack", "kvm"},
    {"kvm", "kvm"},
    {"rhev", "kvm"},
    {"nutanix ahv", "kvm"},
    {"qemu", "qemu"},
    {"amazon ec2", "amazon"},
    {"google compute engine", "google"},
    {"vmware", "vmware"},
    {"virtualbox", "oracle"},
    {"innotek", "oracle"},
    {"xen", "xen"},
    {"hvm domu", "xen"},
    {"microsoft corporation virtual machine", "microsoft"},
    {"alibaba cloud ecs", "kvm"},
    {"parallels", "parallels"},
    {"bhyve", "bhyve"},
    {"apple virtualization", "apple"},
  };

  private SystemInfo() {}

  static SystemIdentity read(SystemTree tree, CpuInfo cpu, Path dmiTable) {
    return new SystemIdentity(
        // The kernel says it itself since Linux 6.1.
        tree.readableText("proc/sys/kernel/arch").or(cpu::architecture),
        kernel(tree),
        hypervisor(tree, cpu),
        SmbiosTable.memoryModules(dmiTable));
  }

  private static Optional<String> kernel(SystemTree tree) {
    return tree.readableText("proc/sys/kernel/osrelease")
        .or(
            () ->
                // "Linux version 6.1.0-18-amd64 (debian-kernel@..."
                tree.readableText("proc/version")
                    .map(text -> text.split("\\s+"))
                    .filter(words -> words.length > 2)
                    .map(words -> words[2]));
  }

  private static Optional<String> hypervisor(SystemTree tree, CpuInfo cpu) {
    Optional<String> told = tree.readableText("sys/hypervisor/type");
    if (told.isPresent()) {
      return told;
    }
    if (cpu.isX86()) {
      // CPUID leaf 1, ECX bit 31, which hypervisors set and processors leave zero.
      return cpu.hasFlag("hypervisor")
          ? clock(tree).or(() -> dmi(tree)).or(() -> Optional.of(UNKNOWN))
          : Optional.empty();
    }
    if (cpu.isPower()) {
      return power(tree, cpu);
    }
    return dmi(tree).or(() -> deviceTree(tree));
  }

  /** The clock of a hypervisor, which Linux uses in its guests; tells KVM where DMI is silent. */
  private static Optional<String> clock(SystemTree tree) {
    String clocks = tree.readableText(CLOCKS).orElse("");
    if (clocks.contains("kvm-clock")) {
      return Optional.of("kvm");
    }
    if (clocks.contains("hyperv_clocksource")) {
      return Optional.of("microsoft");
    }
    return clocks.contains("xen") ? Optional.of("xen") : Optional.empty();
  }

  private static Optional<String> dmi(SystemTree tree) {
    String product = tree.readableText(DMI_ID + "product_name").orElse("");
    String names =
        (tree.readableText(DMI_ID + "sys_vendor").orElse("") + " " + product)
            .toLowerCase(Locale.ROOT);
    if (product.contains(".metal")) {
      // A whole machine of Amazon EC2 bears the name of the cloud as well.
      return Optional.empty();
    }
    for (String[] vendor : VENDORS) {
      if (names.contains(vendor[0])) {
        return Optional.of(vendor[1]);
      }
    }
    return Optional.empty();
  }

  /** PowerNV is the machine itself, pSeries a partition of PowerVM or a guest of KVM. */
  private static Optional<String> power(SystemTree tree, CpuInfo cpu) {
    if (!cpu.value("platform").equals("pSeries")) {
      return Optional.empty();
    }
    return deviceTree(tree)
        .or(() -> Optional.of(cpu.value("machine").contains("qemu") ? "qemu" : "powervm"));
  }

  private static Optional<String> deviceTree(SystemTree tree) {
    // Not by /proc/device-tree, an absolute link that leads out of a copy.
    return tree.readableText("sys/firmware/devicetree/base/hypervisor/compatible")
        .map(text -> text.contains("kvm") ? "kvm" : text.contains("xen") ? "xen" : UNKNOWN);
  }
}
