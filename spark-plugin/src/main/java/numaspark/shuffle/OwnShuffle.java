package numaspark.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This executor's outputs of one shuffle: also writes them. */
final class OwnShuffle extends ShuffleFolder {
  private static final Logger LOG = LoggerFactory.getLogger(OwnShuffle.class);

  private final Deque<PageFile> free = new ArrayDeque<>();
  private int files;
  private long catalogEnd;
  private long held;
  private boolean removed;

  private final boolean usable;

  private OwnShuffle(Path folder, boolean usable) {
    super(folder);
    this.usable = usable;
  }

  /**
   * Makes the folder.
   *
   * @param folder absent, or impossible to make: outputs are known, and all on disk
   */
  static OwnShuffle in(Optional<Path> folder) {
    if (folder.isEmpty()) {
      return new OwnShuffle(Path.of("no pages"), false);
    }
    try {
      Files.createDirectory(folder.get(), NodeFolder.OWNER_ONLY);
      return new OwnShuffle(folder.get(), true);
    } catch (IOException e) {
      LOG.warn("{} goes to disk: {}", folder.get(), e.toString());
      return new OwnShuffle(folder.get(), false);
    }
  }

  /**
   * A file for one task alone, opened, with room for so many bytes.
   *
   * @throws IOException when the shuffle was removed or the file system is full
   */
  synchronized PageFile take(long bytes) throws IOException {
    if (removed) {
      throw new IOException(path() + ": the shuffle was removed");
    }
    if (!usable) {
      throw new IOException(path() + " could not be made");
    }
    PageFile file = free.poll();
    while (file != null && !file.hasRoomFor(bytes)) {
      file = free.poll(); // it stays as it is
    }
    if (file == null) {
      file = new PageFile(files, fileOf(files));
      files++;
    }
    file.open();
    return file;
  }

  /** Gives a task's file back. */
  void giveBack(PageFile file) throws IOException {
    file.close();
    synchronized (this) {
      free.push(file);
    }
  }

  /**
   * Makes an output known to readers of this process, and by the catalog to the siblings.
   *
   * @return whether siblings can see it; where they cannot, because the file system is full, they
   *     fetch it from this executor
   * @throws IOException when the shuffle was removed
   */
  boolean commit(MapOutput output) throws IOException {
    boolean listed;
    synchronized (this) {
      if (removed) {
        throw new IOException(path() + ": the shuffle was removed");
      }
      listed = usable && list(output);
    }
    add(output);
    return listed;
  }

  private boolean list(MapOutput output) {
    ByteBuffer record = record(output);
    long end = catalogEnd + record.remaining();
    try (FileChannel catalog =
        FileChannel.open(
            path().resolve(CATALOG), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      try {
        while (record.hasRemaining()) {
          catalog.write(record, end - record.remaining());
        }
        catalogEnd = end;
        return true;
      } catch (IOException e) {
        catalog.truncate(catalogEnd);
        return false;
      }
    } catch (IOException e) {
      return false;
    }
  }

  /** Bytes of the budget that are this shuffle's. */
  synchronized boolean hold(long bytes) {
    if (!removed) {
      held += bytes;
    }
    return !removed;
  }

  /**
   * Deletes the files; mappings stay good until {@link #close}.
   *
   * @return the bytes to give back to the budget
   */
  synchronized long remove() throws IOException {
    removed = true;
    long back = held;
    held = 0;
    if (usable) {
      delete(path());
    }
    return back;
  }
}
