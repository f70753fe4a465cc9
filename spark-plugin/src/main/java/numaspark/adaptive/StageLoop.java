package numaspark.adaptive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import numaspark.adaptive.Interval.Sample;
import numaspark.adaptive.Messages.Learnt;
import numaspark.adaptive.Messages.StageAnswer;

/**
 * The loop of one stage attempt on one executor: what its limit is now and why. Not thread safe,
 * the gate's lock guards it.
 */
final class StageLoop {
  /** A learnt or opened stage that waits this much after all is looked at anew. */
  private static final double WAITS_AFTER_ALL = 0.3;

  /** Part of the learnt throughput below which what was learnt is not believed. */
  private static final double STILL_FITS = 0.5;

  /**
   * Intervals in a row that have to say that a learnt number is wrong: the first may see nothing
   * but cold code, which only ever looks as if a stage waited less.
   */
  private static final int STRIKES = 2;

  static final int OPEN = Integer.MAX_VALUE;

  private enum Phase {
    ASKING,
    EXPLORING,
    CHECKING,
    WATCHING,
    SETTLED
  }

  /** What the caller has to tell the driver. */
  record Settled(
      int threads,
      int slots,
      Outcome outcome,
      double throughput,
      List<IntervalMeasurement> history) {}

  private final AdaptiveSettings settings;
  private final int foundBefore;
  private Phase phase = Phase.ASKING;
  private int limit;
  private int slots;
  private boolean movesBytes;
  private boolean waitsAtTimes;
  private Climb climb;
  private Recheck recheck;
  private Interval interval;
  private Learnt checked;
  private boolean mayDoubt = true;
  private boolean doubted;
  private int strikes;

  /**
   * @param foundBefore what was best for the stage that this executor explored last, when it was
   *     fewer than its slots, else 0
   */
  StageLoop(AdaptiveSettings settings, int foundBefore) {
    this.settings = settings;
    this.foundBefore = foundBefore;
    this.limit = settings.mode() == Mode.STATIC ? settings.staticThreads() : first();
  }

  private int first() {
    int first = settings.firstThreads();
    return foundBefore == 0 ? first : Math.min(foundBefore, first);
  }

  /** A loop that lets everything through and asks nobody. */
  static StageLoop open(AdaptiveSettings settings) {
    StageLoop loop = new StageLoop(settings, 0);
    loop.phase = Phase.SETTLED;
    loop.limit = widest(settings);
    return loop;
  }

  /** Without knowing the slots: what the user allows, else everything. */
  private static int widest(AdaptiveSettings settings) {
    return settings.mode() == Mode.DYNAMIC && settings.mostThreads() != 0
        ? settings.mostThreads()
        : OPEN;
  }

  int limit() {
    return limit;
  }

  /** Whether tasks have to be watched at all. */
  boolean measures() {
    return phase == Phase.ASKING && settings.mode() == Mode.DYNAMIC || interval != null;
  }

  /** Whether running tasks are worth a look between their start and end. */
  boolean wantsSamples() {
    return phase == Phase.EXPLORING;
  }

  /** Whether what the driver has learnt of this stage should be forgotten; true once. */
  boolean takeDoubt() {
    boolean said = doubted;
    doubted = false;
    return said;
  }

  /**
   * The driver has told what it knows, or not in time (empty).
   *
   * @param running the tasks that passed the gate already
   */
  Optional<Settled> answered(Optional<StageAnswer> answer, List<Running> running) {
    if (phase != Phase.ASKING) {
      return Optional.empty();
    }
    if (answer.isEmpty()) {
      return settle(widest(settings), Outcome.NO_ANSWER, List.of());
    }
    slots = Math.max(1, answer.get().slots());
    movesBytes = answer.get().external() || answer.get().shuffled();
    if (settings.mode() == Mode.STATIC) {
      return answer.get().external()
          ? settle(Math.min(slots, settings.staticThreads()), Outcome.STATIC, List.of())
          : settle(OPEN, Outcome.NO_EXTERNAL_STORAGE, List.of());
    }
    Learnt learnt = answer.get().learnt();
    if (learnt != null) {
      int threads = Math.min(learnt.threads(), settings.most(slots));
      checked = learnt;
      phase = Phase.CHECKING;
      begin(threads, running);
      return Optional.of(new Settled(threads, slots, Outcome.LEARNT, 0, List.of()));
    }
    long share = answer.get().tasks() / Math.max(1, answer.get().executors());
    int most = settings.most(slots);
    if (most <= settings.firstThreads() || share < (long) settings.tasksPerSlot() * most) {
      return settle(most, Outcome.TOO_FEW_TASKS, List.of());
    }
    explore(running);
    return Optional.empty();
  }

  /** A task that passed the gate. */
  record Running(long task, Sample now) {}

  private void explore(List<Running> running) {
    phase = Phase.EXPLORING;
    // What one stage has waited for, the next one is likely to, even if its first tasks do not.
    boolean wary = movesBytes && foundBefore != 0;
    int from = wary ? first() : settings.firstThreads();
    climb =
        new Climb(
            settings, new Climb.Start(from, settings.most(slots), movesBytes, wary, waitsAtTimes));
    begin(climb.threads(), running);
  }

  private void begin(int threads, List<Running> running) {
    limit = threads;
    interval = new Interval(threads, settings.leastMillis() * 1_000_000L);
    running.forEach(task -> interval.begins(task.task(), task.now(), false));
  }

  void begins(Running task) {
    if (interval != null) {
      interval.begins(task.task(), task.now(), true);
    }
  }

  /** Looks at running tasks; only when {@link #wantsSamples()}. */
  Optional<Settled> sampled(List<Running> running) {
    if (phase != Phase.EXPLORING) {
      return Optional.empty();
    }
    running.forEach(task -> interval.sees(task.task(), task.now()));
    return apply(climb.duringInterval(interval.busy(), interval.flow()), running);
  }

  /**
   * A task has ended.
   *
   * @param others looks at the tasks of the stage that go on
   */
  Optional<Settled> ended(Running task, boolean succeeded, Supplier<List<Running>> others) {
    if (interval == null) {
      return Optional.empty();
    }
    interval.ends(task.task(), task.now(), succeeded);
    if (mayDoubt && wasOpened()) {
      List<Running> running = others.get();
      if (waitsAfterAll(running)) {
        return doubt(running);
      }
    }
    return interval.whole().flatMap(whole -> after(whole, others));
  }

  private Optional<Settled> after(IntervalMeasurement whole, Supplier<List<Running>> others) {
    return switch (phase) {
      case EXPLORING -> explored(whole, others);
      case CHECKING -> check(whole, others.get());
      case WATCHING -> watch(whole, others.get());
      case ASKING, SETTLED -> Optional.empty();
    };
  }

  private Optional<Settled> explored(IntervalMeasurement whole, Supplier<List<Running>> others) {
    if (interval.neverFills()) {
      return settle(settings.most(slots), Outcome.NEVER_FILLED, climb.history());
    }
    return interval.filled()
        ? apply(climb.afterInterval(whole, interval.flow()), others.get())
        : Optional.empty();
  }

  private Optional<Settled> watch(IntervalMeasurement whole, List<Running> others) {
    ClimbMove move = recheck.after(whole);
    Optional<Settled> settled = Optional.empty();
    if (move instanceof ClimbMove.Try next) {
      begin(next.threads(), others);
    } else if (move instanceof ClimbMove.Settle end) {
      begin(end.threads(), others);
      settled =
          Optional.of(
              new Settled(end.threads(), slots, end.outcome(), whole.throughput(), List.of(whole)));
    }
    if (!recheck.goesOn()) {
      phase = Phase.SETTLED;
      interval = null;
    }
    return settled;
  }

  /** Whether all slots were given without a comparison, and that is being checked. */
  private boolean wasOpened() {
    return phase == Phase.CHECKING && checked.outcome() != Outcome.EXPLORED;
  }

  /** Each task let in while too many run costs its whole length, so running ones count, too. */
  private boolean waitsAfterAll(List<Running> running) {
    running.forEach(task -> interval.sees(task.task(), task.now()));
    return interval.busy().filter(this::waitsAfterAll).isPresent();
  }

  private boolean waitsAfterAll(IntervalMeasurement seen) {
    return seen.bytes() > 0
        && seen.waitShare() >= Math.max(WAITS_AFTER_ALL, 2 * settings.waitShare());
  }

  private Optional<Settled> check(IntervalMeasurement whole, List<Running> others) {
    boolean open = wasOpened();
    boolean wrong =
        open
            ? waitsAfterAll(whole)
            : whole.waitShare() < settings.waitShare()
                || whole.throughput() < STILL_FITS * checked.throughput();
    if (wrong && mayDoubt && !open && ++strikes < STRIKES) {
      begin(limit, others);
      return Optional.empty();
    }
    if (wrong && mayDoubt) {
      return doubt(others);
    }
    phase = Phase.SETTLED;
    interval = null;
    if (!open) {
      keepWatching(new Recheck(settings, limit, checked.throughput(), false), limit, others);
    }
    return Optional.empty();
  }

  private void keepWatching(Recheck next, int threads, List<Running> running) {
    recheck = next;
    if (recheck.goesOn()) {
      phase = Phase.WATCHING;
      begin(threads, running);
    }
  }

  private Optional<Settled> doubt(List<Running> running) {
    // Once a stage: a stage that fools both measures must not swing for ever.
    mayDoubt = false;
    doubted = true;
    waitsAtTimes = wasOpened();
    explore(running);
    return Optional.empty();
  }

  private Optional<Settled> apply(ClimbMove move, List<Running> running) {
    if (move instanceof ClimbMove.Try next) {
      begin(next.threads(), running);
      return Optional.empty();
    }
    if (move instanceof ClimbMove.Settle end) {
      List<IntervalMeasurement> history = new ArrayList<>(climb.history());
      Optional<Settled> settled = settle(end.threads(), end.outcome(), history);
      if (end.outcome() == Outcome.NOT_IO_BOUND && mayDoubt) {
        // Said after a glance, perhaps at nothing but the start of the tasks: whole tasks check it.
        checked = new Learnt(end.threads(), end.outcome(), 0);
        phase = Phase.CHECKING;
        begin(end.threads(), running);
      } else if (end.outcome() == Outcome.EXPLORED) {
        boolean climbed = end.threads() > climb.first() && end.threads() < settings.most(slots);
        keepWatching(
            new Recheck(settings, end.threads(), climb.bestSeen(), climbed),
            end.threads(),
            running);
        IntervalMeasurement last = history.get(history.size() - 1);
        if (phase == Phase.WATCHING && last.threads() == end.threads()) {
          recheck.after(last); // it may have fallen behind already
        }
      }
      return settled;
    }
    return Optional.empty();
  }

  private Optional<Settled> settle(
      int threads, Outcome outcome, List<IntervalMeasurement> history) {
    double throughput = outcome == Outcome.EXPLORED ? climb.throughput() : 0;
    phase = Phase.SETTLED;
    interval = null;
    limit = threads;
    int told = threads == OPEN ? slots : threads;
    return Optional.of(new Settled(told, slots, outcome, throughput, history));
  }
}
