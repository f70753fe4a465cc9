package numaspark.adaptive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import numaspark.adaptive.Interval.Sample;
import numaspark.adaptive.Messages.Learnt;
import numaspark.adaptive.Messages.StageAnswer;
import numaspark.adaptive.StageLoop.Running;
import numaspark.adaptive.StageLoop.Settled;

/** Runs a {@link StageLoop} over tasks on a made device, in made time of 1 ms steps. */
final class SimulatedStage {
  private static final long STEP = 1_000_000;
  private static final int LOOK_STEPS = 25;

  /**
   * @param throughput MB/s of the whole device by the number of tasks that use it
   * @param megabytes of one task
   * @param cpuSeconds of one task, before its bytes
   * @param coldSeconds more of them in the first tasks that run at once
   * @param lumpy whether bytes are reported at the end of a task only
   * @param noise standard deviation of a task's speed, as a part of it
   */
  record Device(
      String name,
      DoubleUnaryOperator throughput,
      double megabytes,
      double cpuSeconds,
      double coldSeconds,
      boolean lumpy,
      double noise) {
    Device(
        String name,
        DoubleUnaryOperator throughput,
        double megabytes,
        double cpuSeconds,
        boolean lumpy,
        double noise) {
      this(name, throughput, megabytes, cpuSeconds, 0, lumpy, noise);
    }

    Device cold(double seconds) {
      return new Device(
          name + ", cold code", throughput, megabytes, cpuSeconds, seconds, lumpy, noise);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** How a run ended. */
  record Run(double seconds, List<Settled> settled, boolean doubted, int threads) {
    Settled last() {
      return settled.get(settled.size() - 1);
    }
  }

  private static final class Task {
    private final long id;
    private final double speed;
    private final double cpuSeconds;
    private long began;
    private double cpu;
    private double done;
    private long cpuNanos;

    private Task(long id, double speed, double cpuSeconds) {
      this.id = id;
      this.speed = speed;
      this.cpuSeconds = cpuSeconds;
    }
  }

  private final Device device;
  private final int slots;
  private final int tasks;
  private final Random random;
  private final List<Task> running = new ArrayList<>();
  private long now;

  SimulatedStage(Device device, int slots, int tasks, long seed) {
    this.device = device;
    this.slots = slots;
    this.tasks = tasks;
    this.random = new Random(seed);
  }

  /** With the loop. */
  Run adaptive(AdaptiveSettings settings, Learnt learnt) {
    return run(
        new StageLoop(settings, 0), new StageAnswer(true, slots, 1, tasks, true, false, learnt));
  }

  /** With the loop, after a stage that was best with some threads. */
  Run adaptiveAfter(int foundBefore) {
    return run(
        new StageLoop(SettingsOf.dynamic(), foundBefore),
        new StageAnswer(true, slots, 1, tasks, true, false, null));
  }

  /** With a fixed number of threads. */
  double fixed(int threads) {
    AdaptiveSettings settings = SettingsOf.dynamic();
    StageLoop open = StageLoop.open(settings);
    return run(open, null, threads).seconds();
  }

  private Run run(StageLoop loop, StageAnswer answer) {
    return run(loop, answer, slots);
  }

  private Run run(StageLoop loop, StageAnswer answer, int most) {
    List<Settled> settled = new ArrayList<>();
    boolean doubted = false;
    if (answer != null) {
      loop.answered(Optional.of(answer), List.of()).ifPresent(settled::add);
    }
    int begun = 0;
    int ended = 0;
    for (long step = 0; ended < tasks; step++, now += STEP) {
      while (begun < tasks && running.size() < Math.min(most, loop.limit())) {
        double cold = Math.max(0, device.coldSeconds() - now / 1e9);
        Task task =
            new Task(
                begun++,
                Math.max(0.2, 1 + device.noise() * random.nextGaussian()),
                device.cpuSeconds() + cold);
        task.began = now;
        running.add(task);
        loop.begins(new Running(task.id, sample(task, true)));
      }
      advance();
      for (Task task : List.copyOf(running)) {
        if (task.done >= device.megabytes() && task.cpu >= task.cpuSeconds) {
          running.remove(task);
          ended++;
          loop.ended(new Running(task.id, sample(task, false)), true, this::look)
              .ifPresent(settled::add);
        }
      }
      if (step % LOOK_STEPS == 0 && loop.wantsSamples()) {
        loop.sampled(look()).ifPresent(settled::add);
      }
      doubted |= loop.takeDoubt();
    }
    return new Run(now / 1e9, settled, doubted, loop.limit());
  }

  private void advance() {
    long users = running.stream().filter(task -> task.cpu >= task.cpuSeconds).count();
    for (Task task : running) {
      if (task.cpu < task.cpuSeconds) {
        task.cpu += STEP / 1e9;
        task.cpuNanos += STEP;
      } else if (device.megabytes() > 0) {
        double share = device.throughput().applyAsDouble(users) / users;
        task.done += share * task.speed * STEP / 1e9;
      }
    }
  }

  private List<Running> look() {
    return running.stream().map(task -> new Running(task.id, sample(task, true))).toList();
  }

  private Sample sample(Task task, boolean inside) {
    long bytes = inside && device.lumpy() ? 0 : (long) (task.done * 1e6) / 100_000 * 100_000;
    long wait = now - task.began - task.cpuNanos;
    return new Sample(now, bytes, Math.max(0, wait));
  }
}
