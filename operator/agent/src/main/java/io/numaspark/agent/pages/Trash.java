package io.numaspark.agent.pages;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Deletes folders however deep and full they are: moves them into a folder that no tenant sees, and
 * what is below them beside them, so that only two levels are ever open.
 *
 * <p>A folder goes by one renaming, which needs no space; its executors find none of it left. A
 * mount point cannot be renamed, so that nothing behind one is deleted.
 */
final class Trash implements AutoCloseable {
  /** Others are found when the folder is read again. */
  private static final int MOST_KNOWN = 256;

  private final Path folder;
  private final String names = Long.toString(System.currentTimeMillis(), 36) + "-";
  private final Queue<Path> known = new ArrayDeque<>();
  private long number;
  private OpenFolder top;
  private OpenFolder inner;
  private Path innerName;
  private boolean overlooked;
  private boolean done;

  Trash(Path folder) {
    this.folder = folder;
  }

  /** Begins again with what an earlier run has left. */
  void begin() {
    done = false;
  }

  boolean isDone() {
    return done;
  }

  /** Takes a folder out of another one; deletes it at once if it is empty. */
  void take(OpenFolder from, Path name) throws IOException {
    try {
      from.deleteFolder(name);
    } catch (DirectoryNotEmptyException e) {
      Path own = Path.of(names + number++);
      from.move(name, top(), own);
      done = false;
      if (known.size() < MOST_KNOWN) {
        known.add(own);
      } else {
        overlooked = true;
      }
    }
  }

  private OpenFolder top() throws IOException {
    if (top == null) {
      try {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          throw new IOException(folder + " is in the way: it is not a folder; remove it", e);
        }
      }
      top = OpenFolder.of(folder);
    }
    return top;
  }

  /** Deletes one entry. */
  void step(Tally tally) {
    try {
      if (inner == null) {
        stepTop();
      } else {
        stepInner();
      }
    } catch (NoSuchFileException e) {
      // Somebody who had it open has deleted it.
    } catch (IOException | RuntimeException e) {
      tally.failed(e);
    }
  }

  private void stepTop() throws IOException {
    Path name = known.poll();
    if (name == null) {
      name = next();
    }
    if (name == null) {
      done = !overlooked;
      overlooked = false;
      close();
    } else if (top().attributes(name).isDirectory()) {
      inner = top.below(name);
      innerName = name;
    } else {
      top.deleteFile(name);
    }
  }

  private Path next() throws IOException {
    try {
      return top().next();
    } catch (IOException e) {
      // It would fail for ever; the next sweep tries again.
      done = true;
      close();
      throw e;
    }
  }

  private void stepInner() throws IOException {
    Path name;
    try {
      name = inner.next();
    } catch (IOException e) {
      closeInner();
      throw e;
    }
    if (name == null) {
      closeInner();
      top.deleteFolder(innerName);
    } else if (inner.attributes(name).isDirectory()) {
      take(inner, name);
    } else {
      inner.deleteFile(name);
    }
  }

  private void closeInner() {
    inner.close();
    inner = null;
  }

  @Override
  public void close() {
    if (inner != null) {
      closeInner();
    }
    if (top != null) {
      top.close();
      top = null;
    }
  }
}
