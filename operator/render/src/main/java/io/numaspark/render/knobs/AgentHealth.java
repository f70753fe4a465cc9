package io.numaspark.render.knobs;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.render.counters.CounterFigures;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Whether the agent of a node reports, and what it reports of the knobs there.
 *
 * <p>Limit: the agent's heartbeat is compared with the operator's clock, so that a node whose clock
 * is more than {@link #SILENCE} off counts as silent.
 */
public final class AgentHealth {
  /** Two heartbeats may be missed: an agent writes at least every five minutes. */
  public static final Duration SILENCE = Duration.ofMinutes(10);

  private AgentHealth() {}

  /** Whether what an agent has reported still counts. */
  public enum Contact {
    /** It has written its status within {@link #SILENCE}. */
    REPORTING,
    /** It has, but not lately. */
    SILENT,
    /** It never has. */
    MISSING;

    /** As it is written in metrics and messages. */
    public String displayName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The contact with the agent of a node, if the node has a topology. */
  public static Contact of(Optional<SparkNodeTopology> topology, Instant now) {
    Optional<SparkNodeTopologyStatus> status = topology.map(SparkNodeTopology::getStatus);
    if (status.map(SparkNodeTopologyStatus::heartbeat).isEmpty()) {
      return Contact.MISSING;
    }
    return heartbeat(status.get())
        .filter(heard -> Duration.between(heard, now).abs().compareTo(SILENCE) <= 0)
        .map(heard -> Contact.REPORTING)
        .orElse(Contact.SILENT);
  }

  /** When the agent last wrote; empty if it never did, or not a time. */
  public static Optional<Instant> heartbeat(SparkNodeTopologyStatus status) {
    if (status == null || status.heartbeat() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(status.heartbeat()));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** What the agent last said of one part of its work; empty if it has said nothing of it. */
  public static Optional<AgentCondition> condition(SparkNodeTopologyStatus status, String type) {
    return Objects.requireNonNullElse(status.conditions(), List.<AgentCondition>of()).stream()
        .filter(condition -> type.equals(condition.type()))
        .findFirst();
  }

  /** The knobs that the agent has told of. */
  public static List<KnobState> knobs(SparkNodeTopologyStatus status) {
    return status == null || status.knobs() == null ? List.of() : status.knobs();
  }

  /**
   * Whether a status says something else than the one before: more than that time has passed, or
   * that percents have moved a little.
   */
  public static boolean differ(SparkNodeTopologyStatus one, SparkNodeTopologyStatus other) {
    if (one == null || other == null) {
      return one != other;
    }
    return !knobs(one).equals(knobs(other))
        || !coarse(one).equals(coarse(other))
        || !areNear(figures(one), figures(other))
        || !states(one).equals(states(other))
        || !Objects.equals(one.pinner(), other.pinner())
        || wasSilent(one, other);
  }

  /** Percents in tens, without what moves all the time. */
  private static List<ExclusiveContainer> coarse(SparkNodeTopologyStatus status) {
    return status.exclusive() == null
        ? List.of()
        : status.exclusive().stream().map(AgentHealth::coarse).toList();
  }

  private static ExclusiveContainer coarse(ExclusiveContainer container) {
    return new ExclusiveContainer(
        container.namespace(),
        container.pod(),
        container.container(),
        container.podUid(),
        container.containerId(),
        container.cpus(),
        container.memoryNodes(),
        container.kernelCpus(),
        container.kernelMemoryNodes(),
        tens(container.localMemoryPercent()),
        tens(container.throttledPercent()),
        null,
        null);
  }

  /** What each container does with its CPUs; null if nobody counts. */
  private static List<ExecutorCounters> figures(SparkNodeTopologyStatus status) {
    List<ExecutorCounters> figures = new ArrayList<>();
    for (ExclusiveContainer container :
        Objects.requireNonNullElse(status.exclusive(), List.<ExclusiveContainer>of())) {
      figures.add(CounterFigures.of(container.counts()).orElse(null));
    }
    return figures;
  }

  private static boolean areNear(List<ExecutorCounters> one, List<ExecutorCounters> other) {
    return one.size() == other.size()
        && IntStream.range(0, one.size())
            .allMatch(i -> CounterFigures.areNear(one.get(i), other.get(i)));
  }

  private static Integer tens(Integer percent) {
    return percent == null ? null : percent / 10;
  }

  private static List<String> states(SparkNodeTopologyStatus status) {
    return status.conditions() == null
        ? List.of()
        : status.conditions().stream()
            .map(condition -> condition.type() + "=" + condition.status() + condition.reason())
            .toList();
  }

  private static boolean wasSilent(SparkNodeTopologyStatus one, SparkNodeTopologyStatus other) {
    Optional<Instant> first = heartbeat(one);
    Optional<Instant> second = heartbeat(other);
    return first.isPresent() != second.isPresent()
        || first.isPresent()
            && Duration.between(first.get(), second.get()).abs().compareTo(SILENCE) > 0;
  }
}
