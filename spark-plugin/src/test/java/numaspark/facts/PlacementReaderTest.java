package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import numaspark.facts.ExecutorFacts.Pinned;
import numaspark.facts.ExecutorFacts.Placement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacementReaderTest {
  @TempDir Path folder;
  private FakeMachine machine;
  private final Unread unread = new Unread();

  @BeforeEach
  void twoNodesOfFourCpus() {
    machine = new FakeMachine(folder).nodes(2, 4);
  }

  private Placement read() {
    return new PlacementReader(machine.roots(), unread).read();
  }

  @Test
  void cpusAndMemoryOfOneNodeArePinned() {
    machine.allowed("4-6", "1");
    assertThat(read()).isEqualTo(new Placement("4-6", "1", "1", false));
    assertThat(read().pinned()).isEqualTo(Pinned.YES);
    assertThat(unread.reasons()).isEmpty();
  }

  @Test
  void cpusOfTwoNodesAreNot() {
    machine.allowed("3-4", "0-1");
    assertThat(read().numaNodes()).isEqualTo("0-1");
    assertThat(read().pinned()).isEqualTo(Pinned.CPUS_SPAN_NODES);
  }

  @Test
  void memoryOfTwoNodesIsNot() {
    machine.allowed("0-3", "0-1");
    assertThat(read().pinned()).isEqualTo(Pinned.MEMORY_SPANS_NODES);
  }

  @Test
  void allCpusOfAMachineWithOneNodeAreNot() {
    machine = new FakeMachine(folder.resolve("small")).nodes(1, 4).allowed("0-3", "0");
    assertThat(read().pinned()).isEqualTo(Pinned.ALL_CPUS);
    machine.allowed("0-2", "0");
    assertThat(read().pinned()).isEqualTo(Pinned.YES);
  }

  @Test
  void nodesWithoutMemoryGiveNone() {
    machine.write("system/node/has_memory", "0\n").allowed("4-5", "0-1");
    assertThat(read()).isEqualTo(new Placement("4-5", "0", "1", false));
  }

  @Test
  void withoutTheMachinesFilesNodesAreUnknown() {
    machine = new FakeMachine(folder.resolve("other")).allowed("0-3", "0");
    assertThat(read()).isEqualTo(new Placement("0-3", "0", null, null));
    assertThat(read().pinned()).isEqualTo(Pinned.UNKNOWN);
    assertThat(unread.reasons()).anyMatch(reason -> reason.startsWith("NUMA nodes: CPU 0"));
  }

  @Test
  void oneCpuWithoutANodeMakesTheNodesUnknown() {
    machine.allowed("4,99", "1");
    assertThat(read().numaNodes()).isNull();
  }

  @Test
  void garbageAndAMissingFileAreUnknown() {
    assertThat(read()).isEqualTo(new Placement(null, null, null, null));
    machine.allowed("ff\u0000", "node one");
    assertThat(read()).isEqualTo(new Placement(null, null, null, null));
    machine.write("self/status", "");
    assertThat(read().pinned()).isEqualTo(Pinned.UNKNOWN);
    assertThat(unread.reasons())
        .anyMatch(reason -> reason.startsWith("allowed CPUs: "))
        .anyMatch(reason -> reason.startsWith("allowed memory nodes: "));
  }
}
