package numaspark.adaptive;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Execution: lets at most a number of tasks of one stage attempt run, the others wait in it. The
 * number may change at any time. Fairness is the monitor's: none is promised.
 */
final class Gate {
  /** A killed task is not woken by anybody, so waiting tasks look by themselves this often. */
  private static final long LOOK_MILLIS = 50;

  private final Object lock;
  private final IntSupplier limit;
  private int running;
  private int waiting;

  /**
   * @param lock guards the gate and whatever the limit depends on
   * @param limit read under the lock
   */
  Gate(Object lock, IntSupplier limit) {
    this.lock = lock;
    this.limit = limit;
  }

  /**
   * Waits for a place.
   *
   * @param killed watched while waiting
   * @return false when the task was killed at the gate: it holds no place and must not leave
   */
  boolean enter(BooleanSupplier killed) {
    synchronized (lock) {
      waiting++;
      try {
        while (running >= limit.getAsInt()) {
          if (killed.getAsBoolean()) {
            return false;
          }
          lock.wait(LOOK_MILLIS);
        }
        running++;
        return true;
      } catch (InterruptedException e) {
        // Spark kills with an interrupt when it is told to; the task's own code sees it next.
        Thread.currentThread().interrupt();
        return false;
      } finally {
        waiting--;
      }
    }
  }

  /** Gives the place back. */
  void leave() {
    synchronized (lock) {
      running--;
      lock.notifyAll();
    }
  }

  /** Tasks that hold a place. */
  int running() {
    synchronized (lock) {
      return running;
    }
  }

  /** Whether nobody runs or waits. */
  boolean idle() {
    synchronized (lock) {
      return running == 0 && waiting == 0;
    }
  }
}
