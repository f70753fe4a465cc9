package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodEventsTest {
  @TempDir Path cgroup;

  @Test
  void raisesTheSignalWhenAPodComes() throws Exception {
    Signal signal = new Signal();
    try (PodEvents events = PodEvents.start(cgroup, signal)) {
      Path pods = Files.createDirectory(cgroup.resolve("kubepods.slice"));
      events.register();
      Files.createDirectory(pods.resolve("kubepods-pod1.slice"));
      assertThat(signal.await(Duration.ZERO, Duration.ofSeconds(30))).isTrue();
    }
  }

  /** As where other containers of the same user have taken all that the kernel gives to a user. */
  @Test
  void theAgentRunsWhereNothingCanBeWatched() throws Exception {
    try (FileSystem archive =
        FileSystems.newFileSystem(cgroup.resolve("a.zip"), Map.of("create", "true"))) {
      PodEvents events = PodEvents.start(archive.getPath("/"), new Signal());
      events.register();
      events.close();
    }
  }
}
