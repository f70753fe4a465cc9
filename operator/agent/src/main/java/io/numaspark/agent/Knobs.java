package io.numaspark.agent;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.KnobObserver;
import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.KnobVerdict;
import io.numaspark.agent.knob.WriterClient;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Brings what is wanted of the node's knobs to the writer, and tells how they are.
 *
 * <p>Limit: without a writer it compares, as far as a knob can be read without privileges.
 */
final class Knobs {
  /** Others may change a knob at any time. */
  private static final Duration CHECK = Duration.ofMinutes(1);

  /** Spark's name of an executor's container, unless its pod template names another. */
  private static final String EXECUTOR = "spark-kubernetes-executor";

  private static final String NO_WRITER =
      "the agent of this node has no writer; install the chart with agent.enforce=true";

  private final KnobObserver observer;
  private final Optional<WriterClient> writer;
  private Order last;
  private List<KnobState> enforced = List.of();
  private Instant due = Instant.EPOCH;

  /** What the writer is asked for. */
  private record Order(Map<Knob, String> settings, CpuSet cores) {}

  /**
   * How the knobs are.
   *
   * @param states as they were read last
   * @param failure why the writer could not be asked; then the wish is not fulfilled yet
   */
  record Report(List<KnobState> states, Optional<String> failure) {}

  Knobs(KnobObserver observer, Optional<WriterClient> writer) {
    this.observer = observer;
    this.writer = writer;
  }

  /**
   * Looks, and has set what is not as it is wanted.
   *
   * @param exclusive who has CPUs of its own, for knobs of executors' cores
   */
  Report look(Optional<WantedKnobs> wanted, List<ExclusiveContainer> exclusive, Instant now) {
    Map<Knob, String> compared = new TreeMap<>();
    Map<Knob, String> toSet = new TreeMap<>();
    List<KnobState> states = new ArrayList<>();
    if (wanted.isPresent()) {
      sort(wanted.get(), toSet, compared, states);
    }
    CpuSet cores =
        wanted.filter(knobs -> knobs.scope() == WantedKnobs.Scope.Executors).isPresent()
            ? executorCpus(exclusive)
            : null;
    Optional<String> failure = Optional.empty();
    if (writer.isPresent()) {
      try {
        for (KnobState state : order(new Order(toSet, cores), now)) {
          // One that was put back and is compared from now on is told once.
          if (!compared.containsKey(Knob.of(state.name()))) {
            states.add(state);
          }
        }
      } catch (IOException e) {
        // What was set may still be so.
        states.addAll(enforced);
        failure = Optional.of(e.getMessage() == null ? e.toString() : e.getMessage());
        last = null;
      }
    } else {
      for (KnobState state : observer.observe(new KnobSettings(toSet))) {
        states.add(withoutWriter(state));
      }
    }
    states.addAll(observer.observe(new KnobSettings(compared)));
    return new Report(List.copyOf(states), failure);
  }

  private static KnobState withoutWriter(KnobState state) {
    return KnobVerdict.Observed.name().equals(state.state())
        ? new KnobState(
            state.name(), state.wanted(), state.actual(), state.state(), null, NO_WRITER)
        : state;
  }

  /** A newer operator may want what this agent does not know. */
  private static void sort(
      WantedKnobs wanted,
      Map<Knob, String> toSet,
      Map<Knob, String> compared,
      List<KnobState> unknown) {
    for (Map.Entry<String, String> setting : wanted.settings().entrySet()) {
      try {
        Knob knob = Knob.of(setting.getKey());
        knob.check(setting.getValue());
        (wanted.enforced().contains(setting.getKey()) ? toSet : compared)
            .put(knob, setting.getValue());
      } catch (IllegalArgumentException e) {
        unknown.add(
            new KnobState(
                setting.getKey(),
                setting.getValue(),
                "Unknown",
                KnobVerdict.Unsupported.name(),
                null,
                e.getMessage()));
      }
    }
  }

  private List<KnobState> order(Order order, Instant now) throws IOException {
    if (!order.equals(last)) {
      enforced = carryOut(order);
      last = order;
      due = now.plus(CHECK);
    } else if (!now.isBefore(due) && !order.settings().isEmpty()) {
      List<KnobState> read = writer.get().status();
      enforced =
          read.stream().anyMatch(state -> isToBeSetAgain(state, order)) ? carryOut(order) : read;
      due = now.plus(CHECK);
    }
    return enforced;
  }

  /** Somebody has changed it, or another writer has started, which compares until it is asked. */
  private static boolean isToBeSetAgain(KnobState state, Order order) {
    return state.state().equals(KnobVerdict.Drifted.name())
        || state.state().equals(KnobVerdict.Observed.name())
            && order.settings().containsKey(Knob.of(state.name()));
  }

  private List<KnobState> carryOut(Order order) throws IOException {
    return order.settings().isEmpty()
        ? writer.get().restore()
        : writer.get().apply(new KnobSettings(order.settings()), order.cores());
  }

  private static CpuSet executorCpus(List<ExclusiveContainer> exclusive) {
    List<CpuSet> cpus = new ArrayList<>();
    for (ExclusiveContainer container : exclusive) {
      if (EXECUTOR.equals(container.container()) && container.cpus() != null) {
        cpus.add(CpuSet.parse(container.cpus()));
      }
    }
    return CpuSet.unionOf(cpus);
  }
}
