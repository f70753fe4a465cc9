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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KnobWriterTest {

  private static final int SKYLAKE = 0x55;
  private static final Location CONTROL = Location.INTEL_PREFETCH_CONTROL;
  private static final KnobSettings NEXT_LINE = settings("prefetch.l1NextLine", "Disabled");
  private static final String EIO = "Input/output error";
  private static final String EPERM = "Operation not permitted";

  @TempDir Path directory;

  private FakeTree tree;
  private FaultyMachine machine;
  private FaultyStore store;
  private KnobWriter writer;

  @BeforeEach
  void start() throws IOException {
    use(FakeTree.intel(directory.resolve("skylake"), SKYLAKE));
  }

  private void use(FakeTree other) throws IOException {
    tree = other;
    machine = new FaultyMachine(tree);
    store = new FaultyStore(tree.root.resolve("state"));
    writer = new KnobWriter(machine, tree.processor(), store);
  }

  /** A new process. */
  private void restart() throws IOException {
    writer = new KnobWriter(machine, tree.processor(), store);
  }

  private static KnobSettings settings(String knob, String value) {
    return KnobSettings.parse(Map.of(knob, value));
  }

  private static KnobState only(List<KnobState> states) {
    assertThat(states).hasSize(1);
    return states.get(0);
  }

  private KnobState apply(KnobSettings wanted) throws IOException {
    return only(writer.apply(wanted, null));
  }

  private List<Long> registers(Location location) throws IOException {
    List<Long> contents = new ArrayList<>();
    for (int cpu = 0; cpu < FakeTree.CPUS; cpu++) {
      contents.add(tree.get(location, cpu));
    }
    return contents;
  }

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
  void aFailedCanaryWritesNowhereElse() throws IOException {
    machine.failWrite(new Cell(CONTROL, 0), EIO);
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.differingCpus()).isEqualTo("0-3");
    assertThat(state.message()).contains("refuses msr-0x1a4/0");
    assertThat(machine.writes).isEmpty();
    assertThat(store.file()).doesNotExist();
  }

  @Test
  void aKnobThatFailsDoesNotHinderAnother() throws IOException {
    machine.ignoresWrites = cell -> cell.location() == Location.SWAPPINESS;
    List<KnobState> states =
        writer.apply(
            KnobSettings.parse(Map.of("prefetch.l1NextLine", "Disabled", "memory.swappiness", "1")),
            null);
    assertThat(states).extracting(KnobState::state).containsExactly("Applied", "Failed");
  }

  @Test
  void reportsCpusThatRefuse() throws IOException {
    machine.failWrite(new Cell(CONTROL, 1), EIO);
    machine.failWrite(new Cell(CONTROL, 3), EIO);
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.actual()).isEqualTo("Mixed");
    assertThat(state.differingCpus()).isEqualTo("1,3");
    assertThat(only(writer.status())).isEqualTo(state);
    assertThat(only(writer.restore()).state()).isEqualTo("Restored");
    assertThat(registers(CONTROL)).containsOnly(0L);
  }

  @Test
  void writesNothingIfACpuCannotBeRead() throws IOException {
    machine.failRead(new Cell(CONTROL, 2), EIO);
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.differingCpus()).isEqualTo("0-3");
    assertThat(state.message()).startsWith("it cannot be read on every CPU");
    assertThat(machine.writes).isEmpty();
  }

  @Test
  void saysThatAGuestIgnoresWrites() throws IOException {
    tree.x86("GenuineIntel", 6, SKYLAKE, "fpu msr hypervisor lm");
    restart();
    machine.ignoresWrites = cell -> true;
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.message()).contains("hypervisor ignores the write");
    assertThat(machine.writes).containsExactly("msr-0x1a4/0=4");
    assertThat(store.file()).doesNotExist();
  }

  @Test
  void aGuestWithoutTheRegisterIsUnsupported() throws IOException {
    for (int cpu = 0; cpu < FakeTree.CPUS; cpu++) {
      machine.failRead(new Cell(CONTROL, cpu), EIO);
    }
    assertThat(apply(NEXT_LINE).state()).isEqualTo("Unsupported");
  }

  @Test
  void saysWhatToDoWithoutTheModule() throws IOException {
    for (int cpu = 0; cpu < FakeTree.CPUS; cpu++) {
      Files.delete(tree.root.resolve("dev/cpu/" + cpu + "/msr"));
    }
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Unsupported");
    assertThat(state.message()).contains("modprobe msr");
  }

  @ParameterizedTest
  @CsvSource({
    "sys/kernel/security/lockdown, none [integrity] confidentiality, Secure Boot",
    "sys/module/msr/parameters/allow_writes, off, allow_writes"
  })
  void onlyVerifiesWhereTheKernelForbidsWrites(String file, String content, String message)
      throws IOException {
    tree.text(file, content);
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.actual()).isEqualTo("Enabled");
    assertThat(state.message()).contains(message);
    assertThat(apply(settings("prefetch.l1NextLine", "Enabled")).state()).isEqualTo("Applied");
    assertThat(apply(settings("memory.swappiness", "5")).state()).isEqualTo("Applied");
    assertThat(machine.writes).containsExactly("swappiness=5");
  }

  @Test
  void tellsAWriteThatIsNotPermitted() throws IOException {
    machine.failWrite(new Cell(CONTROL, 0), EPERM);
    assertThat(apply(NEXT_LINE).message()).contains("lockdown").contains("allow_writes");
  }

  @Test
  void reportsDriftAndDoesNotFightForEver() throws IOException {
    apply(NEXT_LINE);
    for (int round = 0; round < KnobMemory.MAX_REPEATS; round++) {
      tree.set(CONTROL, 1, 0);
      KnobState seen = only(writer.status());
      assertThat(seen.state()).isEqualTo("Drifted");
      assertThat(seen.differingCpus()).isEqualTo("1,3");
      assertThat(apply(NEXT_LINE).state()).isEqualTo("Applied");
    }
    tree.set(CONTROL, 1, 0);
    machine.writes.clear();
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Drifted");
    assertThat(state.message()).contains("set again 3 times");
    assertThat(machine.writes).isEmpty();
    // Another wish is another try.
    assertThat(apply(settings("prefetch.l1NextLine", "Enabled")).state()).isEqualTo("Applied");
    assertThat(apply(NEXT_LINE).state()).isEqualTo("Applied");
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(0L);
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
  void keepsTheOriginalIfItCannotBePutBack() throws IOException {
    apply(NEXT_LINE);
    machine.failWrite(new Cell(CONTROL, 1), EPERM);
    machine.failWrite(new Cell(CONTROL, 3), EPERM);
    KnobState state = only(writer.restore());
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.differingCpus()).isEqualTo("1,3");
    assertThat(registers(CONTROL)).containsExactly(0L, 4L, 0L, 4L);
    machine.heal();
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(0L);
  }

  @Test
  void writesNothingIfOriginalsCannotBeKept() throws IOException {
    store.isFull = true;
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.message()).contains("originals cannot be kept").contains("No space left");
    assertThat(machine.writes).isEmpty();
  }

  @Test
  void putsBackThoughTheDiskIsFull() throws IOException {
    apply(NEXT_LINE);
    store.isFull = true;
    writer.restore();
    assertThat(registers(CONTROL)).containsOnly(0L);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          half a file         | {"bootId":"1111
          nothing             | ''
          a place of nobody   | {"bootId":"b","restoring":false,"cells":{"msr-0x10/0":{"mask":"1","original":"0"}}}
          bits of nobody      | {"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"f00","original":"0"}}}
          bits outside of it  | {"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"4","original":"2"}}}
          a CPU of nobody     | {"bootId":"b","restoring":false,"cells":{"msr-0x1a4/99999":{"mask":"4","original":"0"}}}
          something after it  | {"bootId":"b","restoring":false,"cells":{}} {}
          """)
  void changesNothingWithOriginalsThatItDoesNotUnderstand(String name, String content)
      throws IOException {
    tree.text("state/originals.json", content);
    KnobState state = apply(NEXT_LINE);
    assertThat(state.state()).isEqualTo("Failed");
    assertThat(state.message())
        .contains("is not readable as originals")
        .contains("restart the node");
    assertThatIOException().isThrownBy(writer::restore).withMessageContaining("not readable");
    assertThat(machine.writes).isEmpty();
    assertThat(tree.text("state/originals.json")).isEqualTo(content);
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
