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

  /** Waits until it is raised or stopped, at most so long; whether it was raised. */
  synchronized boolean await(Duration longest) throws InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    while (!raised && !stopped) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        break;
      }
      wait(millis);
    }
    boolean wasRaised = raised;
    raised = false;
    return wasRaised;
  }
}
