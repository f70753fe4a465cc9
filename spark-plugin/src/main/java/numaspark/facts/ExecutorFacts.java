package numaspark.facts;

import java.io.Serializable;
import java.util.List;

/**
 * What one executor says about where it runs and how it gets on; the message from executor to
 * driver. A part that is {@code null} is unknown: its source is not there or could not be read.
 *
 * @param interval seconds since the sample before, which the shares below are of; {@code null} in
 *     the first sample
 * @param cpuTime CPU seconds of this JVM in the interval
 * @param gcShare share of the interval in which the JVM stood still for garbage collection, 0..1
 * @param unread what could not be read, in words
 */
public record ExecutorFacts(
    String executorId,
    String host,
    Double interval,
    Placement placement,
    Pages pages,
    Throttling throttling,
    RunQueue runQueue,
    Double cpuTime,
    Double gcShare,
    Tasks tasks,
    Pressure pressure,
    List<String> unread)
    implements Serializable {

  /**
   * Where the kernel lets it run.
   *
   * @param cpus as {@code Cpus_allowed_list}, for example {@code 0-3,8}
   * @param memoryNodes as {@code Mems_allowed_list}, NUMA nodes that it may have memory of
   * @param numaNodes NUMA nodes that the CPUs are in; {@code null} when the machine does not say
   * @param allCpus whether these are all CPUs of the machine that are online
   */
  public record Placement(String cpus, String memoryNodes, String numaNodes, Boolean allCpus)
      implements Serializable {

    /** Whether it is pinned, as far as it can tell without asking anybody. */
    public Pinned pinned() {
      if (cpus == null || numaNodes == null || memoryNodes == null || allCpus == null) {
        return Pinned.UNKNOWN;
      }
      if (!isOne(numaNodes)) {
        return Pinned.CPUS_SPAN_NODES;
      }
      if (!isOne(memoryNodes)) {
        return Pinned.MEMORY_SPANS_NODES;
      }
      return allCpus ? Pinned.ALL_CPUS : Pinned.YES;
    }

    private static boolean isOne(String list) {
      return list.chars().allMatch(Character::isDigit);
    }
  }

  /** The verdict on one executor. */
  public enum Pinned {
    /** Some of the machine's CPUs, all in one NUMA node, and memory of one NUMA node. */
    YES,
    /** Its CPUs are in several NUMA nodes. */
    CPUS_SPAN_NODES,
    /** Its CPUs are in one NUMA node, but it may have memory of several. */
    MEMORY_SPANS_NODES,
    /** The machine has one NUMA node, and nothing keeps it from any CPU. */
    ALL_CPUS,
    UNKNOWN
  }

  /**
   * Resident memory by place, of the last time it was looked at; pages shared with other processes
   * included.
   *
   * @param own bytes on the NUMA nodes of its CPUs
   * @param other bytes on other NUMA nodes
   */
  public record Pages(long own, long other) implements Serializable {

    /** Share of the resident bytes that are on own nodes, 0..1; {@code null} without any. */
    public Double locality() {
      return own + other == 0 ? null : own / (double) (own + other);
    }
  }

  /**
   * Waiting for CPU quota of its own cgroup, since the container started; a quota of a cgroup above
   * is not in it.
   *
   * @param seconds summed over CPUs
   */
  public record Throttling(double seconds, long periods, long throttledPeriods)
      implements Serializable {}

  /**
   * Threads of the JVM in the interval: seconds on a CPU, and seconds ready but waiting for one. A
   * thread's last part, from the sample before its end on, is in neither.
   */
  public record RunQueue(double running, double waiting) implements Serializable {

    /** Share of the time ready to run that was spent waiting, 0..1; {@code null} if never ready. */
    public Double waitShare() {
      double ready = running + waiting;
      return ready == 0 ? null : waiting / ready;
    }
  }

  /** Tasks running at once in the interval: mean over time, and most. */
  public record Tasks(double mean, int most) implements Serializable {}

  /**
   * Share of the interval in which some task of the cgroup waited for CPU, memory or I/O, 0..1
   * (PSI, {@code some}).
   */
  public record Pressure(Double cpu, Double memory, Double io) implements Serializable {}
}
