package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import numaspark.facts.ExecutorFacts.RunQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunQueueReaderTest {
  @TempDir Path folder;
  private FakeMachine machine;
  private final Unread unread = new Unread();
  private RunQueueReader reader;

  @BeforeEach
  void empty() {
    machine = new FakeMachine(folder);
    reader = new RunQueueReader(machine.roots(), unread);
  }

  @Test
  void aThousandThreadsAreSummed() {
    machine.threads(1000, 5_000_000, 1_000_000);
    assertThat(reader.read()).isEmpty();
    machine.threads(1000, 8_000_000, 2_000_000);
    assertThat(reader.read()).contains(new RunQueue(3, 1));
    assertThat(reader.read()).contains(new RunQueue(0, 0));
    assertThat(new RunQueue(3, 1).waitShare()).isEqualTo(0.25);
    assertThat(new RunQueue(0, 0).waitShare()).isNull();
  }

  @Test
  void newThreadsCountFromTheirStartAndEndedOnesNoMore() throws IOException {
    machine.thread(1, 9_000_000_000L, 9_000_000_000L).thread(2, 1, 1);
    reader.read();
    Files.delete(folder.resolve("self/task/1/schedstat"));
    machine.thread(3, 2_000_000_000L, 1_000_000_000L);
    assertThat(reader.read()).contains(new RunQueue(2, 1));
  }

  @Test
  void aNumberThatIsUsedAgainIsANewThread() {
    machine.thread(1, 9_000_000_000L, 9_000_000_000L);
    reader.read();
    machine.thread(1, 1_000_000_000L, 0);
    assertThat(reader.read()).contains(new RunQueue(1, 0));
  }

  @Test
  void garbageIsSkipped() {
    machine.thread(1, 0, 0).write("self/task/2/schedstat", "x y z\n").folder("self/task/3");
    machine.write("self/task/4/schedstat", "").write("self/task/5/schedstat", "12\n");
    reader.read();
    machine.thread(1, 1_000_000_000L, 0);
    assertThat(reader.read()).contains(new RunQueue(1, 0));
  }

  @Test
  void withoutTheFilesItIsUnknownAndStartsAnewLater() {
    assertThat(reader.read()).isEmpty();
    assertThat(unread.reasons()).hasSize(1);
    machine.folder("self/task/1");
    assertThat(reader.read()).isEmpty();
    assertThat(unread.reasons().get(0)).contains("no thread");
    machine.thread(1, 5, 5);
    assertThat(reader.read()).isEmpty();
    assertThat(reader.read()).contains(new RunQueue(0, 0));
    assertThat(unread.reasons()).isEmpty();
  }
}
