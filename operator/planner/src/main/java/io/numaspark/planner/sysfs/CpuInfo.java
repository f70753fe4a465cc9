package io.numaspark.planner.sysfs;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the processor's identity from /proc/cpuinfo, whose keys differ by architecture.
 *
 * <p>The first processor speaks for all; machines with processors of several models are not told
 * apart.
 */
final class CpuInfo {

  private static final String CPUINFO = "proc/cpuinfo";
  private static final String SMT_CONTROL = "sys/devices/system/cpu/smt/control";

  private CpuInfo() {}

  static CpuIdentity read(SystemTree tree) throws IOException {
    Map<String, String> keys = new HashMap<>();
    for (String line : tree.lines(CPUINFO)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        keys.putIfAbsent(line.substring(0, colon).trim(), line.substring(colon + 1).trim());
      }
    }
    String smtControl = tree.optionalText(SMT_CONTROL).orElse("notimplemented");
    if (keys.containsKey("vendor_id")) {
      return new CpuIdentity(
          keys.get("vendor_id"),
          number(keys.get("cpu family")),
          number(keys.get("model")),
          smtControl);
    }
    if (keys.containsKey("CPU implementer")) {
      return new CpuIdentity(
          keys.get("CPU implementer"),
          number(keys.get("CPU architecture")),
          number(keys.get("CPU part")),
          smtControl);
    }
    // POWER: "POWER9 (raw), altivec supported".
    String power = keys.getOrDefault("cpu", "").split("[ ,]", 2)[0];
    return new CpuIdentity(power.isEmpty() ? "unknown" : power, 0, 0, smtControl);
  }

  private static int number(String text) {
    try {
      return text == null ? 0 : Integer.decode(text);
    } catch (NumberFormatException e) {
      // "AArch64" stands in place of the architecture version on some Arm kernels.
      return 0;
    }
  }
}
