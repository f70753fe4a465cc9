package io.numaspark.agent.knob;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnobObserverTest {

  private static final Processor SKYLAKE = new Processor("GenuineIntel", 6, 0x55, false, null);

  @TempDir Path root;

  private KnobState observe(Processor processor, String knob, String wanted) {
    return new KnobObserver(root, processor)
        .observe(KnobSettings.parse(Map.of(knob, wanted)))
        .get(0);
  }

  private void file(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  @ParameterizedTest
  @CsvSource({
    "memory.transparentHugePages, sys/kernel/mm/transparent_hugepage/enabled,"
        + " always [madvise] never, Madvise",
    "memory.numaBalancing, proc/sys/kernel/numa_balancing, 1, Enabled",
    "memory.numaBalancing, proc/sys/kernel/numa_balancing, 2, Enabled",
    "memory.zoneReclaim, proc/sys/vm/zone_reclaim_mode, 0, Disabled",
    "memory.swappiness, proc/sys/vm/swappiness, 60, 60"
  })
  void readsKernelFiles(String knob, String name, String content, String actual)
      throws IOException {
    file(name, content + "\n");
    KnobState state = observe(SKYLAKE, knob, actual);
    assertThat(state).isEqualTo(new KnobState(knob, actual, actual, "Observed", null, null));
  }

  @Test
  void saysThatAnotherValueIsWanted() throws IOException {
    file("proc/sys/vm/swappiness", "60\n");
    KnobState state = observe(SKYLAKE, "memory.swappiness", "1");
    assertThat(state.actual()).isEqualTo("60");
    assertThat(state.state()).isEqualTo("Observed");
    assertThat(state.message()).contains("mode Enforce");
  }

  @ParameterizedTest
  @CsvSource({"''", "sixty", "'[always'", "99999999999999999999999"})
  void saysThatAFileIsNotUnderstood(String content) throws IOException {
    file("proc/sys/vm/swappiness", content);
    KnobState state = observe(SKYLAKE, "memory.swappiness", "1");
    assertThat(state.actual()).isEqualTo("Unknown");
    assertThat(state.state()).isEqualTo("Unsupported");
    assertThat(state.message()).contains("/proc/sys/vm/swappiness");
  }

  @Test
  void leavesRegistersToTheWriter() {
    KnobState state = observe(SKYLAKE, "prefetch.l1NextLine", "Disabled");
    assertThat(state.actual()).isEqualTo("Unknown");
    assertThat(state.state()).isEqualTo("Observed");
    assertThat(state.message()).contains("only the privileged writer can read registers");
    Processor zen = new Processor("AuthenticAMD", 0x19, 1, false, null);
    assertThat(observe(zen, "prefetch.l1NextLine", "Disabled").state()).isEqualTo("Observed");
  }

  @Test
  void knowsWhatAProcessorHasNot() {
    assertThat(observe(SKYLAKE, "prefetch.llcPage", "Disabled").state()).isEqualTo("Unsupported");
    KnobState arm =
        observe(new Processor("0x41", 8, 0, false, null), "prefetch.l1NextLine", "Disabled");
    assertThat(arm.state()).isEqualTo("Unsupported");
    assertThat(arm.message()).contains("CPUECTLR_EL1");
  }
}
