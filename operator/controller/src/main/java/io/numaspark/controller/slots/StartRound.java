package io.numaspark.controller.slots;

import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.GangDecision.Demand;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.controller.slots.StartDecision.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;

/**
 * One decision over all that wait for a profile's slots: who may start now, and what the others
 * wait for.
 *
 * <p>The namespace that holds the fewest slots comes first, and in it whoever has the highest
 * priority, and of these whoever has waited longest. If one finds no room, {@link Turns} says for
 * whom the free slots are kept.
 */
public final class StartRound {
  /** By then a driver runs and its executors have come; slots that they lack are for others. */
  public static final Duration PROMISE = Duration.ofMinutes(15);

  private final List<SlotCount> nodes;
  private final GangDecision free;
  private final GangDecision empty;
  private final GangDecision.PromisedDemand promised = new GangDecision.PromisedDemand();
  private final Map<String, Long> shares = new HashMap<>();
  private final Instant now;
  private final Map<Application, Integer> ahead = new HashMap<>();
  private final List<Gang> admitted = new ArrayList<>();
  private Turns turns;
  private Optional<Instant> lastPromise = Optional.empty();
  private Instant until = Instant.MAX;

  /** Executors that have no slot yet of one that was promised some. */
  public record Promise(Gang gang, int executors, Instant until) {
    Demand demand() {
      return new Demand(executors, gang.slotsPerExecutor());
    }
  }

  /** Those of a namespace that wait, the most important first. */
  private record Namespace(String name, Deque<Gang> gangs) {}

  /** A round. */
  public StartRound(List<NodeCount> counts, List<Promise> given, Turns turns, Instant now) {
    this.turns = turns;
    this.now = now;
    this.nodes = counts.stream().map(NodeCount::slots).toList();
    this.free = new GangDecision(nodes.stream().map(SlotCount::free).toList());
    // A pod that asks for more slots than there are makes the node publish more; none comes of it.
    // Those of a pinner that does not work are among them: it comes back without a new node.
    this.empty =
        new GangDecision(
            nodes.stream().map(node -> Math.min(node.allowed(), node.planned())).toList());
    for (NodeCount count : counts) {
      count
          .executors()
          .forEach(
              (attempt, pods) ->
                  pods.values().forEach(slots -> addShare(attempt.namespace(), slots)));
    }
    for (Promise promise : given) {
      promised.add(promise.demand());
      addShare(promise.gang().application().namespace(), promise.demand().slots());
      lastPromise =
          lastPromise.filter(promise.until()::isBefore).or(() -> Optional.of(promise.until()));
      until = earlier(until, promise.until());
    }
  }

  private void addShare(String namespace, long slots) {
    shares.merge(namespace, slots, Long::sum);
  }

  /** When there may be another decision although nothing has changed. */
  public Instant until() {
    return until;
  }

  /** Whose turn it is after this round. */
  public Turns turns() {
    return turns;
  }

  /** Those that may start now. */
  public List<Gang> admit(Map<Application, Gang> waiting) {
    turns = turns.retain(waiting.keySet());
    Map<Application, Gang> feasible = new HashMap<>();
    waiting.forEach(
        (application, gang) -> {
          if (isFeasible(gang) && !turns.isOver(gang)) {
            feasible.put(application, gang);
          }
        });
    turns = turns.at(now, feasible);
    startWhoseTurnItIs(feasible);
    if (turns.turn().isEmpty()) {
      boolean isOpen = turns.isOpen(now);
      while (turns.turn().isEmpty() && passOver(feasible, isOpen) && !isOpen) {
        turns = turns.begin(feasible.values(), now);
        startWhoseTurnItIs(feasible);
      }
      if (isOpen) {
        until = earlier(until, turns.openUntil());
      }
    }
    turns.turn().ifPresent(begun -> until = earlier(until, begun.until()));
    rank(feasible);
    return admitted;
  }

  private void startWhoseTurnItIs(Map<Application, Gang> feasible) {
    if (turns
        .turn()
        .filter(turn -> admits(feasible, feasible.get(turn.application())))
        .isPresent()) {
      turns = turns.started(now);
    }
  }

  private boolean isFeasible(Gang gang) {
    return gang.isUnknown() || most(gang) >= gang.executors();
  }

  /** Executors that the nodes could hold if nobody else were there. */
  private long most(Gang gang) {
    return empty.fits(gang.slotsPerExecutor());
  }

  /**
   * Admits in their order those that fit.
   *
   * @param all whether one that does not fit is passed by those that do
   * @return whether one did not fit
   */
  private boolean passOver(Map<Application, Gang> feasible, boolean all) {
    PriorityQueue<Namespace> order = order(feasible);
    boolean leftOut = false;
    while (!order.isEmpty() && (all || !leftOut)) {
      Namespace next = order.poll();
      leftOut |= !admits(feasible, next.gangs().poll());
      if (!next.gangs().isEmpty()) {
        order.add(next);
      }
    }
    return leftOut;
  }

  private PriorityQueue<Namespace> order(Map<Application, Gang> feasible) {
    Map<String, Namespace> namespaces = new HashMap<>();
    feasible.values().stream()
        .sorted(Gang.MOST_IMPORTANT_FIRST)
        .forEach(
            gang ->
                namespaces
                    .computeIfAbsent(
                        gang.application().namespace(),
                        name -> new Namespace(name, new ArrayDeque<>()))
                    .gangs()
                    .add(gang));
    PriorityQueue<Namespace> order =
        new PriorityQueue<>(
            Comparator.<Namespace>comparingLong(
                    namespace -> shares.getOrDefault(namespace.name(), 0L))
                .thenComparing(namespace -> namespace.gangs().peek(), Gang.LONGEST_WAITING_FIRST));
    order.addAll(namespaces.values());
    return order;
  }

  private boolean admits(Map<Application, Gang> feasible, Gang gang) {
    if (gang.isUnknown() || !free.allFit(promised, gang.demand())) {
      return false;
    }
    promised.add(gang.demand());
    addShare(gang.application().namespace(), gang.demand().slots());
    lastPromise = Optional.of(now.plus(PROMISE));
    until = earlier(until, now.plus(PROMISE));
    feasible.remove(gang.application());
    admitted.add(gang);
    return true;
  }

  private void rank(Map<Application, Gang> feasible) {
    turns.turn().ifPresent(held -> ahead.put(held.application(), 0));
    PriorityQueue<Namespace> order = order(feasible);
    while (!order.isEmpty()) {
      Namespace next = order.poll();
      ahead.putIfAbsent(next.gangs().poll().application(), ahead.size());
      if (!next.gangs().isEmpty()) {
        order.add(next);
      }
    }
  }

  /** What one that was not admitted waits for. */
  public Waiting answer(Gang gang) {
    return isFeasible(gang)
        ? new Waiting(WaitingReason.WAITING_FOR_SLOTS, waits(gang))
        : new Waiting(WaitingReason.NOT_ENOUGH_SLOTS, tooLarge(gang));
  }

  private String waits(Gang gang) {
    StringBuilder message = new StringBuilder(needs(gang));
    message.append(", ").append(free.total()).append(" free");
    if (promised.slots() > 0) {
      message
          .append(" of which ")
          .append(promised.slots())
          .append(" are promised to others, at the latest until ")
          .append(time(lastPromise.orElse(now)));
    }
    long withheld = total(SlotCount::withheldSlots);
    if (withheld > 0) {
      message.append(", ").append(withheld).append(" withheld");
      message.append(withoutPinner(gang.profile()));
    }
    if (promised.anyNeedsSeveral() || gang.slotsPerExecutor() > 1) {
      message.append("; the slots of one executor have to be free on one node");
    }
    int others = ahead.getOrDefault(gang.application(), 0);
    if (others > 0) {
      message.append(", ").append(others).append(others == 1 ? " application" : " applications");
      message.append(" ahead");
    }
    turns
        .turn()
        .ifPresent(
            held ->
                message
                    .append("; free slots are kept for ")
                    .append(held.application().equals(gang.application()) ? "it" : "another one")
                    .append(" until ")
                    .append(time(held.until())));
    if (turns.isOpen(now)) {
      message.append("; the next turn begins at ").append(time(turns.openUntil()));
    }
    return message.toString();
  }

  /** Why the pinners of nodes keep their slots back; empty if none does. */
  private String withoutPinner(String profile) {
    List<SlotCount> troubled =
        nodes.stream().filter(node -> node.pinnerTrouble().isPresent()).toList();
    return troubled.isEmpty()
        ? ""
        : " (the container runtime does not pin on %d of %d nodes, first %s: %s; see PinnersConnected of profile %s)"
            .formatted(
                troubled.size(),
                nodes.size(),
                troubled.get(0).node(),
                troubled.get(0).pinnerTrouble().orElseThrow(),
                profile);
  }

  private String tooLarge(Gang gang) {
    String all =
        "%s, but profile %s has %d on %d nodes now"
            .formatted(needs(gang), gang.profile(), empty.total(), nodes.size());
    return (gang.slotsPerExecutor() > 1 ? all + ", room for " + most(gang) + " executors" : all)
        + "; request fewer executors, or add nodes (a cluster autoscaler sees no pods to add nodes for, because none exists before all have"
        + " room)";
  }

  private static String needs(Gang gang) {
    String slots = "needs " + (long) gang.executors() * gang.slotsPerExecutor() + " slots";
    return gang.slotsPerExecutor() == 1
        ? slots
        : slots + " (" + gang.executors() + " executors of " + gang.slotsPerExecutor() + ")";
  }

  private long total(ToLongFunction<SlotCount> of) {
    return nodes.stream().mapToLong(of).sum();
  }

  private static Instant time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
