package io.numaspark.render.counters;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Counts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes of counts what people compare: ratios.
 *
 * <p>Limit: they are averages since an executor was first counted, so that a phase of it does not
 * show. Rates are for Prometheus.
 */
public final class CounterFigures {
  /** Less than this many in the whole are noise. */
  private static final long LEAST = 1000;

  private static final double CYCLE_STEP = 0.1;
  private static final int PERCENT_STEP = 10;

  /** Rates that change by less than this part of them are the same. */
  private static final double RATE_PART = 0.5;

  /** Of a cache line, on every processor of the counter's table. */
  private static final int LINE_BYTES = 64;

  private CounterFigures() {}

  /** The figures of an executor; empty if nothing of it was counted. */
  public static Optional<ExecutorCounters> of(Counts counts) {
    if (counts == null) {
      return Optional.empty();
    }
    Double perCycle = ratio(counts.instructions(), counts.cycles());
    return orEmpty(
        new ExecutorCounters(
            perCycle == null ? null : Math.round(perCycle / CYCLE_STEP) / 10.0,
            percent(counts.remoteAccesses(), sum(counts.localAccesses(), counts.remoteAccesses())),
            percent(counts.stalledSlots(), counts.slots()),
            perSecond(counts.contextSwitches(), counts.milliseconds()),
            megabytesPerSecond(counts)));
  }

  /** The means of several executors, each of those that have it. */
  public static Optional<ExecutorCounters> mean(List<ExecutorCounters> executors) {
    Double perCycle = mean(executors, ExecutorCounters::instructionsPerCycle);
    return orEmpty(
        new ExecutorCounters(
            perCycle == null ? null : Math.round(perCycle * 100) / 100.0,
            whole(mean(executors, ExecutorCounters::remoteAccessPercent)),
            whole(mean(executors, ExecutorCounters::stalledPercent)),
            whole(mean(executors, ExecutorCounters::switchesPerSecond)),
            whole(mean(executors, ExecutorCounters::memoryReadMegabytesPerSecond))));
  }

  /** Whether two figures differ by less than what is worth a status. */
  public static boolean areNear(ExecutorCounters one, ExecutorCounters other) {
    if (one == null || other == null) {
      return one == other;
    }
    return near(one.instructionsPerCycle(), other.instructionsPerCycle(), 1.5 * CYCLE_STEP)
        && near(one.remoteAccessPercent(), other.remoteAccessPercent(), PERCENT_STEP)
        && near(one.stalledPercent(), other.stalledPercent(), PERCENT_STEP)
        && near(
            one.switchesPerSecond(),
            other.switchesPerSecond(),
            Math.max(100, RATE_PART * value(one.switchesPerSecond())))
        && near(
            one.memoryReadMegabytesPerSecond(),
            other.memoryReadMegabytesPerSecond(),
            Math.max(100, RATE_PART * value(one.memoryReadMegabytesPerSecond())));
  }

  /** The figures that there are, with their names for people, in their order. */
  public static Map<String, Number> named(ExecutorCounters figures) {
    Map<String, Number> named = new LinkedHashMap<>();
    named.put("Instructions per cycle", figures.instructionsPerCycle());
    named.put(
        "Accesses to memory of another socket or NUMA node, percent",
        figures.remoteAccessPercent());
    named.put("Read from memory, MB a second", figures.memoryReadMegabytesPerSecond());
    named.put("Slots stalled by memory or units, percent", figures.stalledPercent());
    named.put("Switches between threads each second", figures.switchesPerSecond());
    named.values().removeIf(Objects::isNull);
    return named;
  }

  private static Optional<ExecutorCounters> orEmpty(ExecutorCounters figures) {
    return figures.equals(ExecutorCounters.NONE) ? Optional.empty() : Optional.of(figures);
  }

  private static boolean near(Number one, Number other, double step) {
    return one == null || other == null
        ? one == other
        : Math.abs(one.doubleValue() - other.doubleValue()) < step;
  }

  private static double value(Number number) {
    return number == null ? 0 : number.doubleValue();
  }

  private static Double mean(
      List<ExecutorCounters> executors, Function<ExecutorCounters, ? extends Number> of) {
    List<Double> known =
        executors.stream()
            .<Number>map(of)
            .filter(Objects::nonNull)
            .map(Number::doubleValue)
            .toList();
    return known.isEmpty()
        ? null
        : known.stream().mapToDouble(Double::doubleValue).average().getAsDouble();
  }

  private static Integer whole(Double value) {
    return value == null ? null : (int) Math.round(value);
  }

  private static Long sum(Long one, Long other) {
    return one == null || other == null || one < 0 || other < 0 ? null : one + other;
  }

  private static Double ratio(Long part, Long whole) {
    return part == null || whole == null || part < 0 || whole < LEAST
        ? null
        : part / whole.doubleValue();
  }

  private static Integer percent(Long part, Long whole) {
    Double ratio = ratio(part, whole);
    return ratio == null ? null : (int) Math.min(100, Math.round(100 * ratio));
  }

  /** Bytes in a millisecond are kilobytes in a second. */
  private static Integer megabytesPerSecond(Counts counts) {
    Double lines =
        ratio(sum(counts.localAccesses(), counts.remoteAccesses()), counts.milliseconds());
    return lines == null
        ? null
        : (int) Math.min(Integer.MAX_VALUE, Math.round(lines * LINE_BYTES / 1000));
  }

  private static Integer perSecond(Long events, Long milliseconds) {
    Double perMillisecond = ratio(events, milliseconds);
    return perMillisecond == null
        ? null
        : (int) Math.min(Integer.MAX_VALUE, Math.round(1000 * perMillisecond));
  }
}
