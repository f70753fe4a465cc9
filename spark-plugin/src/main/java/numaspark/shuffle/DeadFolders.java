package numaspark.shuffle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what killed executors have left below the root of all pages.
 *
 * <p>Only in folders that belong to this process's user, and behind no link: in a root that many
 * users write, anybody may put anything.
 */
final class DeadFolders {
  private static final Logger LOG = LoggerFactory.getLogger(DeadFolders.class);

  /**
   * A folder that is being made has no lock for some microseconds; one so old was left by a process
   * that died then.
   */
  private static final Duration BEING_MADE = Duration.ofMinutes(10);

  /** A task waits for the first sweep. */
  private static final int MOST_ENTRIES = 20_000;

  private DeadFolders() {}

  /** Of all applications of this user. */
  static void sweep(Path root) {
    forEach(root, DeadFolders::sweepApplication);
  }

  static void sweepApplication(Path application) {
    forEach(application, DeadFolders::sweepExecutor);
    try {
      Files.deleteIfExists(application); // only when nothing is in it
    } catch (IOException e) {
      // An executor of this application lives.
    }
  }

  private static void sweepExecutor(Path executor) {
    try {
      if (isDead(executor)) {
        ShuffleFolder.delete(executor);
        LOG.info("Deleted {}, whose executor is dead", executor);
      }
    } catch (IOException e) {
      LOG.debug("{} was not swept: {}", executor, e.toString());
    }
  }

  private static void forEach(Path folder, Consumer<Path> sweep) {
    int seen = 0;
    try (var entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        seen++;
        if (seen > MOST_ENTRIES) {
          LOG.warn("{} has more than {} entries; the rest is not swept", folder, MOST_ENTRIES);
          return;
        }
        if (isOurs(entry)) {
          sweep.accept(entry);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("{} could not be searched for what dead executors left: {}", folder, e.toString());
    }
  }

  private static boolean isOurs(Path path) {
    try {
      return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          && RootFolder.owner(path) == RootFolder.self();
    } catch (IOException e) {
      return false; // it has just gone
    }
  }

  private static boolean isDead(Path executor) throws IOException {
    Path lock = executor.resolve(NodeFolder.LOCK);
    // A pipe in the place of the lock would be waited for.
    if (executor.getFileName().toString().startsWith(".")
        || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
      return Files.getLastModifiedTime(executor, LinkOption.NOFOLLOW_LINKS)
          .toInstant()
          .isBefore(Instant.now().minus(BEING_MADE));
    }
    if (NodeFolder.HELD_HERE.contains(executor)) {
      return false;
    }
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock taken = channel.tryLock()) {
      return taken != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }
}
