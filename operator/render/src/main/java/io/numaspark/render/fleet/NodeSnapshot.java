package io.numaspark.render.fleet;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.counters.CounterFigures;
import io.numaspark.render.picture.CpuHolder;
import io.numaspark.render.picture.CpuHolder.Kind;
import io.numaspark.render.picture.CpuHolder.Memory;
import io.numaspark.render.picture.CpuHolder.Owner;
import io.numaspark.render.picture.Link;
import io.numaspark.render.picture.NodePicture;
import io.numaspark.render.picture.Picture;
import io.numaspark.render.picture.PinState;
import io.numaspark.render.picture.PinState.Verdict;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What runs on a node: executors as the statuses of their applications have them, other pods as the
 * node's agent has them, and the slots that are left.
 *
 * <p>Limit: a status lists at most 50 executors; the CPUs of others are drawn as those of a pod, if
 * the node has an agent.
 */
final class NodeSnapshot {
  private static final Set<String> ALIVE = Set.of("Pending", "Running");

  private final Fleet fleet;
  private final String node;
  private final String profile;
  private final PlannedClass planned;

  private NodeSnapshot(Fleet fleet, String node, String profile, PlannedClass planned) {
    this.fleet = fleet;
    this.node = node;
    this.profile = profile;
    this.planned = planned;
  }

  /** The node as the oldest profile with slots there has it, else as the oldest that selects it. */
  static Optional<NodeSnapshot> find(Fleet fleet, String node) {
    List<NodeSnapshot> found = new ArrayList<>();
    fleet
        .plans()
        .forEach(
            (profile, plan) ->
                PlannedClass.of(plan).stream()
                    .filter(one -> one.nodes().contains(node))
                    .forEach(one -> found.add(new NodeSnapshot(fleet, node, profile, one))));
    return found.stream()
        .filter(now -> !now.planned.layout().slots().isEmpty())
        .findFirst()
        .or(() -> found.stream().findFirst());
  }

  Picture picture() {
    List<CpuHolder> holders = new ArrayList<>(executors());
    Set<String> drawn = new HashSet<>();
    holders.forEach(holder -> holder.owner().flatMap(Owner::pod).ifPresent(drawn::add));
    holders.addAll(otherPods(drawn));
    CpuSet taken = CpuSet.unionOf(holders.stream().map(CpuHolder::cpus).toList());
    planned.slots().stream().filter(slot -> !slot.cpus().intersects(taken)).forEach(holders::add);
    NodePicture picture =
        NodePicture.of(node, planned.description(), planned.layout(), holders, planned.notes());
    String slots = fleet.slots(node).map(Fleet.SlotUse::text).orElse("no slots");
    return new Picture(
        "Node " + node,
        List.of("Profile %s: %s.".formatted(profile, slots)),
        List.of(picture),
        List.of(),
        List.of(new Link("All node classes", "../nodes", "")));
  }

  private List<CpuHolder> executors() {
    return fleet
        .applications()
        .filter(application -> application.getStatus() != null)
        .sorted(Comparator.comparing(NodeSnapshot::name))
        .flatMap(this::executors)
        .toList();
  }

  private Stream<CpuHolder> executors(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    return Objects.requireNonNullElse(status.executors(), List.<ExecutorInfo>of()).stream()
        .filter(info -> node.equals(info.node()) && ALIVE.contains(info.phase()))
        .map(info -> holder(application, info));
  }

  private CpuHolder holder(SparkApplication application, ExecutorInfo info) {
    Optional<ExecutorShapeInfo> shape =
        Optional.ofNullable(application.getStatus().executorShape());
    String pod = application.getMetadata().getNamespace() + "/" + info.pod();
    return new CpuHolder(
        Kind.EXECUTOR,
        String.valueOf(info.id()),
        Optional.of(new Owner(name(application), Optional.of(pod))),
        ownCpus(info, shape),
        shape.flatMap(NodeSnapshot::memory),
        pinning(info),
        counted(info.counters()));
  }

  private static List<String> counted(ExecutorCounters counters) {
    return counters == null
        ? List.of()
        : CounterFigures.named(counters).entrySet().stream()
            .map(figure -> figure.getKey() + ": " + figure.getValue())
            .toList();
  }

  private static String name(SparkApplication application) {
    return application.getMetadata().getNamespace() + "/" + application.getMetadata().getName();
  }

  /** An executor in the shared pool may run on all of the pool, none of which is its own. */
  private CpuSet ownCpus(ExecutorInfo info, Optional<ExecutorShapeInfo> shape) {
    CpuSet cpus = parse(info.cpus());
    boolean asMany =
        shape.map(ExecutorShapeInfo::cpus).filter(String.valueOf(cpus.size())::equals).isPresent();
    boolean shared = cpus.intersects(planned.layout().nodeClass().machine().reservedCpus());
    return asMany && !shared ? cpus : CpuSet.EMPTY;
  }

  private static PinState pinning(ExecutorInfo info) {
    Verdict verdict =
        switch (Objects.requireNonNullElse(info.pinned(), Pinned.Unknown)) {
          case True -> Verdict.PINNED;
          case False -> Verdict.NOT_PINNED;
          case Unknown -> Verdict.UNKNOWN;
        };
    String why =
        Stream.of(info.reason(), info.message())
            .filter(Objects::nonNull)
            .reduce("", NodeSnapshot::join);
    return new PinState(verdict, verdict == Verdict.PINNED ? "" : why);
  }

  private static String join(String one, String other) {
    return one.isEmpty() ? other : one + ", " + other;
  }

  private static Optional<Memory> memory(ExecutorShapeInfo shape) {
    try {
      return shape.heap() == null || shape.podMemory() == null
          ? Optional.empty()
          : Optional.of(
              new Memory(
                  MemorySize.ofQuantity(shape.heap()),
                  shape.pageCache() == null ? 0 : MemorySize.ofQuantity(shape.pageCache()),
                  MemorySize.ofQuantity(shape.podMemory())));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // written by something else than this operator
    }
  }

  /** Pods with CPUs of their own that are no executor in a status. */
  private List<CpuHolder> otherPods(Set<String> drawn) {
    List<ExclusiveContainer> containers =
        fleet.agent(node).map(SparkNodeTopologyStatus::exclusive).orElse(List.of());
    Map<String, CpuSet> byPod = new TreeMap<>();
    for (ExclusiveContainer container : containers) {
      CpuSet cpus = parse(container.cpus() == null ? container.kernelCpus() : container.cpus());
      String pod =
          container.namespace() == null
              ? String.valueOf(container.pod())
              : container.namespace() + "/" + container.pod();
      if (!cpus.isEmpty() && !drawn.contains(pod)) {
        byPod.merge(pod, cpus, CpuSet::union);
      }
    }
    return byPod.entrySet().stream()
        .map(
            entry ->
                new CpuHolder(
                    Kind.POD,
                    entry.getKey(),
                    Optional.empty(),
                    entry.getValue(),
                    Optional.empty(),
                    PinState.of(Verdict.UNKNOWN)))
        .toList();
  }

  private static CpuSet parse(String list) {
    try {
      return list == null ? CpuSet.EMPTY : CpuSet.parse(list);
    } catch (IllegalArgumentException e) {
      return CpuSet.EMPTY; // its verdict says that nobody can read it
    }
  }
}
