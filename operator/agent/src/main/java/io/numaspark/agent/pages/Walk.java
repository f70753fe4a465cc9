package io.numaspark.agent.pages;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One walk through {@code <namespace>/<mounted folder>/<application>/<executor>}, an entry at a
 * time: finds executors that have died, and what does not belong there.
 *
 * <p>Limit: holds three open folders and no list of names, however many there are.
 */
final class Walk implements AutoCloseable {
  /** An executor that has made its folder needs some moments until it holds its lock. */
  private static final Duration BEING_MADE = Duration.ofMinutes(10);

  /**
   * A folder that Kubernetes has mounted into a pod that still starts is empty too. It costs the
   * node little, so it is given up late.
   */
  private static final Duration EMPTY = Duration.ofDays(1);

  /** More than pods could start at a time; so many empty folders do cost something. */
  private static final int MANY = 1000;

  private static final int LEVELS = 3;

  private final Duration patience;
  private final Deque<Level> levels = new ArrayDeque<>();
  private Trash trash;
  private Tally tally;
  private int mounted;
  private Duration empty = EMPTY;
  private boolean keptWaiting;

  /** A folder that is walked through: its name in the one above, and when that was last changed. */
  private record Level(OpenFolder folder, Path name, Instant changed) {}

  Walk(Duration patience) {
    this.patience = patience;
  }

  /** Begins at the start. */
  void begin(Path namespace, Trash to, Tally counts) throws IOException {
    close();
    trash = to;
    tally = counts;
    empty = mounted > MANY ? BEING_MADE : EMPTY;
    mounted = 0;
    levels.push(new Level(OpenFolder.of(namespace), null, null));
  }

  boolean isDone() {
    return levels.isEmpty();
  }

  /** Whether the last step had to wait for somebody; it is asked once. */
  boolean wasKeptWaiting() {
    boolean was = keptWaiting;
    keptWaiting = false;
    return was;
  }

  /** Looks at one entry. */
  void step(Instant now) {
    try {
      OpenFolder folder = levels.peek().folder;
      Path name = next(folder);
      if (name == null) {
        leave(now);
      } else {
        look(folder, name, now);
      }
    } catch (NoSuchFileException e) {
      // Its executors have just deleted it.
    } catch (DirectoryNotEmptyException e) {
      // Somebody lives in it.
    } catch (IOException | RuntimeException e) {
      tally.failed(e);
    }
  }

  private Path next(OpenFolder folder) throws IOException {
    try {
      return folder.next();
    } catch (IOException e) {
      levels.pop().folder.close();
      throw e;
    }
  }

  private void look(OpenFolder folder, Path name, Instant now) throws IOException {
    BasicFileAttributes attributes = folder.attributes(name);
    Instant changed = attributes.lastModifiedTime().toInstant();
    if (!attributes.isDirectory()) {
      if (isOld(changed, BEING_MADE, now)) {
        folder.deleteFile(name);
        tally.strayDeleted();
      }
    } else if (levels.size() < LEVELS) {
      levels.push(new Level(folder.below(name), name, changed));
    } else if (isOld(changed, BEING_MADE, now) && !isLocked(folder, name)) {
      trash.take(folder, name);
      tally.executorDeleted();
    }
  }

  /** Anybody may set a time, one to come too: such a one is not believed. */
  private static boolean isOld(Instant changed, Duration age, Instant now) {
    return Duration.between(changed, now).abs().compareTo(age) > 0;
  }

  private boolean isLocked(OpenFolder folder, Path executor) throws IOException {
    long start = System.nanoTime();
    try (OpenFolder own = folder.below(executor)) {
      return own.isLocked();
    } finally {
      keptWaiting = System.nanoTime() - start > patience.toNanos();
    }
  }

  /** Goes up, and deletes what was left if it is empty now. */
  private void leave(Instant now) throws IOException {
    Level left = levels.pop();
    left.folder.close();
    if (levels.isEmpty()) {
      return;
    }
    boolean isMounted = levels.size() == 1;
    mounted += isMounted ? 1 : 0;
    if (!isMounted || isOld(left.changed, empty, now)) {
      levels.peek().folder.deleteFolder(left.name);
    }
  }

  @Override
  public void close() {
    while (!levels.isEmpty()) {
      levels.pop().folder.close();
    }
  }
}
