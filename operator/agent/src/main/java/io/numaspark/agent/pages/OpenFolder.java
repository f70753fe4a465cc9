package io.numaspark.agent.pages;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.Set;

/**
 * A folder that is open, so that whoever renames or replaces it meanwhile changes nothing of what
 * is meant; its entries come one at a time.
 *
 * <p>Limit: no link is followed, and what is named is an entry of this folder, never a path.
 */
final class OpenFolder implements AutoCloseable {
  private static final Path LOCK = Path.of("lock");

  private final SecureDirectoryStream<Path> stream;
  private final Iterator<Path> entries;

  private OpenFolder(SecureDirectoryStream<Path> stream) {
    this.stream = stream;
    this.entries = stream.iterator();
  }

  /** Opens a folder whose path nobody but the node's administrator chooses. */
  static OpenFolder of(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return new OpenFolder(secure);
    }
    stream.close();
    throw new IOException(folder + ": this system cannot open names below an open folder");
  }

  OpenFolder below(Path name) throws IOException {
    return new OpenFolder(stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
  }

  /** The name of the next entry; null if there is none. */
  Path next() throws IOException {
    try {
      return entries.hasNext() ? entries.next().getFileName() : null;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  BasicFileAttributes attributes(Path name) throws IOException {
    return stream
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  void deleteFile(Path name) throws IOException {
    stream.deleteFile(name);
  }

  /** Deletes a folder that is empty. */
  void deleteFolder(Path name) throws IOException {
    stream.deleteDirectory(name);
  }

  void move(Path name, OpenFolder to, Path newName) throws IOException {
    stream.move(name, to.stream, newName);
  }

  /**
   * Whether a process holds the lock of the file {@code lock} here. A file that is none, a pipe for
   * example, is not a lock; opening to read too keeps one that takes its place from being waited
   * for.
   */
  boolean isLocked() throws IOException {
    try {
      if (!attributes(LOCK).isRegularFile()) {
        return false;
      }
      try (var channel =
          stream.newByteChannel(
              LOCK,
              Set.of(
                  StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
        FileLock taken = ((FileChannel) channel).tryLock();
        return taken == null;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      // Nothing was written through it.
    }
  }
}
