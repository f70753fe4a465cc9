package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that go into runs come out again: through the mapping, through the catalog, and through a
 * block that is sent.
 */
class RunTest {
  private static final int CAPACITY = 1 << 12;

  @TempDir Path folder;

  private static RunBuilder builder(int partitions) {
    PageBudget budget = PageBudget.of(SparkMemory.conf("100m"), SparkMemory.of("100m"));
    RunBuilder builder =
        new RunBuilder(partitions, CAPACITY, new RunMemory(budget, 1, Long.MAX_VALUE));
    assertThat(builder.begin(bytes -> true)).isTrue();
    return builder;
  }

  /** A row of so many bytes whose words are all the same number. */
  private static UnsafeRow row(int bytes, long word) {
    byte[] content = new byte[bytes];
    for (int i = 0; i < bytes; i += 8) {
      Platform.putLong(content, Platform.BYTE_ARRAY_OFFSET + i, word);
    }
    UnsafeRow row = new UnsafeRow(Math.max(bytes / 8 - 1, 0));
    row.pointTo(content, bytes);
    return row;
  }

  private record Written(
      OwnShuffle shuffle, MapOutput output, List<List<byte[]>> expected, long[] lengths) {}

  /** Writes rows as a map task does, into as many runs as they need. */
  private Written write(int partitions, List<UnsafeRow> rows, Random random) throws IOException {
    OwnShuffle shuffle = OwnShuffle.in(Optional.of(folder.resolve("s" + random.nextInt(1 << 30))));
    PageFile file = shuffle.take(1);
    RunBuilder builder = builder(partitions);
    List<Run> runs = new ArrayList<>();
    long[] lengths = new long[partitions];
    List<List<byte[]>> expected = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      expected.add(new ArrayList<>());
    }
    for (UnsafeRow row : rows) {
      int partition = random.nextInt(partitions);
      while (!builder.add(partition, row)) {
        runs.add(file.append(builder.layOut()));
        builder.addLengths(lengths);
        builder.clear();
      }
      expected.get(partition).add(row.getBytes());
    }
    if (!builder.isEmpty()) {
      runs.add(file.append(builder.layOut()));
      builder.addLengths(lengths);
    }
    MapOutput output = new MapOutput(7, builder.fields(), false, runs);
    assertThat(shuffle.commit(output, 100)).isTrue();
    shuffle.giveBack(file);
    return new Written(shuffle, output, expected, lengths);
  }

  private static List<byte[]> read(List<Run.Segment> segments) {
    List<byte[]> rows = new ArrayList<>();
    UnsafeRow row = new UnsafeRow(1);
    for (Run.Segment segment : segments) {
      long at = segment.address();
      while (at < segment.address() + segment.length()) {
        int size = segment.rowSize();
        if (size == 0) {
          size = Memory.bigEndian(Platform.getInt(null, at));
          at += 4;
        }
        row.pointTo(null, at, size);
        rows.add(row.getBytes());
        at += size;
      }
    }
    return rows;
  }

  private static void assertSame(List<byte[]> rows, List<byte[]> expected) {
    assertThat(rows).hasSameSizeAs(expected);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i)).isEqualTo(expected.get(i));
    }
  }

  /** Also as a sibling sees them: by the catalog alone. */
  private static void assertReadable(Written written) throws IOException {
    ShuffleFolder sibling = new ShuffleFolder(written.shuffle().path());
    MapOutput listed = sibling.find(7);
    assertThat(listed).isEqualTo(written.output());
    for (int p = 0; p < written.expected().size(); p++) {
      assertSame(read(written.shuffle().segments(written.output(), p)), written.expected().get(p));
      List<Run.Segment> segments = sibling.segments(listed, p);
      assertSame(read(segments), written.expected().get(p));
      assertThat(segments.stream().mapToLong(Run.Segment::length).sum())
          .isEqualTo(written.lengths()[p]);
      assertSame(stream(block(segments)), written.expected().get(p));
    }
    sibling.close();
  }

  /** As it is sent to another node. */
  private static byte[] block(List<Run.Segment> segments) {
    ByteBuffer block = ByteBuffer.allocate(1 << 20);
    block.put(PageStream.header(segments));
    for (Run.Segment segment : segments) {
      Platform.copyMemory(
          null,
          segment.address(),
          block.array(),
          Platform.BYTE_ARRAY_OFFSET + block.position(),
          segment.length());
      block.position(block.position() + (int) segment.length());
    }
    byte[] bytes = new byte[block.flip().remaining()];
    block.get(bytes);
    return bytes;
  }

  private static List<byte[]> stream(byte[] block) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    DataInputStream in =
        new DataInputStream(new PageStream(new ByteArrayInputStream(block), rest -> rest));
    while (true) {
      int first = in.read();
      if (first < 0) {
        return rows;
      }
      int size = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
      byte[] row = new byte[size];
      in.readFully(row);
      rows.add(row);
    }
  }

  @Test
  void rowsOfOneSizeNeedNoSizes() throws IOException {
    List<UnsafeRow> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rows.add(row(16, i));
    }
    Written written = write(3, rows, new Random(1));
    assertReadable(written);
    assertThat(written.output().runs()).as("16,000 bytes in runs of 4,096").hasSize(4);
    assertThat(written.lengths()[0] + written.lengths()[1] + written.lengths()[2])
        .isEqualTo(16_000);
  }

  @Test
  void rowsOfDifferentSizes() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<UnsafeRow> rows = new ArrayList<>();
      int same = random.nextInt(300); // first some of one size
      for (int i = 0; i < same + random.nextInt(500); i++) {
        rows.add(row(i < same ? 24 : 8 * (1 + random.nextInt(60)), i));
      }
      assertReadable(write(1 + random.nextInt(40), rows, random));
    }
  }

  @Test
  void rowsWithoutColumns() throws IOException {
    List<UnsafeRow> rows = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      rows.add(row(0, 0));
    }
    Written written = write(2, rows, new Random(3));
    assertReadable(written);
    assertThat(written.lengths()[0] + written.lengths()[1]).as("sizes alone").isEqualTo(20_000);
  }

  @Test
  void rowLargerThanARun() throws IOException {
    assertReadable(
        write(
            2,
            List.of(row(16, 1), row(10 * CAPACITY, 2), row(16, 3), row(20 * CAPACITY, 4)),
            new Random(4)));
  }

  @Test
  void outputWithoutRows() throws IOException {
    Written written = write(2, List.of(), new Random(5));
    assertThat(written.shuffle().segments(written.output(), 1)).isEmpty();
    assertThat(new ShuffleFolder(written.shuffle().path()).find(7)).isEqualTo(written.output());
  }

  @Test
  void whatAFailedTaskWroteIsTakenBack() throws IOException {
    OwnShuffle shuffle = OwnShuffle.in(Optional.of(folder.resolve("failed")));
    PageFile file = shuffle.take(1);
    RunBuilder builder = builder(1);
    builder.add(0, row(16, 1));
    MapOutput kept = new MapOutput(1, 1, false, List.of(file.append(builder.layOut())));
    shuffle.commit(kept, 0);
    long size = file.size();
    file.append(builder.layOut());
    file.truncate(size);
    shuffle.giveBack(file);

    PageFile again = shuffle.take(1);
    assertThat(again).isSameAs(file);
    builder.clear();
    builder.add(0, row(16, 2));
    MapOutput next = new MapOutput(2, 1, false, List.of(again.append(builder.layOut())));
    assertThat(next.runs().get(0).offset()).isEqualTo(size);
    shuffle.commit(next, 0);
    assertThat(read(shuffle.segments(kept, 0))).containsExactly(row(16, 1).getBytes());
    assertThat(read(shuffle.segments(next, 0)))
        .as("a second mapping")
        .containsExactly(row(16, 2).getBytes());
  }

  @Test
  void removedShuffleHasNoFiles() throws IOException {
    Written written = write(1, List.of(row(16, 1)), new Random(6));
    assertThat(written.shuffle().remove()).isEqualTo(100);
    assertThat(Files.exists(written.shuffle().path())).isFalse();
    assertThatThrownBy(() -> written.shuffle().take(1)).hasMessageContaining("was removed");
    assertThat(written.shuffle().commit(written.output(), 100)).isFalse();
    assertThat(written.shuffle().remove()).isZero();
    written.shuffle().close();
    assertThatThrownBy(() -> written.shuffle().segments(written.output(), 0))
        .isInstanceOf(IOException.class);
  }

  @Test
  void damagedBlocks() {
    List<Run.Segment> none = List.of();
    byte[] empty = block(none);
    assertThatThrownBy(() -> stream(new byte[20])).hasMessageContaining("does not begin as one");
    byte[] cut =
        ByteBuffer.allocate(empty.length + 12)
            .putInt(PageStream.MAGIC)
            .putInt(1)
            .putInt(8)
            .putLong(16)
            .array();
    assertThatThrownBy(() -> stream(cut)).hasMessageContaining("ends 16 bytes early");
  }

  @Test
  void whatSparkWroteFollowsThePages() throws IOException {
    byte[] block =
        ByteBuffer.allocate(12)
            .putInt(PageStream.MAGIC)
            .putInt(0)
            .put(new byte[] {1, 2, 3, 4})
            .array();
    InputStream in =
        new PageStream(
            new ByteArrayInputStream(block),
            rest -> {
              byte[] reversed = rest.readAllBytes();
              for (int i = 0; i < reversed.length; i++) {
                reversed[i] *= -1;
              }
              return new ByteArrayInputStream(reversed);
            });
    assertThat(in.readAllBytes()).containsExactly(-1, -2, -3, -4);
  }
}
