package numaspark.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
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
      LOG.warn("{} uses the disk instead: {}", folder.get(), e.toString());
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
   * Gives a file back without what the task has written.
   *
   * @param start its size when the task took it
   */
  void takeBack(PageFile file, long start) {
    try {
      file.truncate(start);
      giveBack(file);
    } catch (NoSuchFileException e) {
      LOG.debug("{} was removed", path());
    } catch (IOException e) {
      LOG.warn("What a failed task wrote to {} stays there: {}", path(), e.toString());
    }
  }

  /**
   * Makes an output known to readers of this process, and by the catalog to the siblings; where
   * that is impossible, because the file system is full, they fetch it from this executor.
   *
   * @param bytes of the budget that are the shuffle's from now on
   * @return false when the shuffle was removed; nothing is done then
   */
  synchronized boolean commit(MapOutput output, long bytes) {
    if (removed) {
      return false;
    }
    held += bytes;
    if (usable) {
      list(output);
    }
    add(output);
    return true;
  }

  private void list(MapOutput output) {
    ByteBuffer record = record(output);
    long end = catalogEnd + record.remaining();
    // A channel that the kill of a task closes would leave readers a record that is written over.
    boolean interrupted = Thread.interrupted();
    try (FileChannel catalog =
        FileChannel.open(
            path().resolve(CATALOG),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      try {
        while (record.hasRemaining()) {
          catalog.write(record, end - record.remaining());
        }
        catalogEnd = end;
      } catch (IOException e) {
        catalog.truncate(catalogEnd);
        throw e;
      }
    } catch (IOException e) {
      LOG.debug("{} is not listed for siblings: {}", output.mapId(), e.toString());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Deletes the files; mappings stay good until {@link #close}.
   *
   * @return the bytes to give back to the budget
   */
  synchronized long remove() {
    removed = true;
    long back = held;
    held = 0;
    if (usable) {
      try {
        delete(path());
      } catch (IOException e) {
        LOG.warn("{} could not be deleted as a whole: {}", path(), e.toString());
      }
    }
    return back;
  }

  /** Whether outputs can be in pages here. */
  boolean isUsable() {
    return usable;
  }

  synchronized boolean isRemoved() {
    return removed;
  }
}
