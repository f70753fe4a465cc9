package numaspark.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.Platform;

/**
 * One executor's outputs of one shuffle, as this process reads them: its own or a sibling's on the
 * same node.
 *
 * <p>Which outputs there are stands in the file {@code catalog}, one record an output, appended
 * when the output is complete. A reader asks for an output only after the driver has heard that it
 * is complete, so the record is there by then.
 */
class ShuffleFolder {
  static final String CATALOG = "catalog";

  private final Path folder;
  private final Map<Long, MapOutput> outputs = new HashMap<>();
  private final Map<Integer, MappedFile> files = new HashMap<>();
  private final Map<Integer, Long> committed = new HashMap<>();
  private long catalogRead;
  private boolean closed;

  ShuffleFolder(Path folder) {
    this.folder = folder;
  }

  Path path() {
    return folder;
  }

  Path fileOf(int number) {
    return folder.resolve(number + ".pages");
  }

  synchronized void add(MapOutput output) {
    outputs.put(output.mapId(), output);
    for (Run run : output.runs()) {
      committed.merge(run.file(), run.end(), Math::max);
    }
  }

  /**
   * The output of a map task.
   *
   * @return null when this executor has none of this id, or its folder is gone
   */
  synchronized MapOutput find(long mapId) throws IOException {
    MapOutput known = outputs.get(mapId);
    if (known == null && !closed) {
      readCatalog();
      known = outputs.get(mapId);
    }
    return known;
  }

  /**
   * Where the rows of one partition are, without empty places.
   *
   * @throws IOException when a file is gone or does not hold what the catalog says
   */
  List<Run.Segment> segments(MapOutput output, int partition) throws IOException {
    List<Run.Segment> segments = new ArrayList<>(output.runs().size());
    for (Run run : output.runs()) {
      Run.Segment segment = segment(run, partition);
      if (segment.length() > 0) {
        segments.add(segment);
      }
    }
    return segments;
  }

  private Run.Segment segment(Run run, int partition) throws IOException {
    long header;
    synchronized (this) {
      if (closed) {
        throw new NoSuchFileException(folder.toString());
      }
      MappedFile file = files.computeIfAbsent(run.file(), number -> new MappedFile(fileOf(number)));
      header = file.address(run, committed.get(run.file()));
    }
    int rowSize = Platform.getInt(null, header);
    int partitions = Platform.getInt(null, header + 4);
    if (partition >= partitions) {
      throw new IOException(
          folder + ": a run of " + partitions + " partitions was asked for number " + partition);
    }
    int from = Platform.getInt(null, header + 8 + 4L * partition);
    int to = Platform.getInt(null, header + 12 + 4L * partition);
    return new Run.Segment(header + Run.headerBytes(partitions) + from, to - from, rowSize);
  }

  /**
   * Nobody reads any more; the memory goes back to the system if this process was the last that had
   * it mapped.
   */
  synchronized void close() {
    closed = true;
    files.values().forEach(MappedFile::unmap);
    files.clear();
    outputs.clear();
  }

  private void readCatalog() throws IOException {
    ByteBuffer bytes;
    try (FileChannel channel = FileChannel.open(folder.resolve(CATALOG), StandardOpenOption.READ)) {
      long length = channel.size() - catalogRead;
      if (length <= 0) {
        return;
      }
      bytes = ByteBuffer.allocate(Math.toIntExact(length));
      while (bytes.hasRemaining() && channel.read(bytes, catalogRead + bytes.position()) >= 0) {}
    } catch (NoSuchFileException e) {
      return;
    }
    bytes.flip();
    while (bytes.remaining() >= Integer.BYTES
        && bytes.remaining() >= bytes.getInt(bytes.position())) {
      int record = bytes.getInt(bytes.position());
      add(parse(bytes));
      catalogRead += record;
    }
  }

  static ByteBuffer record(MapOutput output) {
    int length = 4 + 8 + 4 + 4 + 4 + 20 * output.runs().size();
    ByteBuffer record = ByteBuffer.allocate(length);
    record
        .putInt(length)
        .putLong(output.mapId())
        .putInt(output.fields())
        .putInt(output.overflow() ? 1 : 0);
    record.putInt(output.runs().size());
    for (Run run : output.runs()) {
      record.putInt(run.file()).putLong(run.offset()).putLong(run.length());
    }
    return record.flip();
  }

  private static MapOutput parse(ByteBuffer bytes) {
    bytes.getInt();
    long mapId = bytes.getLong();
    int fields = bytes.getInt();
    boolean overflow = bytes.getInt() == 1;
    int count = bytes.getInt();
    List<Run> runs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      runs.add(new Run(bytes.getInt(), bytes.getLong(), bytes.getLong()));
    }
    return new MapOutput(mapId, fields, overflow, List.copyOf(runs));
  }

  static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (var children = Files.list(folder)) {
      for (Path child : children.toList()) {
        if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
          delete(child);
        } else {
          Files.deleteIfExists(child);
        }
      }
    }
    Files.deleteIfExists(folder);
  }
}
