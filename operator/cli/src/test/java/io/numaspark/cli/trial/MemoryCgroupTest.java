package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.cli.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written and read; that a kernel obeys is seen by e2e/trial.sh. */
class MemoryCgroupTest {
  @TempDir private Path mount;

  @Test
  void writesTheLimitAndReadsThePeak() throws IOException {
    MemoryCgroup cgroup = MemoryCgroup.create(mount, "run", 100);
    assertThat(mount.resolve("run/memory.max")).hasContent(Long.toString(100L << 20));
    assertThat(cgroup.peakBytes()).isEmpty();
    assertThat(cgroup.killed()).isZero();
    Files.writeString(mount.resolve("run/memory.peak"), "123456\n");
    Files.writeString(mount.resolve("run/memory.events"), "low 0\noom 3\noom_kill 2\n");
    assertThat(cgroup.peakBytes()).hasValue(123456);
    assertThat(cgroup.killed()).isEqualTo(2);
  }

  @Test
  void aCgroupOfVersionOneHasOtherFiles() throws IOException {
    Files.createDirectories(mount.resolve("memory"));
    Files.createFile(mount.resolve("memory/memory.limit_in_bytes"));
    MemoryCgroup cgroup = MemoryCgroup.create(mount, "run", 100);
    Path group = mount.resolve("memory/run");
    assertThat(group.resolve("memory.limit_in_bytes")).hasContent(Long.toString(100L << 20));
    Files.writeString(group.resolve("memory.oom_control"), "under_oom 0\noom_kill 1\n");
    assertThat(cgroup.killed()).isEqualTo(1);
  }

  @Test
  void removesOnlyWhatIsEmptyAndItsOwn() throws IOException {
    for (String folder : new String[] {"trial-1-a", "trial-1-b/busy", "trial-2-a"}) {
      Files.createDirectories(mount.resolve(folder));
    }
    assertThat(MemoryCgroup.removeEmpty(mount, "trial-1-")).isFalse();
    assertThat(mount.resolve("trial-1-a")).doesNotExist();
    assertThat(mount.resolve("trial-1-b")).exists();
    assertThat(mount.resolve("trial-2-a")).exists();
    assertThat(MemoryCgroup.removeEmpty(mount, "trial-2-")).isTrue();
  }

  @Test
  void saysHowToDoWithoutRoot() throws IOException {
    Path file = Files.createFile(mount.resolve("file"));
    assertThatThrownBy(() -> MemoryCgroup.create(file, "run", 100))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("systemd-run --user --scope -p MemoryMax=100M numaspark trial");
  }
}
