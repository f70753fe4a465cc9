package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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
  void siblingsSeeEachOther() throws IOException {
    try (NodeFolder one = NodeFolder.make(root, "app", "1");
        NodeFolder two = NodeFolder.make(root, "app", "2");
        NodeFolder other = NodeFolder.make(root, "other", "3")) {
      assertThat(one.siblings()).containsExactly("2");
      assertThat(two.siblings()).containsExactly("1");
      assertThat(other.siblings()).isEmpty();
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
      NodeFolder.sweep(root);
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
    NodeFolder.sweep(root);
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
}
