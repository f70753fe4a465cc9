package io.numaspark.agent.pages;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the folder of each namespace, and deletes what executors left that died without doing it
 * themselves: {@code <namespace>/<mounted folder>/<application>/<executor>}, where an executor that
 * lives holds the lock of its file {@code lock}.
 *
 * <p>Limit: executors write here, so nothing that is found is believed: no link is followed, and
 * names are resolved below folders that are open already.
 */
public final class PagesFolders {
  private static final System.Logger LOG = System.getLogger(PagesFolders.class.getName());

  /**
   * Kubernetes gives the folders that it makes below for applications the permissions of this one,
   * and executors are any user. The sticky bit keeps one user from deleting another one's.
   */
  private static final int MODE = 01777;

  /** An executor that has made its folder needs some moments until it holds its lock. */
  private static final Duration BEING_MADE = Duration.ofMinutes(10);

  /**
   * A folder that Kubernetes has mounted into a pod that still starts is empty too. It costs the
   * node nothing, so it is given up late.
   */
  private static final Duration EMPTY = Duration.ofDays(1);

  private final Path root;
  private final Set<String> namespaces;

  /**
   * The folders below one root.
   *
   * @param root on a tmpfs of the node
   * @param namespaces each has a folder of its own
   */
  public PagesFolders(Path root, Set<String> namespaces) {
    this.root = root;
    this.namespaces = namespaces;
  }

  /** Makes what is missing, and deletes what nobody owns; trouble is told and does no harm. */
  public void look(Instant now) {
    for (String namespace : namespaces) {
      Path folder = root.resolve(namespace);
      try {
        make(folder);
        sweep(folder, now);
      } catch (IOException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "shared pages of namespace {0} are not looked after: {1}",
            namespace,
            e.toString());
      }
    }
  }

  private static void make(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(folder);
    }
    Object mode = Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!(mode instanceof Integer bits) || (bits & 07777) != MODE) {
      Files.setAttribute(folder, "unix:mode", MODE, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static void sweep(Path folder, Instant now) throws IOException {
    try (SecureDirectoryStream<Path> mounted = open(folder)) {
      for (Path name : folders(mounted)) {
        try {
          sweepMounted(mounted, name, now);
        } catch (NoSuchFileException e) {
          // Its executors have just deleted it.
        }
      }
    }
  }

  private static void sweepMounted(SecureDirectoryStream<Path> mounted, Path name, Instant now)
      throws IOException {
    Instant changed = attributes(mounted, name).lastModifiedTime().toInstant();
    try (SecureDirectoryStream<Path> applications = below(mounted, name)) {
      for (Path application : folders(applications)) {
        try (SecureDirectoryStream<Path> executors = below(applications, application)) {
          for (Path executor : folders(executors)) {
            sweepExecutor(executors, executor, now);
          }
        }
        deleteIfEmpty(applications, application);
      }
    }
    if (changed.isBefore(now.minus(EMPTY))) {
      deleteIfEmpty(mounted, name);
    }
  }

  private static void sweepExecutor(
      SecureDirectoryStream<Path> executors, Path executor, Instant now) throws IOException {
    Instant changed = attributes(executors, executor).lastModifiedTime().toInstant();
    try (SecureDirectoryStream<Path> own = below(executors, executor)) {
      if (changed.isAfter(now.minus(BEING_MADE)) || isLocked(own)) {
        return;
      }
      deleteAll(own);
    }
    deleteIfEmpty(executors, executor);
    LOG.log(System.Logger.Level.INFO, "deleted the shuffle pages of dead executor {0}", executor);
  }

  /** A file that is none, a pipe for example, is no lock; reading too keeps open from waiting. */
  private static boolean isLocked(SecureDirectoryStream<Path> executor) throws IOException {
    Path lock = Path.of("lock");
    try {
      if (!attributes(executor, lock).isRegularFile()) {
        return false;
      }
      Set<StandardOpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
      try (var channel = executor.newByteChannel(lock, withoutLinks(options))) {
        FileLock taken = ((FileChannel) channel).tryLock();
        return taken == null;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Set<OpenOption> withoutLinks(Set<StandardOpenOption> options) {
    Set<OpenOption> all = new HashSet<>(options);
    all.add(LinkOption.NOFOLLOW_LINKS);
    return all;
  }

  private static void deleteAll(SecureDirectoryStream<Path> folder) throws IOException {
    List<Path> names = new ArrayList<>();
    folder.forEach(path -> names.add(path.getFileName()));
    for (Path name : names) {
      if (attributes(folder, name).isDirectory()) {
        try (SecureDirectoryStream<Path> inner = below(folder, name)) {
          deleteAll(inner);
        }
        folder.deleteDirectory(name);
      } else {
        folder.deleteFile(name);
      }
    }
  }

  private static void deleteIfEmpty(SecureDirectoryStream<Path> parent, Path name) {
    try {
      parent.deleteDirectory(name);
    } catch (IOException e) {
      // Somebody lives in it.
    }
  }

  private static List<Path> folders(SecureDirectoryStream<Path> parent) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (Path path : parent) {
      Path name = path.getFileName();
      try {
        if (attributes(parent, name).isDirectory()) {
          folders.add(name);
        }
      } catch (NoSuchFileException e) {
        // Gone since it was listed.
      }
    }
    return folders;
  }

  private static BasicFileAttributes attributes(SecureDirectoryStream<Path> parent, Path name)
      throws IOException {
    return parent
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  private static SecureDirectoryStream<Path> below(SecureDirectoryStream<Path> parent, Path name)
      throws IOException {
    return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
  }

  private static SecureDirectoryStream<Path> open(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException(folder + ": this system cannot open names below an open folder");
  }
}
