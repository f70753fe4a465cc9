package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.sysfs.CpuIdentity;
import io.numaspark.planner.sysfs.SystemIdentity;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrialSettingTest {
  @Test
  void processor() {
    assertThat(words(null, null)).isEqualTo("unknown processor");
    assertThat(words("AMD EPYC 7B13", "kvm")).isEqualTo("AMD EPYC 7B13 (virtual machine)");
    assertThat(words("Intel(R) Xeon(R)", null)).isEqualTo("Intel(R) Xeon(R)");
    assertThat(words("QEMU TCG CPU version 2.5+", "unknown"))
        .endsWith("(emulated: its times mean nothing)");
  }

  private static String words(String name, String hypervisor) {
    return TrialSetting.words(
        new CpuIdentity("GenuineIntel", 6, 143, Optional.ofNullable(name), "on"),
        new SystemIdentity(
            Optional.empty(), Optional.empty(), Optional.ofNullable(hypervisor), Optional.empty()));
  }
}
