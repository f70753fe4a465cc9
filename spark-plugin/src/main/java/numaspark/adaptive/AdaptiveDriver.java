package numaspark.adaptive;

import com.codahale.metrics.MetricRegistry;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import numaspark.adaptive.Messages.Decision;
import numaspark.adaptive.Messages.Doubt;
import numaspark.adaptive.Messages.GateTime;
import numaspark.adaptive.Messages.Learnt;
import numaspark.adaptive.Messages.StageAnswer;
import numaspark.adaptive.Messages.StageKey;
import numaspark.adaptive.Messages.StageQuestion;
import numaspark.feature.DriverFeature;
import numaspark.feature.PluginSettings;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.StageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's side: knows the stages, keeps what was learnt, and tells the scheduler. */
public final class AdaptiveDriver implements DriverFeature {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveDriver.class);

  private final SparkContext spark;
  private final AdaptiveSettings settings;
  private final Knowledge knowledge = new Knowledge();
  private final SlotLedger ledger = new SlotLedger();
  private final AdaptiveMetrics metrics = new AdaptiveMetrics();
  private final Map<StageKey, Stage> active = new ConcurrentHashMap<>();
  private SchedulerSlots slots;

  /** What is known of an active stage. */
  private record Stage(StageTraits traits, boolean shuffled, int tasks) {}

  private AdaptiveDriver(SparkContext spark, AdaptiveSettings settings) {
    this.spark = spark;
    this.settings = settings;
    spark.addSparkListener(new Watcher());
  }

  /**
   * The part, when its properties ask for it.
   *
   * @throws IllegalArgumentException naming the property that is wrong
   */
  public static Optional<DriverFeature> of(SparkContext spark, PluginSettings settings) {
    AdaptiveSettings read = AdaptiveSettings.of(settings);
    return read.mode() == Mode.OFF
        ? Optional.empty()
        : Optional.of(new AdaptiveDriver(spark, read));
  }

  private final class Watcher extends SparkListener {
    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted event) {
      StageKey key = keyOf(event.stageInfo());
      active.put(
          key,
          new Stage(
              StageInfos.traits(event.stageInfo()),
              StageInfos.hasParents(event.stageInfo()),
              event.stageInfo().numTasks()));
      ledger.stageStarts(key);
      tellScheduler();
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted event) {
      StageKey key = keyOf(event.stageInfo());
      active.remove(key);
      ledger.stageEnds(key);
      tellScheduler();
    }

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded event) {
      ledger.executorComes(event.executorId(), event.executorInfo().totalCores());
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
      ledger.executorGoes(event.executorId());
    }
  }

  private static StageKey keyOf(StageInfo stage) {
    return new StageKey(stage.stageId(), stage.attemptNumber());
  }

  @Override
  public void register(MetricRegistry registry) {
    metrics.register(registry, ledger::withheld);
    if (settings.schedulerSlots()) {
      synchronized (this) {
        slots = SchedulerSlots.of(spark.schedulerBackend());
      }
    }
  }

  /** One at a time: changes that cross each other would be counted in the wrong order. */
  private synchronized void tellScheduler() {
    if (slots != null) {
      ledger.changes().forEach(slots::change);
    }
  }

  @Override
  public Serializable answer(Serializable question) {
    if (!(question instanceof StageQuestion asked)) {
      return null;
    }
    Stage stage = active.get(asked.stage());
    int cores = ledger.cores(asked.executor());
    if (stage == null || cores == 0) {
      return StageAnswer.UNKNOWN;
    }
    Learnt learnt =
        settings.mode() == Mode.DYNAMIC
            ? knowledge.of(stage.traits().signature(), asked.executor()).orElse(null)
            : null;
    return new StageAnswer(
        true,
        (int) (cores / asked.cpusPerTask()),
        ledger.executors(),
        stage.tasks(),
        stage.traits().external(),
        stage.shuffled(),
        learnt);
  }

  @Override
  public boolean receive(Serializable message) {
    if (message instanceof Decision decision) {
      decided(decision);
    } else if (message instanceof GateTime time) {
      metrics.waited(time);
    } else if (message instanceof Doubt doubt) {
      doubted(doubt);
    } else {
      return false;
    }
    return true;
  }

  private void decided(Decision decision) {
    metrics.decided(decision);
    Stage stage = active.get(decision.stage());
    String signature = stage == null ? "?" : stage.traits().signature();
    LOG.info(describe(decision, signature, stage == null ? 0 : stage.tasks()));
    if (stage != null && isLearning(decision.outcome())) {
      knowledge.learn(
          signature,
          decision.executor(),
          new Learnt(decision.threads(), decision.outcome(), decision.throughput()));
    }
    ledger.limit(decision.stage(), decision.executor(), decision.threads(), decision.cpusPerTask());
    tellScheduler();
  }

  private static boolean isLearning(Outcome outcome) {
    return outcome == Outcome.EXPLORED || outcome == Outcome.NOT_IO_BOUND;
  }

  private void doubted(Doubt doubt) {
    Stage stage = active.get(doubt.stage());
    if (stage != null) {
      ledger.unlimit(doubt.stage(), doubt.executor());
      tellScheduler();
      knowledge.forget(stage.traits().signature());
      LOG.info(
          "numaspark adaptive: stage={} signature={} executor={} forgotten: not as learnt",
          doubt.stage(),
          stage.traits().signature(),
          doubt.executor());
    }
  }

  /** The one line a decision leaves in the log; its form is documented. */
  static String describe(Decision decision, String signature, int tasks) {
    String tried =
        decision.history().stream()
            .map(IntervalMeasurement::toString)
            .collect(Collectors.joining(","));
    IntervalMeasurement seen =
        decision.history().isEmpty() ? null : decision.history().get(decision.history().size() - 1);
    return String.format(
        java.util.Locale.ROOT,
        "numaspark adaptive: stage=%s signature=%s tasks=%d executor=%s threads=%d/%d outcome=%s"
            + " tried=[%s] waitShare=%.2f zeta=%.4f ioPressure=%.2f seconds=%.2f",
        decision.stage(),
        signature,
        tasks,
        decision.executor(),
        decision.threads(),
        decision.slots(),
        decision.outcome().label(),
        tried,
        seen == null ? Double.NaN : seen.waitShare(),
        seen == null ? Double.NaN : seen.congestion(),
        decision.ioPressure(),
        decision.seconds());
  }
}
