package io.numaspark.agent.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Folders as a tenant makes them who wants to end the reader, or to keep what is not its own. */
class HostilePagesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
  private static final Instant LONG_AGO = NOW.minus(Duration.ofHours(1));
  private static final Path TMPFS = Path.of("/dev/shm");

  /** Enough for every test's folders at once, and always due. */
  private static final Limits USUAL =
      new Limits(
          100_000,
          Duration.ofMinutes(1),
          Duration.ZERO,
          Duration.ofSeconds(30),
          Duration.ofMinutes(10));

  private Path root;

  @BeforeEach
  void make() throws IOException {
    root =
        Files.isWritable(TMPFS)
            ? Files.createTempDirectory(TMPFS, "pages")
            : Files.createTempDirectory("pages");
  }

  /** A folder that is too deep for Java's own ways. */
  @AfterEach
  void remove() throws Exception {
    shell("rm -rf \"$0\"");
  }

  private void shell(String script) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-ec", script, root.toString()).inheritIO().start();
    assertThat(process.waitFor()).as(script).isZero();
  }

  private PagesFolders pages(Limits limits, String... namespaces) {
    return new PagesFolders(root, List.of(namespaces), limits);
  }

  private Path executor(String namespace, String id) throws IOException {
    Path folder = root.resolve(namespace + "/app-1/app-1/" + id);
    Files.createDirectories(folder.resolve("shuffle_0"));
    Files.writeString(folder.resolve("lock"), "");
    Files.writeString(folder.resolve("shuffle_0/pages"), "rows");
    return old(folder);
  }

  private static Path old(Path path) throws IOException {
    return Files.setLastModifiedTime(path, FileTime.from(LONG_AGO));
  }

  /** The flags that the agent's image starts with, without its archive of classes. */
  private static List<String> image() throws IOException {
    return Files.readAllLines(Path.of("src/main/image/jvm.options")).stream()
        .filter(line -> line.startsWith("-") && !line.contains("Archive"))
        .toList();
  }

  private String sweep(List<String> before, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(image());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Sweeper.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "POSIX");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said;
  }

  @Test
  void theImagesHeapAndStackAreEnoughForAnyDepthAndAnyNumber() throws Exception {
    executor("jobs", "8");
    Path deep = Files.createDirectory(root.resolve("deep"));
    for (int i = 0; i < 10_000; i++) {
      Path above = Files.createDirectory(root.resolve("above"));
      Files.move(deep, above.resolve("d"));
      deep = Files.move(above, root.resolve("deep"));
    }
    Files.move(deep, root.resolve("jobs/app-1/app-1/8/deep"));
    Path wide = Files.createDirectory(executor("jobs", "9").resolve("wide"));
    for (int i = 0; i < 100_000; i++) {
      Files.createFile(wide.resolve("entry-" + i));
    }
    assertThat(sweep(List.of(), List.of(root.toString())))
        .endsWith("swept\n")
        .doesNotContain(" at ");
  }

  @Test
  void anyNumberOfExecutorsAndOddNamesAndKindsOfEntriesGo() throws Exception {
    executor("jobs", "8");
    shell(
        """
        cd "$0/jobs/app-1/app-1"
        for i in $(seq 3000); do mkdir "dead-$i"; done
        cd 8
        mkdir $'new\\nline' $'not-\\xff\\xfe-utf8' closed
        touch $'new\\nline/2026-01-01T00:00:00Z ERROR forged' $'not-\\xff\\xfe-utf8/\\xe4' closed/file
        chmod 000 closed
        ln -s /etc link
        ln lock hard
        mkfifo pipe
        touch $'../../a\\nstray' ../../../stray
        """);
    assertThat(sweep(List.of(), List.of(root.toString())).lines())
        .last()
        .asString()
        .isEqualTo("swept");
    assertThat(root.resolve("jobs/stray")).doesNotExist();
  }

  /** In a name space of its own, where who runs this may mount one. */
  @Test
  void aFullFileSystemIsSwept() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", root.toString())
                .start()
                .waitFor()
            == 0);
    String said =
        sweep(
            List.of(
                "unshare",
                "-rm",
                "sh",
                "-ec",
                "mount -t tmpfs -o size=512k,nr_inodes=200 tmpfs \"$0\"; exec \"$@\"",
                root.toString()),
            List.of(root.toString(), "fill"));
    assertThat(said).endsWith("swept\n");
  }

  @Test
  void straysGoByAgeWhateverTimeTheyClaim() throws IOException {
    executor("jobs", "8");
    List<Path> strays =
        List.of(
            root.resolve("jobs/stray"),
            root.resolve("jobs/app-1/stray"),
            root.resolve("jobs/app-1/app-1/stray"));
    for (Path stray : strays) {
      old(Files.createFile(stray));
    }
    Path young = Files.createFile(root.resolve("jobs/young"));
    Files.setLastModifiedTime(young, FileTime.from(NOW.minus(Duration.ofMinutes(9))));
    Path tomorrow = Files.createFile(root.resolve("jobs/tomorrow"));
    Files.setLastModifiedTime(tomorrow, FileTime.from(NOW.plus(Duration.ofDays(1))));
    pages(USUAL, "jobs").look(NOW);
    assertThat(strays).allSatisfy(stray -> assertThat(stray).doesNotExist());
    assertThat(tomorrow).doesNotExist();
    assertThat(root.resolve("jobs/app-1/app-1")).doesNotExist();
    assertThat(young).exists();
  }

  @Test
  void aNamespaceFullOfEntriesKeepsNoOtherWaiting() throws IOException {
    Path hidden = executor("a", "7");
    for (int i = 0; i < 1000; i++) {
      Path young = Files.createFile(root.resolve("a/young-" + i));
      Files.setLastModifiedTime(young, FileTime.from(NOW));
    }
    Path other = executor("b", "7");
    PagesFolders pages =
        pages(
            new Limits(
                50, Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO),
            "a",
            "b");
    assertThat(pages.look(NOW)).as("there is more to do").isLessThan(Duration.ofHours(1));
    assertThat(other).doesNotExist();
    // It goes on where it ended, so that what comes last is found too.
    for (int round = 0; round < 30; round++) {
      pages.look(NOW);
    }
    assertThat(hidden).doesNotExist();
    assertThat(root.resolve("a/young-999")).exists();
  }

  /**
   * An empty one waits for a pod for a day; so many cost the node memory that nobody is charged.
   */
  @Test
  void moreEmptyFoldersThanPodsCouldStartDoNotStayForADay() throws IOException {
    pages(USUAL, "jobs").look(NOW);
    for (int i = 0; i <= 1000; i++) {
      old(Files.createDirectory(root.resolve("jobs/app-" + i)));
    }
    PagesFolders pages = pages(USUAL, "jobs");
    pages.look(NOW);
    assertThat(root.resolve("jobs/app-0")).exists();
    pages.look(NOW);
    assertThat(root.resolve("jobs")).isEmptyDirectory();
  }

  @Test
  void anErrorEndsNothingAndIsTold() throws IOException {
    Path inTheWay = Files.createFile(root.resolve(".jobs"));
    Path first = executor("jobs", "7");
    executor("jobs", "8");
    Path stray = Files.createFile(root.resolve("jobs/app-1/stray"));
    Path other = executor("others", "7");
    PagesFolders pages = pages(USUAL, "jobs", "others");
    assertThat(pages.troubled()).isEmpty();
    pages.look(NOW);
    assertThat(pages.troubled()).hasValue(List.of("jobs"));
    assertThat(stray).doesNotExist();
    assertThat(other).doesNotExist();
    Files.delete(inTheWay);
    pages.look(NOW);
    assertThat(pages.troubled()).hasValue(List.of());
    assertThat(first).doesNotExist();
  }

  /** What an earlier run has moved there and not deleted. */
  @Test
  void theTrashOfAnEarlierRunIsEmptied() throws IOException {
    Files.createDirectories(root.resolve(".jobs/0-1/a/b"));
    Files.createFile(root.resolve(".jobs/0-1/file"));
    pages(USUAL, "jobs").look(NOW);
    assertThat(root.resolve(".jobs")).isEmptyDirectory();
  }

  @Test
  void whoStillWritesKeepsItFromNothing() throws Exception {
    Path dead = executor("jobs", "7");
    PagesFolders pages =
        pages(
            new Limits(
                200,
                Duration.ofMinutes(1),
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ofMinutes(10)),
            "jobs");
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                try {
                  Path folder = Files.createDirectories(dead.resolve("shuffle_" + i % 7));
                  Files.writeString(folder.resolve("pages-" + i), "rows");
                  old(dead);
                  Files.move(folder, dead.resolve("moved-" + i));
                } catch (IOException e) {
                  // Deleted under our hands.
                }
              }
            });
    writer.start();
    try {
      for (int round = 0; round < 20; round++) {
        pages.look(NOW);
      }
    } finally {
      writer.interrupt();
      writer.join();
    }
    for (int round = 0; round < 1000; round++) {
      pages.look(NOW);
    }
    assertThat(root.resolve("jobs/app-1/app-1")).doesNotExist();
    assertThat(root.resolve(".jobs")).isEmptyDirectory();
  }

  /** To open a file with a lease waits for its holder, by default up to 45 seconds. */
  @Test
  void whoHoldsALeaseOfALockIsLeftAloneForSomeTime() throws Exception {
    Path dead = executor("jobs", "7");
    Path other = executor("others", "7");
    Process holder =
        new ProcessBuilder(
                "python3",
                "-c",
                """
                import fcntl, os, signal, sys, time
                signal.signal(signal.SIGIO, signal.SIG_IGN)
                lock = os.open(sys.argv[1], os.O_RDWR)
                fcntl.fcntl(lock, fcntl.F_SETLEASE, fcntl.F_WRLCK)
                print("leased", flush=True)
                time.sleep(0.7)
                """,
                dead.resolve("lock").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assumeTrue(holder.inputReader().readLine() != null, "leases can be taken here");
    PagesFolders pages =
        pages(
            new Limits(
                1000,
                Duration.ofMinutes(1),
                Duration.ZERO,
                Duration.ofMillis(100),
                Duration.ofMinutes(10)),
            "jobs",
            "others");
    pages.look(NOW);
    assertThat(other).doesNotExist();
    assertThat(pages.troubled()).hasValue(List.of("jobs"));
    Path stray = old(Files.createFile(root.resolve("jobs/stray")));
    pages.look(NOW);
    assertThat(stray).as("it rests").exists();
    holder.waitFor();
  }
}
