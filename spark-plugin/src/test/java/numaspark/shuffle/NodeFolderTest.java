package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFolderTest {
  @TempDir Path root;

  @Test
  void nobodyElseMayLookInside() throws IOException {
    try (NodeFolder folder = NodeFolder.make(root.resolve("pages"), "app", "1")) {
      for (Path path :
          new Path[] {
            folder.own(), folder.own().getParent(), folder.own().getParent().getParent()
          }) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .as(path.toString())
            .isEqualTo("rwx------");
      }
    }
    assertThat(root.resolve("pages")).isEmptyDirectory();
  }

  @Test
  void siblingsKnowEachOthersFolders() throws IOException {
    try (NodeFolder one = NodeFolder.make(root, "app", "1");
        NodeFolder two = NodeFolder.make(root, "app", "2")) {
      assertThat(one.of("2")).isEqualTo(two.own());
    }
  }

  @Test
  void foldersOfDeadExecutorsAreDeletedAndThoseOfLivingOnesAreNot() throws Exception {
    Process living = executor("dead-and-living", "living");
    Process killed = executor("dead-and-living", "killed");
    Process alone = executor("dead", "killed");
    Files.createDirectories(root.resolve("dead-and-living/killed/3"));
    Files.writeString(root.resolve("dead-and-living/killed/3/0.pages"), "rows");
    killed.destroyForcibly().waitFor();
    alone.destroyForcibly().waitFor();
    try (NodeFolder mine = NodeFolder.make(root, "mine", "1")) {
      assertThat(root.resolve("dead-and-living/living")).isDirectory();
      assertThat(root.resolve("dead-and-living/killed")).doesNotExist();
      assertThat(root.resolve("dead")).doesNotExist();
      DeadFolders.sweep(root);
      assertThat(mine.own()).isDirectory();
    } finally {
      living.destroyForcibly().waitFor();
    }
  }

  /** Another process that holds a folder until it is killed. */
  private Process executor(String application, String id) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                root.toString(),
                application,
                id)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("held");
    return process;
  }

  static final class Holder {
    public static void main(String[] arguments) throws Exception {
      NodeFolder.make(Path.of(arguments[0]), arguments[1], arguments[2]);
      System.out.println("held");
      TimeUnit.MINUTES.sleep(2);
    }
  }

  @Test
  void whatDiedBeforeItHadItsLockIsDeletedWhenItIsOld() throws IOException {
    Path young = Files.createDirectories(root.resolve("app/.young"));
    Path old = Files.createDirectories(root.resolve("app/.old"));
    Path unlocked = Files.createDirectories(root.resolve("app/2"));
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3600));
    Files.setLastModifiedTime(old, longAgo);
    Files.setLastModifiedTime(unlocked, longAgo);
    DeadFolders.sweep(root);
    assertThat(young).exists();
    assertThat(old).doesNotExist();
    assertThat(unlocked).doesNotExist();
  }

  @Test
  void aLinkOrAFileInTheWayIsRefused() throws IOException {
    Files.createSymbolicLink(
        root.resolve("link"), Files.createDirectory(root.resolve("elsewhere")));
    assertThatThrownBy(() -> NodeFolder.make(root, "link", "1")).hasMessageContaining("in the way");
    Files.writeString(root.resolve("file"), "");
    assertThatThrownBy(() -> NodeFolder.make(root, "file", "1")).hasMessageContaining("in the way");
    assertThat(root.resolve("elsewhere")).isEmptyDirectory();
  }

  @Test
  void twoLivingExecutorsCannotHaveOneId() throws IOException {
    try (NodeFolder first = NodeFolder.make(root, "app", "1")) {
      assertThatThrownBy(() -> NodeFolder.make(root, "app", "1"))
          .hasMessageContaining("still lives");
      assertThat(first.own()).isDirectory();
    }
  }

  @Test
  void aRootThatIsALinkIsRefused() throws IOException {
    Path link = root.resolve("link");
    Files.createSymbolicLink(link, Files.createDirectory(root.resolve("elsewhere")));
    assertThatThrownBy(() -> NodeFolder.make(link, "app", "1"))
        .hasMessage(link + " is a symbolic link; name the folder that it leads to");
    assertThat(root.resolve("elsewhere")).isEmptyDirectory();
  }

  @Test
  void aRootThatOthersMayWriteIsRefusedUnlessItIsSticky() throws IOException {
    Path shared = Files.createDirectory(root.resolve("shared"));
    for (String mode : new String[] {"rwxrwxrwx", "rwxrwx---", "rwx----w-"}) {
      Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> NodeFolder.make(shared, "app", "1"))
          .as(mode)
          .hasMessageContaining(shared + " may be written by others")
          .hasMessageContaining("give it 1777 or 700");
    }
    assertThat(shared).isEmptyDirectory();
    Files.setAttribute(shared, "unix:mode", 01777);
    NodeFolder.make(shared, "app", "1").close();
  }

  @Test
  void aRootOrAnApplicationOfAnotherUserIsRefused() throws IOException {
    assumeTrue(RootFolder.self() == 0, "only root can give folders away");
    Path other = Files.createDirectory(root.resolve("other"));
    Files.setAttribute(other, "unix:uid", 12345);
    assertThatThrownBy(() -> NodeFolder.make(other, "app", "1"))
        .hasMessageContaining(other + " belongs to user 12345")
        .hasMessageContaining("runs as user 0; name a folder of its own");
    assertThat(other).isEmptyDirectory();
    Path application = Files.createDirectory(root.resolve("app"));
    Files.setAttribute(application, "unix:uid", 12345);
    assertThatThrownBy(() -> NodeFolder.make(root, "app", "1"))
        .hasMessageContaining("belongs to user 12345");
    assertThat(application).isEmptyDirectory();
  }

  /** In a root that all may write, others put what they like. */
  @Test
  void theSweepTouchesNothingOfOthersAndFollowsNoLink() throws IOException {
    Path precious = Files.createDirectories(root.resolve("home/precious"));
    Files.writeString(precious.resolve("file"), "precious");
    Path pages = Files.createDirectory(root.resolve("pages"));
    Path mine = Files.createDirectory(pages.resolve("mine"));
    Files.createSymbolicLink(pages.resolve("link"), root.resolve("home"));
    Files.createSymbolicLink(mine.resolve("link"), precious);
    Path trap = Files.createDirectory(mine.resolve("trap"));
    Files.createSymbolicLink(trap.resolve("link"), precious);
    Files.createSymbolicLink(trap.resolve("lock"), precious.resolve("file"));
    Path deep = trap;
    for (int depth = 0; depth < 40; depth++) {
      deep = Files.createDirectory(deep.resolve("d"));
    }
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3600));
    for (Path folder : new Path[] {precious, trap}) {
      Files.setLastModifiedTime(folder, longAgo);
    }
    DeadFolders.sweep(pages);
    assertThat(precious.resolve("file")).hasContent("precious");
    assertThat(trap).doesNotExist();
    if (RootFolder.self() == 0) {
      Path others = Files.createDirectories(pages.resolve("others/2"));
      Files.setLastModifiedTime(others, longAgo);
      Files.setAttribute(others.getParent(), "unix:uid", 12345);
      DeadFolders.sweep(pages);
      assertThat(others).exists();
    }
  }

  @Test
  void aPipeInThePlaceOfALockIsNotWaitedFor() throws Exception {
    Path executor = Files.createDirectories(root.resolve("app/1"));
    Path lock = executor.resolve("lock");
    assertThat(new ProcessBuilder("mkfifo", lock.toString()).start().waitFor()).isZero();
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> DeadFolders.sweep(root));
    assertThat(executor).as("it is young").exists();
  }
}
