package numaspark.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import numaspark.plugin.SparkCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DelayTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Not zero, as the clock of a JVM may be anything. */
  private long now = -7 * SECOND;

  private final List<Long> pauses = new ArrayList<>();

  @AfterEach
  void clearTheInterrupt() {
    Thread.interrupted();
  }

  private Delay delay(int percent) {
    return new Delay(
        percent,
        () -> now,
        nanos -> {
          pauses.add(nanos);
          now += nanos;
        });
  }

  /** Runs a task and returns how long it waited. */
  private long run(Delay delay, long nanos, boolean succeeds) {
    long before = now;
    delay.taskStarts(() -> false);
    long waited = now - before;
    now += nanos;
    delay.taskEnds(succeeds);
    return waited;
  }

  @Test
  void theFirstTaskDoesNotWait() {
    Delay delay = delay(100);
    assertThat(run(delay, SECOND, true)).isZero();
    assertThat(delay.delayedTasks()).isZero();
  }

  @Test
  void tasksWaitForAShareOfTheMean() {
    Delay delay = delay(20);
    run(delay, SECOND, true);
    assertThat(run(delay, 3 * SECOND, true)).isEqualTo(SECOND / 5);
    assertThat(run(delay, SECOND, true)).isEqualTo(2 * SECOND / 5);
    assertThat(delay.waitedNanos()).isEqualTo(3 * SECOND / 5);
    assertThat(delay.delayedTasks()).isEqualTo(2);
  }

  @Test
  void waitingIsNotRunTime() {
    Delay delay = delay(100);
    run(delay, SECOND, true);
    for (int i = 0; i < 50; i++) {
      assertThat(run(delay, SECOND, true)).isEqualTo(SECOND);
    }
  }

  @Test
  void tasksThatFailDoNotCount() {
    Delay delay = delay(100);
    run(delay, 9 * SECOND, false);
    assertThat(run(delay, SECOND, true)).isZero();
    run(delay, 9 * SECOND, false);
    assertThat(run(delay, SECOND, true)).isEqualTo(SECOND);
  }

  @Test
  void anEndWithoutAStartDoesNotCount() {
    Delay delay = delay(100);
    delay.taskEnds(true);
    assertThat(run(delay, SECOND, true)).isZero();
    delay.taskEnds(true);
    assertThat(run(delay, SECOND, true)).isEqualTo(SECOND);
  }

  @Test
  void noTaskWaitsLongerThanAMinute() {
    Delay delay = delay(100);
    run(delay, 3600 * SECOND, true);
    assertThat(run(delay, SECOND, true)).isEqualTo(60 * SECOND);
    assertThat(pauses).allMatch(nanos -> nanos <= Delay.LOOK_NANOS);
  }

  @Test
  void aKilledTaskIsNotHeld() {
    Delay delay = delay(100);
    run(delay, 10 * SECOND, true);
    long before = now;
    delay.taskStarts(() -> now - before >= SECOND);
    assertThat(now - before).isEqualTo(SECOND);

    delay.taskStarts(() -> true);
    assertThat(now - before).isEqualTo(SECOND);
    assertThat(delay.waitedNanos()).isEqualTo(SECOND);
    assertThat(delay.delayedTasks()).isEqualTo(1);
  }

  @Test
  void anInterruptEndsTheWaitAndIsKeptForTheTask() {
    Delay delay =
        new Delay(
            100,
            () -> now,
            nanos -> {
              now += nanos;
              Thread.currentThread().interrupt();
            });
    run(delay, SECOND, true);

    delay.taskStarts(() -> false);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(delay.waitedNanos()).isEqualTo(Delay.LOOK_NANOS);
    assertThat(delay.delayedTasks()).isEqualTo(1);
  }

  @Test
  void anInterruptWakesARealWait() throws Exception {
    AtomicBoolean kept = new AtomicBoolean();
    AtomicBoolean first = new AtomicBoolean(true);
    // One reading of the clock makes the first task ten minutes long.
    Delay delay =
        new Delay(
            100,
            () -> System.nanoTime() - (first.getAndSet(false) ? 600 * SECOND : 0),
            LockSupport::parkNanos);
    Thread task =
        new Thread(
            () -> {
              delay.taskStarts(() -> false);
              delay.taskEnds(true);
              delay.taskStarts(() -> false);
              kept.set(Thread.currentThread().isInterrupted());
            });
    task.start();
    SparkCluster.await("its wait", () -> task.getState() == Thread.State.TIMED_WAITING);

    task.interrupt();

    task.join();
    assertThat(kept).isTrue();
  }

  @Test
  void threadsHaveTasksOfTheirOwn() throws Exception {
    Delay delay = delay(100);
    delay.taskStarts(() -> false);
    now += SECOND;
    Thread other = new Thread(() -> run(delay, SECOND, true));
    other.start();
    other.join();
    delay.taskEnds(true);
    // Means of 1 s and 2 s.
    assertThat(run(delay, SECOND, true)).isEqualTo(3 * SECOND / 2);
  }
}
