package io.numaspark.agent.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real folders and real locks; another JVM stands for an executor that lives. */
class PagesFoldersTest {
  private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
  private static final Instant LONG_AGO = NOW.minus(Duration.ofHours(1));

  @TempDir Path root;

  @Test
  void everyUserMayMakeFoldersInThatOfANamespace() throws IOException {
    look();
    assertThat(mode(root.resolve("jobs"))).isEqualTo(01777);
    Files.setAttribute(root.resolve("jobs"), "unix:mode", 0700);
    look();
    assertThat(mode(root.resolve("jobs"))).isEqualTo(01777);
  }

  @Test
  void whatADeadExecutorLeftIsDeleted() throws IOException {
    Path dead = executor("app-1", "7", LONG_AGO);
    Path another = executor("app-1", "8", LONG_AGO);
    look();
    assertThat(dead).doesNotExist();
    assertThat(another).doesNotExist();
    assertThat(root.resolve("jobs/app-1/app-1")).doesNotExist();
  }

  /** Kubernetes may have mounted it into a pod that still starts. */
  @Test
  void theMountedFolderStaysForADay() throws IOException {
    Path mounted = Files.createDirectories(root.resolve("jobs/app-1"));
    Files.setLastModifiedTime(mounted, FileTime.from(NOW.minus(Duration.ofHours(23))));
    look();
    assertThat(mounted).exists();
    Files.setLastModifiedTime(mounted, FileTime.from(NOW.minus(Duration.ofHours(25))));
    look();
    assertThat(mounted).doesNotExist();
  }

  @Test
  void anExecutorThatHasJustMadeItsFolderIsLeftAlone() throws IOException {
    Path young = executor("app-1", "7", NOW.minus(Duration.ofMinutes(9)));
    look();
    assertThat(young.resolve("shuffle_0/pages")).exists();
  }

  @Test
  void anExecutorThatHoldsItsLockIsLeftAlone() throws Exception {
    Path living = executor("app-1", "7", LONG_AGO);
    Process holder = hold(living.resolve("lock"));
    try {
      look();
      assertThat(living.resolve("shuffle_0/pages")).exists();
    } finally {
      holder.destroyForcibly().waitFor();
    }
    look();
    assertThat(living).doesNotExist();
  }

  @Test
  void linksAreNotFollowed(@TempDir Path elsewhere) throws IOException {
    Path victim = Files.writeString(elsewhere.resolve("victim"), "mine");
    Path dead = executor("app-1", "7", LONG_AGO);
    Files.createSymbolicLink(dead.resolve("link"), elsewhere);
    Files.createSymbolicLink(root.resolve("jobs/app-1/app-1/8"), elsewhere);
    Files.createSymbolicLink(root.resolve("jobs/app-2"), elsewhere);
    Files.setLastModifiedTime(dead, FileTime.from(LONG_AGO));
    look();
    assertThat(dead).doesNotExist();
    assertThat(victim).hasContent("mine");
  }

  /** Opening a pipe to write would wait for a reader for ever. */
  @Test
  void aPipeInThePlaceOfTheLockIsNotWaitedFor() throws Exception {
    Path dead = executor("app-1", "7", LONG_AGO);
    Files.delete(dead.resolve("lock"));
    assertThat(new ProcessBuilder("mkfifo", dead.resolve("lock").toString()).start().waitFor())
        .isZero();
    Files.setLastModifiedTime(dead, FileTime.from(LONG_AGO));
    look();
    assertThat(dead).doesNotExist();
  }

  @Test
  void foldersOfNamespacesThatAreNotSetUpAreLeftAlone() throws IOException {
    Path other = Files.createDirectories(root.resolve("other/app-1/app-1/7"));
    Files.setLastModifiedTime(other, FileTime.from(LONG_AGO));
    look();
    assertThat(other).exists();
  }

  private void look() {
    new PagesFolders(root, Set.of("jobs")).look(NOW);
  }

  private Path executor(String application, String id, Instant changed) throws IOException {
    Path folder = root.resolve("jobs/" + application + "/" + application + "/" + id);
    Files.createDirectories(folder.resolve("shuffle_0"));
    Files.writeString(folder.resolve("lock"), "");
    Files.writeString(folder.resolve("shuffle_0/pages"), "rows");
    Files.setLastModifiedTime(folder, FileTime.from(changed));
    return folder;
  }

  private static int mode(Path folder) throws IOException {
    return (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
  }

  private static Process hold(Path lock) throws IOException {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                lock.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    assertThat(line).isEqualTo("locked");
    return holder;
  }

  /** Holds a lock until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      try (FileChannel channel =
          FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
        channel.lock();
        System.out.println("locked");
        Thread.sleep(600_000);
      }
    }
  }
}
