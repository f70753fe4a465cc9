package io.numaspark.agent.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the writer at every single step that it takes. */
class CrashTest {

  private static final KnobSettings PREFETCH =
      KnobSettings.parse(
          Map.of(
              "prefetch.l1NextLine", "Disabled",
              "prefetch.l2AdjacentLine", "Disabled",
              "prefetch.llcStream", "Disabled",
              "memory.swappiness", "1"));

  private static final KnobSettings CHANGED =
      KnobSettings.parse(
          Map.of(
              "prefetch.l2AdjacentLine", "Disabled",
              "prefetch.l2Stream", "Disabled",
              "memory.swappiness", "10",
              "memory.transparentHugePages", "Madvise"));

  @TempDir Path directory;

  private int runs;

  /** What one writer does between two crashes. */
  private interface Work {
    void of(KnobWriter writer) throws IOException;
  }

  /** A profile comes, changes, shrinks to one core, and goes. */
  private static void life(KnobWriter writer) throws IOException {
    writer.resume();
    writer.apply(PREFETCH, null);
    writer.apply(CHANGED, null);
    writer.apply(CHANGED, CpuSet.of(1));
    writer.apply(PREFETCH, CpuSet.of(0));
    writer.close();
  }

  private FakeTree machine() {
    FakeTree tree = FakeTree.intel(directory.resolve("m" + runs++), 0x8F);
    // Firmware defaults that are not 0, and bits that are nobody's business.
    tree.set(Location.INTEL_PREFETCH_CONTROL, 0, 0x1001);
    tree.set(Location.INTEL_PREFETCH_CONTROL, 1, 0x1002);
    return tree;
  }

  /**
   * @return whether it was killed
   */
  private static boolean runUntil(FakeTree tree, int step, Work work) throws IOException {
    CrashPoint crash = new CrashPoint(step);
    try {
      work.of(
          new KnobWriter(
              new FaultyMachine(tree, crash),
              tree.processor(),
              new FaultyStore(tree.root.resolve("state"), crash)));
      return false;
    } catch (CrashPoint.Killed e) {
      return true;
    }
  }

  private static void assertBack(FakeTree tree, SortedMap<String, Long> before, String when)
      throws IOException {
    assertThat(tree.everything()).as(when).isEqualTo(before);
    assertThat(tree.root.resolve("state/originals.json")).as(when).doesNotExist();
  }

  @Test
  void restoresWhateverStepItWasKilledAt() throws IOException {
    int step = 0;
    for (boolean killed = true; killed; step++) {
      FakeTree tree = machine();
      SortedMap<String, Long> before = tree.everything();
      killed = runUntil(tree, step, CrashTest::life);
      runUntil(tree, -1, KnobWriter::restore);
      assertBack(tree, before, "killed at step " + step);
    }
    assertThat(step).as("steps of a life").isGreaterThan(200);
  }

  @Test
  void goesOnWithARestoreThatWasKilledItself() throws IOException {
    int step = 0;
    int askedFor = 0;
    for (boolean killed = true; killed; step++) {
      FakeTree tree = machine();
      SortedMap<String, Long> before = tree.everything();
      runUntil(tree, -1, writer -> writer.apply(PREFETCH, null));
      SortedMap<String, Long> applied = tree.everything();
      killed = runUntil(tree, step, KnobWriter::restore);
      // Nobody asks: the next writer knows by itself once the restore has begun.
      boolean begun = !tree.everything().equals(applied);
      runUntil(tree, -1, KnobWriter::resume);
      if (!begun && !tree.everything().equals(before)) {
        askedFor++;
        runUntil(tree, -1, KnobWriter::restore);
      }
      assertBack(tree, before, "killed at step " + step + " of the restore");
    }
    assertThat(step).as("steps of a restore").isGreaterThan(20);
    assertThat(askedFor).as("killed before it was on disk that a restore has begun").isEqualTo(3);
  }

  @Test
  void restoresAfterTwoCrashes() throws IOException {
    // A prime, so that all kinds of steps meet each other without all pairs being run.
    int stride = 19;
    int pairs = 0;
    boolean first = true;
    for (int i = 0; first; i += stride) {
      boolean second = true;
      for (int j = i % stride; second; j += stride) {
        FakeTree tree = machine();
        SortedMap<String, Long> before = tree.everything();
        first = runUntil(tree, i, CrashTest::life);
        second = runUntil(tree, j, i % 2 == 0 ? KnobWriter::restore : CrashTest::life);
        runUntil(tree, -1, KnobWriter::restore);
        assertBack(tree, before, "killed at step " + i + ", then at step " + j);
        pairs++;
      }
    }
    assertThat(pairs).isGreaterThan(80);
  }

  @Test
  void goesOnAfterACrashWithWhatIsStillWanted() throws IOException {
    int step = 0;
    for (boolean killed = true; killed; step++) {
      FakeTree tree = machine();
      SortedMap<String, Long> before = tree.everything();
      killed = runUntil(tree, step, writer -> writer.apply(PREFETCH, null));
      runUntil(tree, -1, writer -> writer.apply(PREFETCH, null));
      assertThat(tree.get(Location.INTEL_PREFETCH_CONTROL, 3)).isEqualTo(0x1006);
      runUntil(tree, -1, KnobWriter::restore);
      assertBack(tree, before, "killed at step " + step);
    }
    assertThat(step).isGreaterThan(30);
  }
}
