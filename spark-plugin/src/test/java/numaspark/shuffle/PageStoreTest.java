package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a removed shuffle leaves: nothing, whoever comes late. */
class PageStoreTest {
  @TempDir Path root;

  private final PageBudget budget = PageBudget.of(SparkMemory.conf("100m"), SparkMemory.of("100m"));
  private NodeFolder folder;
  private PageStore store;

  @BeforeEach
  void open() throws IOException {
    folder = NodeFolder.make(root, "app", "1");
    RunMemory runs = new RunMemory(budget, 2, Long.MAX_VALUE);
    store = new PageStore(Optional.of(folder), "1", budget, runs, true);
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(root).isEmptyDirectory();
  }

  private static Run append(PageFile file) throws IOException {
    return file.append(ByteBuffer.allocate(64));
  }

  @Test
  void aTaskThatWritesWhileItsShuffleIsRemovedLeavesNothing() throws IOException {
    OwnShuffle shuffle = store.toWrite(3);
    assertThat(store.takePages(64)).isTrue();
    PageFile file = shuffle.take(64);
    Run run = append(file);
    store.remove(3);
    assertThat(shuffle.isRemoved()).isTrue();
    assertThat(folder.own().resolve("3")).doesNotExist();
    append(file); // the file is open, and nobody else sees it
    assertThatThrownBy(() -> shuffle.take(64)).hasMessageContaining("removed");
    assertThat(shuffle.commit(new MapOutput(1, 1, false, List.of(run)), 64)).isFalse();
    shuffle.takeBack(file, 0);
    store.budget().giveBack(64);
    assertThat(folder.own().resolve("3")).doesNotExist();
    assertThat(budget.used()).isZero();
  }

  @Test
  void aTaskThatComesAfterTheRemovalWritesNoPages() throws IOException {
    store.remove(3);
    OwnShuffle again = store.toWrite(3);
    assertThat(again.isUsable()).isFalse();
    assertThat(again.commit(new MapOutput(1, 1, true, List.of()), 0)).isTrue();
    assertThat(again.find(1)).as("it can be asked for").isNotNull();
    assertThat(folder.own().resolve("3")).doesNotExist();
    assertThat(store.toWrite(4).isUsable()).isTrue();
    store.remove(3);
    assertThat(store.knows(3)).isFalse();
  }

  @Test
  void aReaderThatComesAfterTheRemovalIsForgotten() {
    store.remove(5);
    try (PageStore.Lease lease = store.lease(5)) {
      assertThat(lease.own()).isNull();
      assertThat(store.knows(5)).isTrue();
    }
    assertThat(store.knows(5)).isFalse();
  }

  @Test
  void pagesTakeThePlaceOfBuffersThatNobodyUses() {
    store.runs().giveBack(store.runs().take(100).orElseThrow());
    assertThat(store.use("1").heldBytes()).as("of pages").isZero();
    assertThat(store.takePages(100L << 20)).isTrue();
    assertThat(store.runs().held()).isZero();
    store.budget().giveBack(100L << 20);
  }
}
