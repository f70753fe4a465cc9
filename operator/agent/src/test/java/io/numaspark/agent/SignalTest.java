package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SignalTest {
  private static final Duration SHORT = Duration.ofMillis(60);
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Pods that come and go all the time must not keep the agent busy all the time. */
  @Test
  void waitsAWhileEvenIfItIsRaisedAllTheTime() throws InterruptedException {
    Signal signal = new Signal();
    signal.raise();
    long start = System.nanoTime();
    assertThat(signal.await(SHORT, LONG)).isTrue();
    assertThat(System.nanoTime() - start).isBetween(SHORT.toNanos(), LONG.toNanos());
    assertThat(signal.await(SHORT, Duration.ZERO)).as("raised once").isFalse();
  }

  @Test
  void doesNotWaitLongerThanItIsTold() throws InterruptedException {
    Signal signal = new Signal();
    assertThat(signal.await(LONG, Duration.ofMillis(1))).isFalse();
    signal.raise();
    assertThat(signal.await(LONG, Duration.ofMillis(1))).isTrue();
  }

  @Test
  void endsAtOnceWhenItIsStopped() throws InterruptedException {
    Signal signal = new Signal();
    signal.stop();
    assertThat(signal.await(LONG, LONG)).isFalse();
  }
}
