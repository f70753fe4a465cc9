package numaspark.adaptive;

import static numaspark.adaptive.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GateTest {
  private final Object lock = new Object();
  private final AtomicInteger limit = new AtomicInteger(2);
  private final Gate gate = new Gate(lock, limit::get);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private void set(int to) {
    synchronized (lock) {
      limit.set(to);
      lock.notifyAll();
    }
  }

  @Test
  void neverMoreThanTheLimitInsideWhateverItsChanges() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger tooMany = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    set(3);
    for (int i = 0; i < 200; i++) {
      threads.execute(
          () -> {
            gate.enter(() -> false);
            if (inside.incrementAndGet() > 3) {
              tooMany.incrementAndGet();
            }
            Thread.yield();
            inside.decrementAndGet();
            gate.leave();
            done.incrementAndGet();
          });
    }
    until(() -> done.get() == 200);
    assertThat(tooMany).hasValue(0);
    assertThat(gate.idle()).isTrue();
  }

  @Test
  void opensForThoseWhoWait() throws Exception {
    Semaphore entered = new Semaphore(0);
    for (int i = 0; i < 8; i++) {
      threads.execute(
          () -> {
            gate.enter(() -> false);
            entered.release();
          });
    }
    until(() -> entered.availablePermits() == 2);
    set(8);
    until(() -> entered.availablePermits() == 8);
    assertThat(gate.running()).isEqualTo(8);
  }

  @Test
  void aKilledTaskLeavesTheGateWithoutAPlace() throws Exception {
    gate.enter(() -> false);
    gate.enter(() -> false);
    AtomicBoolean killed = new AtomicBoolean();
    Future<Boolean> third = threads.submit(() -> gate.enter(killed::get));
    assertThat(third.isDone()).isFalse();

    killed.set(true);

    assertThat(third.get(10, TimeUnit.SECONDS)).isFalse();
    assertThat(gate.running()).isEqualTo(2);
  }

  @Test
  void anInterruptIsKeptForTheTask() throws Exception {
    gate.enter(() -> false);
    gate.enter(() -> false);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicBoolean seen = new AtomicBoolean();
    AtomicBoolean in = new AtomicBoolean(true);
    Thread third =
        new Thread(
            () -> {
              in.set(gate.enter(() -> false));
              seen.set(Thread.currentThread().isInterrupted());
              ended.countDown();
            });
    third.start();

    third.interrupt();

    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(seen).isTrue();
    assertThat(in).isFalse();
    assertThat(gate.running()).isEqualTo(2);
  }
}
