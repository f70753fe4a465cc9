package numaspark.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelFilesTest {
  @TempDir Path dir;

  @Test
  void readsTheStallOfTheOwnCgroup() throws IOException {
    Path membership = Files.writeString(dir.resolve("cgroup"), "0::/kubepods/pod1\n");
    Path own = Files.createDirectories(dir.resolve("fs/kubepods/pod1"));
    Files.writeString(
        own.resolve("io.pressure"),
        """
        some avg10=1.23 avg60=0.50 avg300=0.10 total=2500000
        full avg10=0.00 avg60=0.00 avg300=0.00 total=100
        """);

    assertThat(new IoPressure(membership, dir.resolve("fs")).seconds()).isEqualTo(2.5);
  }

  @Test
  void insideAContainerTheMountedRootIsTheOwn() throws IOException {
    Path membership = Files.writeString(dir.resolve("cgroup"), "0::/\n");
    Path root = Files.createDirectories(dir.resolve("fs"));
    Files.writeString(root.resolve("io.pressure"), "some avg10=0.00 total=7\n");

    assertThat(new IoPressure(membership, root).seconds()).isEqualTo(7e-6);
  }

  @Test
  void saysNaNWithoutCgroupV2() throws IOException {
    Path membership = Files.writeString(dir.resolve("cgroup"), "4:blkio:/a\n");
    assertThat(new IoPressure(membership, dir).seconds()).isNaN();
    assertThat(new IoPressure(dir.resolve("missing"), dir).seconds()).isNaN();
  }

  @Test
  void sumsTimeOnAndBeforeTheCpu() {
    assertThat(TaskWatch.sumOfFirstTwo("1000 200 3\n")).isEqualTo(1200);
  }
}
