package io.numaspark.agent;

import java.time.Duration;

/** Wakes the one thread that works: something may have changed, or it is time to end. */
final class Signal {
  private boolean raised;
  private boolean stopped;

  /** The pause after this one while nothing comes of waiting: twice as long, up to the longest. */
  static Duration twice(Duration pause, Duration longest) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(longest) < 0 ? twice : longest;
  }

  synchronized void raise() {
    raised = true;
    notifyAll();
  }

  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /**
   * Waits until it is raised or stopped; whether it was raised.
   *
   * @param shortest even if it is raised before, so that nobody drives us by raising it
   * @param longest at most so long
   */
  synchronized boolean await(Duration shortest, Duration longest) throws InterruptedException {
    long start = System.nanoTime();
    while (!stopped) {
      Duration time = raised && shortest.compareTo(longest) < 0 ? shortest : longest;
      long left = time.toNanos() - (System.nanoTime() - start);
      if (left <= 0) {
        break;
      }
      wait(left / 1_000_000 + 1);
    }
    boolean wasRaised = raised;
    raised = false;
    return wasRaised;
  }
}
