package numaspark.shuffle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This executor's folder on the node, {@code <root>/<application>/<executor>}, where executors of
 * the same application find it.
 *
 * <p>It holds the lock of the file {@code lock} for as long as the process lives. Whoever gets that
 * lock from another process knows that its owner is dead, however it died, and deletes the folder:
 * every executor does so when it starts.
 */
final class NodeFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFolder.class);
  static final String LOCK = "lock";
  static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /**
   * POSIX locks are a process's: opening and closing such a file a second time would lose the lock.
   */
  static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path application;
  private final Path own;
  private final FileChannel lock;

  private NodeFolder(Path application, Path own, FileChannel lock) {
    this.application = application;
    this.own = own;
    this.lock = lock;
  }

  /**
   * Makes the folder and deletes those of dead executors.
   *
   * @throws IOException when the root cannot be written, or others could change what is in it
   */
  static NodeFolder make(Path root, String application, String executor) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      createIfMissing(root);
    }
    RootFolder.requireSafe(root);
    Path folder = root.toRealPath().resolve(application);
    Path draft = draftIn(folder);
    DeadFolders.sweep(root.toRealPath());
    Path own = folder.resolve(executor);
    FileChannel lock =
        FileChannel.open(
            draft.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    lock.lock();
    HELD_HERE.add(own);
    try {
      if (Files.exists(own)) {
        throw new FileAlreadyExistsException(own + " belongs to a process that still lives");
      }
      Files.move(draft, own, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      HELD_HERE.remove(own);
      lock.close();
      ShuffleFolder.delete(draft);
      throw e instanceof AtomicMoveNotSupportedException
          ? new IOException(root + " cannot rename folders", e)
          : e;
    }
    return new NodeFolder(folder, own, lock);
  }

  private static Path draftIn(Path folder) throws IOException {
    Path draft = folder.resolve("." + UUID.randomUUID());
    for (int attempt = 1; ; attempt++) {
      createIfMissing(folder);
      requireOwner(folder);
      try {
        return Files.createDirectory(draft, OWNER_ONLY);
      } catch (NoSuchFileException e) {
        // Another executor's sweep found the folder empty just now.
        if (attempt == 5) {
          throw e;
        }
      }
    }
  }

  private static void createIfMissing(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, OWNER_ONLY);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(folder + " is in the way: it is not a folder", e);
      }
    }
  }

  /** Somebody else may have made the application's folder first, to read what we write. */
  private static void requireOwner(Path folder) throws IOException {
    long owner = RootFolder.owner(folder);
    if (owner != RootFolder.self()) {
      throw new IOException(folder + " belongs to user " + owner + ", not to this process's user");
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  Path own() {
    return own;
  }

  Path of(String executor) {
    return application.resolve(executor);
  }

  /** Deletes folders of dead executors of this application. */
  void sweepSiblings() {
    DeadFolders.sweepApplication(application);
  }

  @Override
  public void close() {
    sweepSiblings();
    try {
      ShuffleFolder.delete(own);
      lock.close();
      HELD_HERE.remove(own);
      Files.deleteIfExists(application);
    } catch (IOException e) {
      LOG.debug("{} stays for the next executor to delete: {}", own, e.toString());
    }
  }
}
