package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.cli.trial.ProcessFacts.Allowed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessFactsTest {
  @TempDir private Path proc;
  private ProcessFacts facts;

  @BeforeEach
  void process() throws IOException {
    facts = new ProcessFacts(proc);
    Files.createDirectories(proc.resolve("7"));
  }

  @Test
  void allowedCpusAndMemory() throws IOException {
    write(
        "7/status",
        "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t2-5\nMems_allowed_list:\t0\n");
    assertThat(facts.allowed(7)).contains(new Allowed("2-5", "0"));
    assertThat(facts.allowed(8)).isEmpty();
  }

  @Test
  void pagesByNumaNode() throws IOException {
    write(
        "7/numa_maps",
        """
        7f00 bind:1 anon=300 dirty=300 N0=100 N1=200 kernelpagesize_kB=4
        7f10 bind:1 file=/lib/N0=9 mapped=5 N1=5 kernelpagesize_kB=4
        """);
    assertThat(facts.pages(7)).containsEntry(1, 205L);
    assertThat(facts.pages(8)).isEqualTo(Map.of());
  }

  /** A command may have spaces and parentheses. */
  @Test
  void cpuTime() throws IOException {
    write("7/stat", "7 (a) (b c) S 1 7 7 0 -1 4194560 1 2 3 4 100 50 20 30 20 0 1 0 100 1 1\n");
    assertThat(facts.cpuSeconds(7)).isEqualTo(2.0);
    assertThat(facts.childrenCpuSeconds(7)).isEqualTo(0.5);
  }

  @Test
  void machine() throws IOException {
    write("stat", "cpu  100 10 50 1000 20 5 5 30 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    assertThat(facts.machine()).isEqualTo(new ProcessFacts.Busy(1.7, 0.3));
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(proc.resolve(file), text);
  }
}
