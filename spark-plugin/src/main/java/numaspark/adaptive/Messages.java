package numaspark.adaptive;

import java.io.Serializable;
import java.util.List;

/** What executors and driver tell each other; serialized, so every part is. */
final class Messages {
  private Messages() {}

  /** One attempt of one stage. */
  record StageKey(int stage, int attempt) implements Serializable {
    @Override
    public String toString() {
      return stage + "." + attempt;
    }
  }

  /** Asked once for each stage attempt by each executor. */
  record StageQuestion(String executor, StageKey stage, double cpusPerTask)
      implements Serializable {}

  /**
   * What the driver knows of a stage.
   *
   * @param known false when its listener has not heard of the stage yet
   * @param slots tasks that the executor can run at once
   * @param executors how many share the stage
   * @param external whether the stage reads or writes external storage
   * @param shuffled whether it reads what other stages wrote
   * @param learnt what an earlier stage of the same signature found, or null
   */
  record StageAnswer(
      boolean known,
      int slots,
      int executors,
      int tasks,
      boolean external,
      boolean shuffled,
      Learnt learnt)
      implements Serializable {
    static final StageAnswer UNKNOWN = new StageAnswer(false, 0, 0, 0, false, false, null);
  }

  /** What is kept of a decision. */
  record Learnt(int threads, Outcome outcome, double throughput) implements Serializable {}

  /**
   * The number of threads that one executor settled on.
   *
   * @param throughput bytes a second of whole tasks under that number; 0 when not measured
   * @param seconds from the first task to the decision
   * @param ioPressure share of that time in which some task of the cgroup was stalled on I/O; NaN
   *     where the kernel does not tell
   */
  record Decision(
      String executor,
      StageKey stage,
      double cpusPerTask,
      int threads,
      int slots,
      Outcome outcome,
      double throughput,
      List<IntervalMeasurement> history,
      double seconds,
      double ioPressure)
      implements Serializable {}

  /** What was learnt of a stage's signature turned out wrong. */
  record Doubt(StageKey stage, String executor) implements Serializable {}

  /** Time that tasks spent at the gate of one executor since its start. */
  record GateTime(String executor, long millis, long tasks) implements Serializable {}
}
