package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowdownTest {

  private static Process group(String... command) throws IOException {
    return new ProcessBuilder(command).start();
  }

  /** setsid makes the group a while after the process has started. */
  @Test
  void aGroupThatComesLateIsStopped() throws Exception {
    Process process = group("bash", "-c", "sleep 0.3; exec setsid sleep 1.5");
    Slowdown slowdown = Slowdown.start(process.pid(), 0.5).orElseThrow();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(slowdown.end()).isGreaterThan(0.2);
  }

  @Test
  void whatRunsTakesLonger() throws Exception {
    String counting = "for ((i = 0; i < 2000000; i++)); do :; done";
    long begin = System.nanoTime();
    Process free = group("setsid", "bash", "-c", counting);
    free.waitFor();
    double alone = (System.nanoTime() - begin) / 1e9;
    begin = System.nanoTime();
    Process slowed = group("setsid", "bash", "-c", counting);
    Slowdown slowdown = Slowdown.start(slowed.pid(), 1).orElseThrow();
    slowed.waitFor();
    double seconds = (System.nanoTime() - begin) / 1e9;
    double stopped = slowdown.end();
    assertThat(stopped).isBetween(0.2, seconds);
    // However busy the machine is: a process does not run while it is stopped.
    assertThat(seconds).as("alone %.1f s", alone).isGreaterThan(stopped);
  }

  @Test
  void aProcessThatHasEndedIsNotWaitedFor() throws Exception {
    Process process = group("true");
    process.waitFor();
    Slowdown slowdown = Slowdown.start(process.pid(), 0.5).orElseThrow();
    assertThat(slowdown.end()).isZero();
  }

  @Test
  void withoutAShareNothingIsStopped() throws IOException {
    assertThat(Slowdown.start(1, 0)).isEmpty();
  }
}
