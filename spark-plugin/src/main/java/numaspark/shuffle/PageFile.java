package numaspark.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file on tmpfs to which one task at a time appends runs.
 *
 * <p>Written by {@code write}, not through a mapping: when the file system is full that is an
 * {@link IOException}, where a mapping would be a bus error.
 */
final class PageFile {
  /**
   * A mapping cannot be longer than 2 GiB. Only a run that is alone in its file may be longer than
   * this.
   */
  private static final long MOST = 1L << 30;

  private final int number;
  private final Path path;
  private FileChannel channel;
  private long size;

  PageFile(int number, Path path) {
    this.number = number;
    this.path = path;
  }

  int number() {
    return number;
  }

  long size() {
    return size;
  }

  boolean hasRoomFor(long bytes) {
    return size == 0 || size + bytes <= MOST;
  }

  void open() throws IOException {
    channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /** No descriptor is held between tasks: an executor may keep thousands of shuffles. */
  void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  /**
   * @throws IOException when the file system is full or broken; the file is then as long as before
   */
  Run append(ByteBuffer run) throws IOException {
    long start = size;
    long length = run.remaining();
    try {
      long at = start;
      while (run.hasRemaining()) {
        at += channel.write(run, at);
      }
    } catch (ClosedByInterruptException e) {
      throw e; // the task is being killed; what it wrote is taken back as a whole
    } catch (IOException e) {
      truncate(start);
      throw e;
    }
    size = (start + length + 7) & ~7L;
    return new Run(number, start, length);
  }

  /** Takes back what a task has written that failed. */
  void truncate(long to) throws IOException {
    if (channel == null || !channel.isOpen()) {
      channel = FileChannel.open(path, StandardOpenOption.WRITE);
    }
    channel.truncate(to);
    size = to;
  }
}
