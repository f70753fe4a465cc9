package io.numaspark.agent.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Setting and putting back where something does not. */
class KnobFaultsTest extends WriterFixture {

  private static final String EIO = "Input/output error";
  private static final String EPERM = "Operation not permitted";

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

  /** A pipe would be waited for, and a file without end takes the heap, at every start. */
  @Test
  void changesNothingWithOriginalsThatAreNoFileOfOurs() throws Exception {
    Files.createDirectories(store.file().getParent());
    assertThat(new ProcessBuilder("mkfifo", store.file().toString()).start().waitFor()).isZero();
    assertThat(apply(NEXT_LINE).message()).contains("it is not a file");
    Files.delete(store.file());

    restart();
    Files.writeString(store.file(), " ".repeat(3 * 1024 * 1024 + 1));
    assertThat(apply(NEXT_LINE).message()).contains("more than 3145728 bytes");
    assertThat(machine.writes).isEmpty();
  }
}
