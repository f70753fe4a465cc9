package io.numaspark.agent.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Makes the folder of one namespace and sweeps it, in rounds that end when their allowance is used
 * up and go on where the last one ended.
 */
final class NamespaceSweep {
  /**
   * Kubernetes gives the folders that it makes below for applications the permissions of this one,
   * and executors are any user. The sticky bit keeps one user from deleting another one's.
   */
  private static final int MODE = 01777;

  private final Path folder;
  private final String namespace;
  private final Limits limits;
  private final Trash trash;
  private final Walk walk;
  private final Tally tally;
  private boolean underWay;
  private boolean troubled;
  private long restUntil = System.nanoTime();

  NamespaceSweep(Path root, String namespace, Limits limits) {
    this.folder = root.resolve(namespace);
    this.namespace = namespace;
    this.limits = limits;
    this.tally = new Tally(namespace);
    this.walk = new Walk(limits.patience());
    // No namespace has a name with a dot, and no pod has a volume of the folder above.
    this.trash = new Trash(root.resolve("." + namespace));
  }

  /**
   * Works for some time.
   *
   * @return whether there is more to do
   */
  boolean round(Instant now, Duration time) {
    if (System.nanoTime() - restUntil < 0) {
      return false;
    }
    try {
      make();
      if (!underWay) {
        walk.begin(folder, trash, tally);
        trash.begin();
        underWay = true;
      }
      if (goOn(now, System.nanoTime() + time.toNanos())) {
        return true;
      }
    } catch (IOException e) {
      tally.failed(e);
    }
    walk.close();
    trash.close();
    underWay = false;
    tell(limits.period());
    return false;
  }

  /** Deletes and looks in turns, so that neither keeps the other waiting. */
  private boolean goOn(Instant now, long deadline) {
    for (int i = 0; !walk.isDone() || !trash.isDone(); i++) {
      if (i >= limits.entries() || System.nanoTime() - deadline >= 0) {
        return true;
      }
      if (!trash.isDone()) {
        trash.step(tally);
      }
      if (!walk.isDone()) {
        walk.step(now);
        if (walk.wasKeptWaiting()) {
          tally.failed(new IOException("somebody keeps those waiting that open a lock of it"));
          tell(limits.rest());
          return true;
        }
      }
    }
    return false;
  }

  /** Ends the round, and the next one comes after a pause. */
  private void tell(Duration pause) {
    troubled = tally.tell();
    restUntil = System.nanoTime() + pause.toNanos();
  }

  private void make() throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(folder);
    }
    Object mode = Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!(mode instanceof Integer bits) || (bits & 07777) != MODE) {
      Files.setAttribute(folder, "unix:mode", MODE, LinkOption.NOFOLLOW_LINKS);
    }
  }

  String namespace() {
    return namespace;
  }

  /** Whether something could not be looked at or deleted when it was last told. */
  boolean isTroubled() {
    return troubled;
  }
}
