package numaspark.adaptive;

import com.codahale.metrics.Gauge;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import numaspark.adaptive.Messages.Decision;
import numaspark.adaptive.Messages.Doubt;
import numaspark.adaptive.Messages.GateTime;
import numaspark.adaptive.Messages.StageAnswer;
import numaspark.adaptive.Messages.StageKey;
import numaspark.adaptive.Messages.StageQuestion;
import numaspark.adaptive.StageLoop.Running;
import numaspark.adaptive.StageLoop.Settled;
import numaspark.feature.DaemonThread;
import numaspark.feature.ExecutorFeature;
import numaspark.feature.PluginSettings;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.PluginContext;

/** The executor's side: a gate and a loop for each stage attempt that runs here. */
public final class AdaptiveExecutor implements ExecutorFeature {
  private static final long LOOK_MILLIS = 25;
  private static final long TELL_SECONDS = 1;

  /** More stages than run at once in one application. */
  private static final int STAGES_KEPT = 256;

  private final AdaptiveSettings settings;
  private final String executor;
  private final double cpusPerTaskByConf;
  private final DriverLink driver;
  private final IoPressure pressure = new IoPressure();
  private final ScheduledExecutorService messages =
      DaemonThread.scheduled("numaspark-adaptive-driver");
  private final ScheduledExecutorService looks =
      DaemonThread.scheduled("numaspark-adaptive-monitor");
  private final AtomicLong gateNanos = new AtomicLong();
  private final AtomicLong gatedTasks = new AtomicLong();
  private long gateNanosTold;
  private volatile int slots;

  private final Object lock = new Object();
  private final Map<StageKey, StageState> stages = new LinkedHashMap<>(16, 0.75f, true);
  private boolean looking;

  /** See {@link StageLoop}. */
  private int foundBefore;

  private final ThreadLocal<StageState> entered = new ThreadLocal<>();

  private AdaptiveExecutor(PluginContext context, AdaptiveSettings settings) {
    this.settings = settings;
    this.executor = context.executorID();
    this.cpusPerTaskByConf =
        new BigDecimal(context.conf().get("spark.task.cpus", "1")).doubleValue();
    this.driver = new DriverLink(context, messages);
    context
        .metricRegistry()
        .register("adaptive.gateMillis", (Gauge<Long>) () -> gateNanos.get() / 1_000_000);
    messages.scheduleWithFixedDelay(
        this::tellGateTime, TELL_SECONDS, TELL_SECONDS, TimeUnit.SECONDS);
  }

  /** The part, when its properties ask for it. */
  public static Optional<ExecutorFeature> of(PluginContext context, PluginSettings settings) {
    AdaptiveSettings read = AdaptiveSettings.of(settings);
    return read.mode() == Mode.OFF
        ? Optional.empty()
        : Optional.of(new AdaptiveExecutor(context, read));
  }

  @Override
  public void taskStarts(TaskContext task) {
    if (task instanceof BarrierTaskContext) {
      return; // All its tasks wait for each other: holding one back holds all back.
    }
    StageState stage = stageOf(task);
    long arrived = System.nanoTime();
    boolean in = stage.gate.enter(task::isInterrupted);
    long waited = System.nanoTime() - arrived;
    if (waited > 1_000_000) {
      gateNanos.addAndGet(waited);
      gatedTasks.incrementAndGet();
    }
    if (!in) {
      return;
    }
    entered.set(stage);
    synchronized (lock) {
      if (stage.loop.measures()) {
        stage.put(task.taskAttemptId(), new TaskWatch(task));
        lookAgain(stage);
      }
    }
  }

  private StageState stageOf(TaskContext task) {
    StageKey key = new StageKey(task.stageId(), task.stageAttemptNumber());
    synchronized (lock) {
      StageState known = stages.get(key);
      if (known != null) {
        return known;
      }
      boolean few = tooFew(task.numPartitions());
      StageLoop loop = few ? StageLoop.open(settings) : new StageLoop(settings, foundBefore);
      double cpus = cpusPerTaskByConf < 1 ? cpusPerTaskByConf : task.cpus();
      StageState stage = new StageState(key, loop, lock, cpus, pressure.seconds());
      forgetIdle();
      stages.put(key, stage);
      if (!few) {
        driver.ask(new StageQuestion(executor, key, cpus), answer -> answered(stage, answer));
      }
      return stage;
    }
  }

  /** What needs no question: the number of partitions is known to every task. */
  private boolean tooFew(int partitions) {
    return settings.mode() == Mode.STATIC
        ? partitions <= settings.staticThreads()
        : partitions <= settings.firstThreads()
            || slots > 0 && partitions < settings.tasksPerSlot() * settings.most(slots);
  }

  private void forgetIdle() {
    if (stages.size() >= STAGES_KEPT) {
      stages.values().stream()
          .filter(stage -> stage.gate.idle())
          .findFirst()
          .ifPresent(stage -> stages.remove(stage.key));
    }
  }

  private void answered(StageState stage, Optional<StageAnswer> answer) {
    synchronized (lock) {
      answer.ifPresent(told -> slots = told.slots());
      after(stage, stage.loop.answered(answer, stage.look()));
      lookAgain(stage);
    }
  }

  @Override
  public void taskEnds(TaskContext task, boolean succeeded) {
    StageState stage = entered.get();
    if (stage == null) {
      return;
    }
    entered.remove();
    synchronized (lock) {
      TaskWatch watch = stage.remove(task.taskAttemptId());
      if (watch != null && stage.loop.measures()) {
        Running ended = new Running(task.taskAttemptId(), watch.whole());
        after(stage, stage.loop.ended(ended, succeeded, stage::look));
      }
      stage.gate.leave();
    }
  }

  private void lookAgain(StageState stage) {
    if (!looking && stage.loop.wantsSamples()) {
      looking = true;
      looks.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    synchronized (lock) {
      looking = false;
      for (StageState stage : new ArrayList<>(stages.values())) {
        if (stage.loop.wantsSamples()) {
          List<Running> running = stage.look();
          after(stage, stage.loop.sampled(running));
          if (!running.isEmpty()) {
            lookAgain(stage);
          }
        }
      }
    }
  }

  /** Wakes the gate and tells the driver. */
  private void after(StageState stage, Optional<Settled> settled) {
    lock.notifyAll();
    if (stage.loop.takeDoubt()) {
      driver.send(new Doubt(stage.key, executor));
    }
    settled.ifPresent(
        told -> {
          if (told.outcome() == Outcome.EXPLORED) {
            foundBefore = told.threads() < told.slots() ? told.threads() : 0;
          }
          double seconds = (System.nanoTime() - stage.began) / 1e9;
          driver.send(
              new Decision(
                  executor,
                  stage.key,
                  stage.cpusPerTask,
                  told.threads(),
                  told.slots(),
                  told.outcome(),
                  told.throughput(),
                  new ArrayList<>(told.history()),
                  seconds,
                  (pressure.seconds() - stage.pressureBefore) / seconds));
        });
  }

  private void tellGateTime() {
    long now = gateNanos.get();
    if (now != gateNanosTold) {
      gateNanosTold = now;
      driver.send(new GateTime(executor, now / 1_000_000, gatedTasks.get()));
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
    messages.shutdownNow();
  }
}
