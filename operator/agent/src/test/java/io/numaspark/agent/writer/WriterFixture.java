package io.numaspark.agent.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A writer on a machine of plain files, at first one with Skylake cores. */
abstract class WriterFixture {

  static final int SKYLAKE = 0x55;
  static final Location CONTROL = Location.INTEL_PREFETCH_CONTROL;
  static final KnobSettings NEXT_LINE = settings("prefetch.l1NextLine", "Disabled");

  @TempDir Path directory;

  FakeTree tree;
  FaultyMachine machine;
  FaultyStore store;
  KnobWriter writer;

  @BeforeEach
  final void start() throws IOException {
    use(FakeTree.intel(directory.resolve("skylake"), SKYLAKE));
  }

  final void use(FakeTree other) throws IOException {
    tree = other;
    machine = new FaultyMachine(tree);
    store = new FaultyStore(tree.root.resolve("state"));
    writer = new KnobWriter(machine, tree.processor(), store);
  }

  /** A new process. */
  final void restart() throws IOException {
    writer = new KnobWriter(machine, tree.processor(), store);
  }

  static KnobSettings settings(String knob, String value) {
    return KnobSettings.parse(Map.of(knob, value));
  }

  static KnobState only(List<KnobState> states) {
    assertThat(states).hasSize(1);
    return states.get(0);
  }

  final KnobState apply(KnobSettings wanted) throws IOException {
    return only(writer.apply(wanted, null));
  }

  final List<Long> registers(Location location) throws IOException {
    List<Long> contents = new ArrayList<>();
    for (int cpu = 0; cpu < FakeTree.CPUS; cpu++) {
      contents.add(tree.get(location, cpu));
    }
    return contents;
  }
}
