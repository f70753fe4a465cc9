package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.spark.TaskContext$;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

/**
 * Whatever is in the files and blocks of other executors: an error that says so, at a bounded cost,
 * and never a look outside of them.
 */
class DamagedPagesTest {
  private static final int HEADER = Run.headerBytes(2);

  @TempDir Path folder;

  /** A run of two partitions, the first of two rows of 16 bytes, the second without any. */
  private final ByteBuffer page = ByteBuffer.allocate(HEADER + 32).order(ByteOrder.nativeOrder());

  @BeforeEach
  void write() throws IOException {
    page.putInt(0, 16).putInt(4, 2).putInt(8, 0).putInt(12, 32).putInt(16, 32);
    Files.write(folder.resolve("0.pages"), page.array());
    catalog(record(0, 0, HEADER + 32));
  }

  private void catalog(ByteBuffer record) throws IOException {
    Files.write(folder.resolve(ShuffleFolder.CATALOG), record.array());
  }

  private static ByteBuffer record(int file, long offset, long length) {
    Run run = new Run(file, offset, length);
    return ShuffleFolder.record(new MapOutput(7, 1, false, List.of(run)));
  }

  private List<Run.Segment> read(int partition) throws IOException {
    ShuffleFolder pages = new ShuffleFolder(folder);
    return pages.segments(pages.find(7), partition);
  }

  @Test
  void theUndamagedOne() throws IOException {
    assertThat(read(0))
        .singleElement()
        .satisfies(
            segment -> {
              assertThat(segment.length()).isEqualTo(32);
              assertThat(segment.offset()).isEqualTo(HEADER);
              assertThat(segment.rowSize()).isEqualTo(16);
            });
    assertThat(read(1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, -16",
    "0, 17",
    "4, -1",
    "4, 0",
    "4, 2147483647",
    "4, 1000",
    "8, -8",
    "8, 48",
    "12, 33",
    "12, 2147483647",
    "12, -2147483648"
  })
  void headersOfRuns(int at, int value) throws IOException {
    Files.write(folder.resolve("0.pages"), page.putInt(at, value).array());
    assertThatThrownBy(() -> read(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is damaged");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 64",
    "0, -8, 64",
    "0, 4, 64",
    "0, 0, 4",
    "0, 0, -1",
    "0, 0, 9223372036854775807",
    "0, 9223372036854775800, 64",
    "0, 0, 4096",
    "0, 2147483640, 2147483647",
    "1, 0, 64"
  })
  void runsInCatalogs(int file, long offset, long length) throws IOException {
    catalog(record(file, offset, length));
    assertThatThrownBy(() -> read(0)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, -1", "0, 23", "0, 2147483647", "20, -1", "20, 2", "20, 2147483647"})
  void recordsOfCatalogs(int at, int value) throws IOException {
    catalog(record(0, 0, HEADER + 32).putInt(at, value));
    assertThatThrownBy(() -> new ShuffleFolder(folder).find(7))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("its catalog has a");
  }

  @Test
  void aRecordThatIsBeingWrittenIsWaitedFor() throws IOException {
    byte[] whole = record(0, 0, HEADER + 32).array();
    ShuffleFolder pages = new ShuffleFolder(folder);
    for (int bytes : new int[] {0, 3, 4, whole.length - 1}) {
      catalog(ByteBuffer.wrap(java.util.Arrays.copyOf(whole, bytes)));
      assertThat(pages.find(7)).isNull();
    }
    catalog(ByteBuffer.wrap(whole));
    assertThat(pages.find(7)).isNotNull();
  }

  @Test
  void aCatalogWithoutEndIsNotRead() throws IOException {
    try (RandomAccessFile sparse =
        new RandomAccessFile(folder.resolve(ShuffleFolder.CATALOG).toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    assertThatThrownBy(() -> new ShuffleFolder(folder).find(7)).hasMessageContaining("too many");
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path elsewhere = Files.move(folder.resolve("0.pages"), folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("0.pages"), elsewhere);
    assertThatThrownBy(() -> read(0)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0",
    "2147483647, 0, 0",
    "1, -8, 16",
    "1, 8, -16",
    "1, 8, 20",
    "1, 8, 0",
    "1, 16, 9223372036854775807",
    "1, 0, 3"
  })
  void headersOfBlocks(int segments, int rowSize, long length) {
    byte[] block =
        ByteBuffer.allocate(200)
            .putInt(PageStream.MAGIC)
            .putInt(segments)
            .putInt(rowSize)
            .putLong(length)
            .array();
    assertThatThrownBy(() -> new PageStream(new ByteArrayInputStream(block), rest -> rest))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void aForgedNumberOfSegmentsTakesNoMemory() {
    byte[] block = ByteBuffer.allocate(8).putInt(PageStream.MAGIC).putInt(Run.MOST).array();
    assertThatThrownBy(() -> new PageStream(new ByteArrayInputStream(block), rest -> rest))
        .isInstanceOf(java.io.EOFException.class);
  }

  @ParameterizedTest
  @CsvSource({"-1", "2147483647", "13", "10"})
  void sizesOfRowsInBlocks(int size) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(36).putInt(PageStream.MAGIC).putInt(1).putInt(0);
    block.putLong(16).putInt(size);
    PageStream in = new PageStream(new ByteArrayInputStream(block.array()), rest -> rest);
    assertThatThrownBy(in::readAllBytes).hasMessageContaining("damaged: a row of " + size);
  }

  @ParameterizedTest
  @CsvSource({"-1", "2147483647", "13", "16"})
  void sizesOfRowsInPages(int size) {
    long memory = Platform.allocateMemory(16);
    try {
      Platform.putInt(null, memory, Memory.bigEndian(size));
      PageRows<Object, Object> rows = rows(new Run.Segment(0, 0, 16, memory, 0));
      assertThatThrownBy(rows::next)
          .isInstanceOf(FetchFailedException.class)
          .hasMessageContaining("shuffle_1_2_3 is damaged: a row of");
    } finally {
      Platform.freeMemory(memory);
    }
  }

  /** Garbage in the place of a run ends in an error or in rows that lie inside of it. */
  @Test
  void garbage() throws IOException {
    Random random = new Random(1);
    byte[] garbage = new byte[HEADER + 32];
    for (int i = 0; i < 300; i++) {
      random.nextBytes(garbage);
      ByteBuffer ints = ByteBuffer.wrap(garbage).order(ByteOrder.nativeOrder());
      for (int at = 0; at < HEADER; at += 4) {
        if (random.nextBoolean()) {
          ints.putInt(at, random.nextInt(40));
        }
      }
      Files.write(folder.resolve("0.pages"), garbage);
      ShuffleFolder pages = new ShuffleFolder(folder);
      try {
        for (Run.Segment segment : pages.segments(pages.find(7), random.nextInt(3))) {
          assertThat(segment.offset()).isBetween((long) Run.headerBytes(0), HEADER + 32L);
          assertThat(segment.offset() + segment.length()).isLessThanOrEqualTo(HEADER + 32L);
          PageRows<Object, Object> rows = rows(segment);
          while (rows.hasNext()) {
            UnsafeRow row = (UnsafeRow) rows.next()._2();
            assertThat(row.getBaseOffset() + row.getSizeInBytes())
                .isLessThanOrEqualTo(segment.address() + segment.length());
          }
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("damaged");
      } catch (Exception e) {
        assertThat(e).isInstanceOf(FetchFailedException.class);
      }
      pages.close();
    }
  }

  private static PageRows<Object, Object> rows(Run.Segment segment) {
    PageRows.Origin origin =
        new PageRows.Origin(
            BlockManagerId.apply("1", "localhost", 1, Option.empty()),
            new ShuffleBlockId(1, 2, 3),
            0);
    return new PageRows<>(
        List.of(new PageRows.Source(1, List.of(segment), origin)),
        null,
        TaskContext$.MODULE$.empty(),
        new TempShuffleReadMetrics());
  }
}
