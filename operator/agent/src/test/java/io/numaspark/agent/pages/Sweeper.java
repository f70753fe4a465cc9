package io.numaspark.agent.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Sweeps one namespace, {@code jobs}, in a JVM of its own until nothing is left of it. */
final class Sweeper {
  /** Far more than any of the tests needs. */
  private static final int MOST_ROUNDS = 5_000;

  private Sweeper() {}

  /** First the root, then {@code fill} if the file system is to be filled before. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    Instant later = Instant.now().plus(Duration.ofHours(1));
    PagesFolders pages = new PagesFolders(root, List.of("jobs"));
    if (arguments.length > 1) {
      pages.look(later);
      fill(root);
      pages = new PagesFolders(root, List.of("jobs"));
    }
    int rounds = 0;
    while (!isGone(root) && rounds < MOST_ROUNDS) {
      pages.look(later);
      rounds++;
    }
    System.out.println(isGone(root) ? "swept" : "not swept in " + rounds + " rounds");
  }

  /** All but the mounted folder, which stays for a day, and the place of what was deleted. */
  private static boolean isGone(Path root) throws IOException {
    return isEmpty(root.resolve("jobs/app-1")) && isEmpty(root.resolve(".jobs"));
  }

  private static boolean isEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> children = Files.list(folder)) {
      return children.findAny().isEmpty();
    }
  }

  private static void fill(Path root) throws IOException {
    Path dead = Files.createDirectories(root.resolve("jobs/app-1/app-1/7/shuffle_0"));
    byte[] block = new byte[64 * 1024];
    try {
      for (int i = 0; ; i++) {
        Files.write(dead.resolve("pages-" + i), block);
        block = i > 10 ? new byte[0] : block;
      }
    } catch (IOException e) {
      // Neither a page nor an inode is left.
      Files.setLastModifiedTime(dead.getParent(), FileTime.from(Instant.now()));
    }
  }
}
