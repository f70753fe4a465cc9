package io.numaspark.planner.sysfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * /proc/cpuinfo, whose keys differ by architecture.
 *
 * <p>Limit: the first processor speaks for all; machines with processors of several models are not
 * told apart.
 */
final class CpuInfo {
  private static final String CPUINFO = "proc/cpuinfo";
  private static final String SMT_CONTROL = "sys/devices/system/cpu/smt/control";

  private final Map<String, String> keys;
  private final String smtControl;

  private CpuInfo(Map<String, String> keys, String smtControl) {
    this.keys = keys;
    this.smtControl = smtControl;
  }

  static CpuInfo read(SystemTree tree) throws IOException {
    Map<String, String> keys = new HashMap<>();
    for (String line : tree.lines(CPUINFO)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        keys.putIfAbsent(line.substring(0, colon).trim(), line.substring(colon + 1).trim());
      }
    }
    return new CpuInfo(keys, tree.optionalText(SMT_CONTROL).orElse("notimplemented"));
  }

  /** The first value of a key; empty text if there is none. */
  String value(String key) {
    return keys.getOrDefault(key, "");
  }

  boolean hasFlag(String flag) {
    List<String> flags = Arrays.asList(value("flags").split(" "));
    return flags.contains(flag);
  }

  boolean isX86() {
    return keys.containsKey("flags") && keys.containsKey("vendor_id");
  }

  boolean isPower() {
    return value("cpu").startsWith("POWER") || value("cpu").startsWith("Power");
  }

  /**
   * What {@code uname -m} says on such a processor; empty if the keys are of none that is known.
   */
  Optional<String> architecture() {
    if (isX86()) {
      return Optional.of(hasFlag("lm") ? "x86_64" : "i686");
    }
    if (keys.containsKey("CPU implementer")) {
      // "AArch64" stands in place of the architecture version on some kernels.
      String version = value("CPU architecture");
      return Optional.of(number(version) >= 8 || version.equals("AArch64") ? "aarch64" : "arm");
    }
    if (isPower()) {
      // Kubernetes has no build for big-endian POWER.
      return Optional.of("ppc64le");
    }
    if (value("vendor_id").equals("IBM/S390")) {
      return Optional.of("s390x");
    }
    return value("isa").startsWith("rv64") ? Optional.of("riscv64") : Optional.empty();
  }

  CpuIdentity identity() {
    if (keys.containsKey("vendor_id")) {
      return new CpuIdentity(
          value("vendor_id"),
          number(value("cpu family")),
          number(value("model")),
          name("model name"),
          smtControl);
    }
    if (keys.containsKey("CPU implementer")) {
      return new CpuIdentity(
          value("CPU implementer"),
          number(value("CPU architecture")),
          number(value("CPU part")),
          name("model name"),
          smtControl);
    }
    // POWER: "POWER9 (raw), altivec supported".
    String power = value("cpu").split("[ ,]", 2)[0];
    return new CpuIdentity(power.isEmpty() ? "unknown" : power, 0, 0, name("cpu"), smtControl);
  }

  private Optional<String> name(String key) {
    return Optional.of(value(key)).filter(name -> !name.isEmpty());
  }

  private static int number(String text) {
    try {
      return Integer.decode(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
