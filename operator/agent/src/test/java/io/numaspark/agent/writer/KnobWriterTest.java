package io.numaspark.agent.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Setting and putting back where all goes well. */
class KnobWriterTest extends WriterFixture {

  static Stream<Arguments> machines() {
    return Stream.of(
        machine("Ivy Bridge", d -> FakeTree.intel(d, 0x3E), "l2AdjacentLine", "Applied", "0x1a4=2"),
        machine("Skylake", d -> FakeTree.intel(d, SKYLAKE), "l1NextLine", "Applied", "0x1a4=4"),
        machine("Skylake", d -> FakeTree.intel(d, SKYLAKE), "llcPage", "Unsupported", ""),
        machine(
            "Sapphire Rapids",
            d -> FakeTree.intel(d, 0x8F),
            "llcStream",
            "Applied",
            "0x6d=40000000000"),
        machine("Granite Rapids", d -> FakeTree.intel(d, 0xAD), "llcPage", "Applied", "0x1a4=40"),
        machine(
            "Sierra Forest",
            d -> FakeTree.intel(d, 0xAF),
            "llcStream",
            "Applied",
            "0x1320=80000000000"),
        machine("unknown Intel", d -> FakeTree.intel(d, 0x02), "l1NextLine", "Unsupported", ""),
        machine(
            "Zen 3",
            d -> FakeTree.amd(d, 0x19, 1 << 13),
            "l2AdjacentLine",
            "Applied",
            "0xc0000108=3e0"),
        machine(
            "Zen 5", d -> FakeTree.amd(d, 0x1A, 1 << 13), "l1Region", "Applied", "0xc0000108=3c4"),
        machine("Zen 4, no bit", d -> FakeTree.amd(d, 0x19, 0), "l1Region", "Unsupported", ""),
        machine("Zen 2", d -> FakeTree.amd(d, 0x17, -1), "l1NextLine", "Unsupported", ""),
        machine("POWER8", d -> FakeTree.power(d, "POWER8E"), "l2Stream", "Applied", "dscr=11"),
        machine("POWER9", d -> FakeTree.power(d, "POWER9"), "l1NextLine", "Unsupported", ""),
        machine("Graviton", FakeTree::graviton, "l1NextLine", "Unsupported", ""));
  }

  private static Arguments machine(
      String name, Function<Path, FakeTree> tree, String knob, String state, String content) {
    return Arguments.of(name, tree, knob, state, content);
  }

  @ParameterizedTest(name = "{0}: {2} is {3}")
  @MethodSource("machines")
  void setsAndPutsBackOnEachProcessor(
      String name, Function<Path, FakeTree> make, String knob, String state, String content)
      throws IOException {
    use(make.apply(directory.resolve("machine")));
    SortedMap<String, Long> before = tree.everything();
    KnobState applied = apply(settings("prefetch." + knob, "Disabled"));
    assertThat(applied.state()).isEqualTo(state);
    if (state.equals("Applied")) {
      assertThat(applied.actual()).isEqualTo("Disabled");
      String place = content.substring(0, content.indexOf('='));
      assertThat(tree.everything().entrySet())
          .filteredOn(cell -> cell.getKey().contains(place + "/"))
          .extracting(cell -> place + "=" + Long.toHexString(cell.getValue()))
          .hasSize(FakeTree.CPUS)
          .containsOnly(content);
      assertThat(only(writer.restore()).state()).isEqualTo("Restored");
    } else {
      assertThat(applied.message()).contains(": ");
      assertThat(machine.writes).isEmpty();
    }
    assertThat(tree.everything()).isEqualTo(before);
    assertThat(store.file()).doesNotExist();
  }

  @Test
  void saysThatAmdIsExperimental() throws IOException {
    use(FakeTree.amd(directory.resolve("zen4"), 0x19, 1 << 13));
    assertThat(apply(NEXT_LINE).message()).startsWith("experimental");
  }

  @ParameterizedTest
  @CsvSource({
    "memory.transparentHugePages, Madvise, sys/kernel/mm/transparent_hugepage/enabled, madvise",
    "memory.numaBalancing, Disabled, proc/sys/kernel/numa_balancing, 0",
    "memory.zoneReclaim, Enabled, proc/sys/vm/zone_reclaim_mode, 1",
    "memory.swappiness, 10, proc/sys/vm/swappiness, 10"
  })
  void setsKernelFilesOnAnyProcessor(String knob, String value, String file, String content)
      throws IOException {
    use(FakeTree.graviton(directory.resolve("graviton")));
    SortedMap<String, Long> before = tree.everything();
    KnobState state = only(writer.apply(settings(knob, value), CpuSet.of(1)));
    assertThat(state.state()).isEqualTo("Applied");
    assertThat(state.differingCpus()).isNull();
    assertThat(tree.text(file)).isEqualTo(content);
    writer.restore();
    assertThat(tree.everything()).isEqualTo(before);
  }

  @Test
  void leavesAllOtherBitsAlone() throws IOException {
    tree.fill(CONTROL, 0xFFFF_0000_0000_0009L);
    apply(NEXT_LINE);
    assertThat(registers(CONTROL)).containsOnly(0xFFFF_0000_0000_000DL);
    // Somebody else's bit changes in between, and stays changed.
    tree.fill(CONTROL, 0xFFFF_0000_0000_000CL);
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(0xFFFF_0000_0000_0008L);
  }

  @Test
  void neverTakesItsOwnValueForAnOriginal() throws IOException {
    apply(settings("memory.swappiness", "1"));
    apply(settings("memory.swappiness", "10"));
    restart();
    apply(settings("memory.swappiness", "3"));
    writer.restore();
    assertThat(tree.text("proc/sys/vm/swappiness")).isEqualTo("60");

    use(FakeTree.power(directory.resolve("power8"), "POWER8"));
    for (int cpu = 0; cpu < FakeTree.CPUS; cpu++) {
      tree.text("sys/devices/system/cpu/cpu" + cpu + "/dscr", "27");
    }
    apply(settings("prefetch.l2Stream", "Disabled"));
    apply(settings("prefetch.l2Stream", "Enabled"));
    assertThat(registers(Location.POWER_DSCR)).containsOnly(0x20L);
    writer.restore();
    assertThat(registers(Location.POWER_DSCR)).containsOnly(0x27L);
  }

  @Test
  void putsBackWhatIsNotWantedAnyMore() throws IOException {
    writer.apply(
        KnobSettings.parse(Map.of("prefetch.l1NextLine", "Disabled", "memory.swappiness", "1")),
        null);
    List<KnobState> states = writer.apply(settings("prefetch.l1Stride", "Disabled"), null);
    assertThat(states)
        .extracting(KnobState::name, KnobState::state, KnobState::actual)
        .containsExactly(
            tuple("prefetch.l1Stride", "Applied", "Disabled"),
            tuple("prefetch.l1NextLine", "Restored", "Enabled"),
            tuple("memory.swappiness", "Restored", "60"));
    assertThat(registers(CONTROL)).containsOnly(8L);
    assertThat(tree.text("proc/sys/vm/swappiness")).isEqualTo("60");
  }

  @Test
  void writesNothingTheSecondTime() throws IOException {
    apply(NEXT_LINE);
    machine.writes.clear();
    assertThat(apply(NEXT_LINE).state()).isEqualTo("Applied");
    restart();
    assertThat(apply(NEXT_LINE).state()).isEqualTo("Applied");
    assertThat(machine.writes).isEmpty();
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(0L);
  }

  @Test
  void setsOnlyCoresOfTheScope() throws IOException {
    writer.apply(NEXT_LINE, CpuSet.of(1));
    assertThat(registers(CONTROL)).containsExactly(0L, 4L, 0L, 4L);
    writer.apply(NEXT_LINE, CpuSet.of(2));
    assertThat(registers(CONTROL)).containsExactly(4L, 0L, 4L, 0L);
    KnobState none = only(writer.apply(NEXT_LINE, CpuSet.EMPTY));
    assertThat(none.state()).isEqualTo("Applied");
    assertThat(none.message()).contains("no core");
    assertThat(registers(CONTROL)).containsOnly(0L);
  }

  @Test
  void refusesCpusThatAreNotThere() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.apply(NEXT_LINE, CpuSet.of(3, 4, 9)))
        .withMessage("cpus: 4,9 is not on this machine: write some of 0-3");
    assertThat(machine.writes).isEmpty();
  }

  @Test
  void aCpuThatComesOnlineGetsTheOriginalOfItsCore() throws IOException {
    tree.text("sys/devices/system/cpu/online", "0-2");
    apply(NEXT_LINE);
    // CPU 3 shows what was set through CPU 1, with which it shares the register.
    tree.text("sys/devices/system/cpu/online", "0-3");
    apply(settings("prefetch.l1NextLine", "Enabled"));
    apply(NEXT_LINE);
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(0L);
  }

  @Test
  void aCpuThatComesOnlineIsSetWithTheNextApply() throws IOException {
    use(FakeTree.power(directory.resolve("power"), "POWER9"));
    tree.text("sys/devices/system/cpu/online", "0-2");
    KnobSettings stream = settings("prefetch.l2Stream", "Disabled");
    apply(stream);
    tree.text("sys/devices/system/cpu/online", "0-3");
    tree.text("sys/devices/system/cpu/cpu3/dscr", "17");
    KnobState late = only(writer.status());
    assertThat(late.state()).isEqualTo("Failed");
    assertThat(late.differingCpus()).isEqualTo("3");
    assertThat(late.message()).contains("come online");
    assertThat(apply(stream).state()).isEqualTo("Applied");
    assertThat(registers(Location.POWER_DSCR)).containsOnly(0x11L);
    writer.restore();
    assertThat(registers(Location.POWER_DSCR)).containsExactly(0x10L, 0x10L, 0x10L, 0x17L);
  }

  @Test
  void keepsTheOriginalOfACpuThatGoesOffline() throws IOException {
    apply(NEXT_LINE);
    tree.text("sys/devices/system/cpu/online", "0,2");
    assertThat(apply(NEXT_LINE).state()).isEqualTo("Applied");
    KnobState state = only(writer.restore());
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.differingCpus()).isEqualTo("1,3");
    assertThat(state.message()).contains("CPU 1 is offline");
    restart();
    tree.text("sys/devices/system/cpu/online", "0-3");
    assertThat(only(writer.resume()).state()).isEqualTo("Restored");
    assertThat(registers(CONTROL)).containsOnly(0L);
    assertThat(store.file()).doesNotExist();
  }

  @Test
  void aRebootDropsOriginals() throws IOException {
    apply(NEXT_LINE);
    tree.text("proc/sys/kernel/random/boot_id", "22222222-2222-2222-2222-222222222222");
    // What the firmware now starts with is the original of the new start.
    tree.fill(CONTROL, 8);
    restart();
    writer.resume();
    assertThat(store.file()).doesNotExist();
    apply(NEXT_LINE);
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(8L);
  }

  @Test
  void tellsWhatAnEarlierRunHasChanged() throws IOException {
    apply(NEXT_LINE);
    restart();
    KnobState state = only(writer.status());
    assertThat(state.name()).isEqualTo("prefetch.l1NextLine");
    assertThat(state.state()).isEqualTo("Observed");
    assertThat(state.message()).contains("an earlier run");
  }

  @Test
  void takesNothingMoreOnceItHasEnded() throws IOException {
    apply(NEXT_LINE);
    writer.close();
    assertThat(registers(CONTROL)).containsOnly(0L);
    assertThatIOException().isThrownBy(() -> apply(NEXT_LINE));
    assertThat(registers(CONTROL)).containsOnly(0L);
    assertThat(writer.close()).isEmpty();
  }
}
