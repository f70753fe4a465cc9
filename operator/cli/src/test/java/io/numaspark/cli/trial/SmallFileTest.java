package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFileTest {
  @TempDir private Path folder;

  @Test
  void readsNoMoreThanItMay() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "12345");
    assertThat(SmallFile.read(file, 5)).contains("12345");
    assertThat(SmallFile.read(file, 4)).isEmpty();
    assertThat(SmallFile.read(Path.of("/dev/zero"), 4)).isEmpty();
    assertThat(SmallFile.read(folder.resolve("missing"), 4)).isEmpty();
    assertThat(SmallFile.read(folder, 4)).isEmpty();
  }

  @Test
  void anExecutorsFileThatIsTooLargeIsNoProcessId() throws IOException {
    Files.writeString(folder.resolve("0"), " ".repeat(1 << 20) + "7");
    Files.writeString(folder.resolve("1"), "8\n");
    assertThat(new ExecutorWatch(folder, new ProcessFacts(Path.of("/proc"))).pids())
        .containsOnlyKeys(1)
        .containsValue(8L);
  }
}
