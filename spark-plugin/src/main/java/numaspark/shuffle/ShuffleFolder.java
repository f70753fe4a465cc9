package numaspark.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
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

  /** Bytes of a record without its runs, and of one run in it. */
  private static final int RECORD = 24;

  private static final int RECORD_A_RUN = 20;

  /** Some million map tasks of one executor; what a longer one lists is fetched instead. */
  private static final long MOST_CATALOG = 256L << 20;

  private static final int MOST_FIELDS = 1 << 24;

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
    if (partition >= partitions
        || rowSize < 0
        || partitions > (run.length() - Run.headerBytes(0)) / Integer.BYTES) {
      throw damaged(run, partitions + " partitions, requested number " + partition);
    }
    long headerBytes = Run.headerBytes(partitions);
    int from = Platform.getInt(null, header + 8 + 4L * partition);
    int to = Platform.getInt(null, header + 12 + 4L * partition);
    if (from < 0
        || to < from
        || to > run.length() - headerBytes
        || (rowSize > 0 && (to - from) % rowSize != 0)) {
      throw damaged(run, "rows of " + rowSize + " bytes from " + from + " to " + to);
    }
    long at = headerBytes + from;
    return new Run.Segment(run.file(), run.offset() + at, to - from, header + at, rowSize);
  }

  private IOException damaged(Run run, String what) {
    return new IOException(folder + " is damaged: " + run + " has " + what);
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
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve(CATALOG), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long end = channel.size();
      if (end > MOST_CATALOG) {
        throw new IOException(folder + ": its catalog has " + end + " bytes, too many to read");
      }
      ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
      while (end - catalogRead >= Integer.BYTES) {
        readFully(channel, length.clear());
        int bytes = length.getInt(0);
        if (bytes < RECORD || bytes > RECORD + (long) RECORD_A_RUN * Run.MOST) {
          throw new IOException(folder + ": its catalog has a record of " + bytes + " bytes");
        }
        if (bytes > end - catalogRead) {
          return; // it is being written
        }
        ByteBuffer record = ByteBuffer.allocate(bytes);
        readFully(channel, record);
        add(parse(record.flip()));
        catalogRead += bytes;
      }
    } catch (NoSuchFileException e) {
      // Nothing of this shuffle is complete, or the executor has ended.
    }
  }

  private void readFully(FileChannel channel, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into, catalogRead + into.position()) < 0) {
        throw new IOException(folder + ": its catalog was cut short");
      }
    }
  }

  static ByteBuffer record(MapOutput output) {
    int length = RECORD + RECORD_A_RUN * output.runs().size();
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

  private MapOutput parse(ByteBuffer bytes) throws IOException {
    bytes.getInt();
    long mapId = bytes.getLong();
    int fields = bytes.getInt();
    boolean overflow = bytes.getInt() == 1;
    int count = bytes.getInt();
    if (count != bytes.remaining() / RECORD_A_RUN
        || bytes.remaining() % RECORD_A_RUN != 0
        || fields < 0
        || fields > MOST_FIELDS) {
      throw new IOException(folder + ": its catalog has a damaged record of map output " + mapId);
    }
    List<Run> runs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      runs.add(new Run(bytes.getInt(), bytes.getLong(), bytes.getLong()).checked());
    }
    return new MapOutput(mapId, fields, overflow, List.copyOf(runs));
  }

  /**
   * Deletes a folder with all that is in it, and follows no link.
   *
   * @throws IOException the first error, after everything else is deleted
   */
  static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Deletion deletion = new Deletion();
    Files.walkFileTree(folder, deletion);
    if (deletion.first != null) {
      throw deletion.first;
    }
  }

  /** Walks without recursion, whatever somebody has put into the folder. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    private IOException first;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return delete(file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return delete(file);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) {
      return delete(folder);
    }

    private FileVisitResult delete(Path path) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        first = first == null ? e : first;
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
