package io.numaspark.render.proof;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Pinner;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.AgentHealth.Contact;
import io.numaspark.render.pins.PinOutcome;
import io.numaspark.render.text.Labels;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the agents of the nodes say of executors.
 *
 * <p>Believed only of the very container that runs now, and only while the agent is heard: neither
 * an earlier pod of the same name nor an agent that has stopped leaves a claim behind.
 */
public final class AgentReports {
  /**
   * How long after a container's start its absence from a report means something; an agent may have
   * looked just before it wrote.
   */
  private static final Duration SETTLED = Duration.ofSeconds(30);

  /** The API allows no longer list. */
  private static final int FULL = 1024;

  private final boolean loaded;
  private final Function<String, Optional<SparkNodeTopology>> topologies;
  private final Instant now;

  private AgentReports(
      boolean loaded, Function<String, Optional<SparkNodeTopology>> topologies, Instant now) {
    this.loaded = loaded;
    this.topologies = topologies;
    this.now = now;
  }

  /**
   * The reports in the topologies of nodes.
   *
   * @param topologies by node name
   */
  public static AgentReports of(
      Function<String, Optional<SparkNodeTopology>> topologies, Instant now) {
    return new AgentReports(true, topologies, now);
  }

  /** Before the topologies have been read. */
  public static AgentReports notLoaded() {
    return new AgentReports(false, node -> Optional.empty(), Instant.EPOCH);
  }

  /** What is known of one executor. */
  public sealed interface ExecutorReport {}

  /**
   * The agent has looked at it.
   *
   * @param container empty if it has no CPUs of its own
   * @param others the other containers on its node that have
   * @param settled whether what this report does not have is not there
   * @param until when the report holds, unless the agent is heard again
   */
  public record Reported(
      Optional<ExclusiveContainer> container,
      List<ExclusiveContainer> others,
      boolean settled,
      Instant until)
      implements ExecutorReport {}

  /**
   * The agent has said nothing that can be believed.
   *
   * @param why for people
   */
  public record Unreported(String why) implements ExecutorReport {}

  /** The operator has just started, and what was known before still holds. */
  public record NotLoaded() implements ExecutorReport {}

  /** Whether the topologies have been read. */
  public boolean isLoaded() {
    return loaded;
  }

  /**
   * Whether the agents have reported all of these executors, so that the driver need not be asked.
   */
  public boolean cover(List<Pod> running) {
    return running.stream().allMatch(pod -> of(pod) instanceof Reported);
  }

  /** When the first of these reports ends; empty if there is none. */
  public Optional<Instant> until(List<Pod> running) {
    return running.stream()
        .map(this::of)
        .filter(Reported.class::isInstance)
        .map(report -> ((Reported) report).until())
        .min(Instant::compareTo);
  }

  /** What is known of a running executor. */
  public ExecutorReport of(Pod pod) {
    return of(pod, executorContainer(pod));
  }

  /**
   * What is known of a container of a running pod.
   *
   * @param container its name
   */
  public ExecutorReport of(Pod pod, String container) {
    return of(
        pod,
        statuses(pod).stream().filter(status -> container.equals(status.getName())).findFirst());
  }

  private ExecutorReport of(Pod pod, Optional<ContainerStatus> container) {
    if (!loaded) {
      return new NotLoaded();
    }
    String node = String.valueOf(pod.getSpec().getNodeName());
    Optional<SparkNodeTopology> topology = topologies.apply(node);
    Contact contact = AgentHealth.of(topology, now);
    if (contact != Contact.REPORTING) {
      return new Unreported("the agent of node " + node + " is " + contact.displayName());
    }
    SparkNodeTopologyStatus status = topology.orElseThrow().getStatus();
    Instant heard = AgentHealth.heartbeat(status).orElseThrow();
    Optional<Instant> started = container.flatMap(AgentReports::started);
    if (started.isEmpty() || heard.isBefore(started.get())) {
      return new Unreported(
          "the agent of node " + node + " has not looked since the executor started");
    }
    List<ExclusiveContainer> all = Objects.requireNonNullElse(status.exclusive(), List.of());
    Optional<ExclusiveContainer> found =
        all.stream().filter(entry -> isNamed(entry, pod, container.get())).findFirst();
    if (found.isPresent() && !isTheSame(found.get(), pod, container.get())) {
      return new Unreported("the agent of node " + node + " reports an earlier pod of that name");
    }
    boolean complete = isComplete(status) && !heard.isBefore(started.get().plus(SETTLED));
    if (found.isEmpty() && !complete) {
      return new Unreported("the agent of node " + node + " has not reported the executor yet");
    }
    Optional<ExclusiveContainer> kernel =
        found
            .filter(entry -> entry.kernelCpus() == null)
            .flatMap(entry -> nameless(all, container));
    return new Reported(
        found.map(entry -> kernel.map(of -> joined(entry, of)).orElse(entry)),
        all.stream()
            .filter(entry -> found.isEmpty() || entry != found.get())
            .filter(entry -> kernel.isEmpty() || entry != kernel.get())
            .toList(),
        complete,
        heard.plus(AgentHealth.SILENCE));
  }

  /** What only the kernel knows of a container. */
  private static Optional<ExclusiveContainer> nameless(
      List<ExclusiveContainer> all, Optional<ContainerStatus> container) {
    return all.stream()
        .filter(entry -> entry.pod() == null && entry.containerId() != null)
        .filter(entry -> entry.containerId().equals(container.map(AgentReports::id).orElse(null)))
        .findFirst();
  }

  /**
   * The kubelet names pods and no container ids, so the agent cannot join what it has given with a
   * container that has quite other CPUs. The pod's status has both.
   */
  private static ExclusiveContainer joined(ExclusiveContainer given, ExclusiveContainer kernel) {
    return new ExclusiveContainer(
        given.namespace(),
        given.pod(),
        given.container(),
        kernel.podUid(),
        kernel.containerId(),
        given.cpus(),
        given.memoryNodes(),
        kernel.kernelCpus(),
        kernel.kernelMemoryNodes(),
        null, // it was measured against the CPUs that the container has, not those that it was
        // given
        kernel.throttledPercent(),
        kernel.usage(),
        null);
  }

  /** What the pinner of its node says of an executor; empty without one, or if it does not. */
  public Optional<PinOutcome> pinOutcome(Pod pod) {
    return pinner(pod).map(Pinner::executors).stream()
        .flatMap(List::stream)
        .filter(executor -> pod.getMetadata().getUid() != null)
        .filter(executor -> pod.getMetadata().getUid().equals(executor.podUid()))
        .findFirst()
        .flatMap(executor -> PinOutcome.of(executor.outcome()));
  }

  private Optional<Pinner> pinner(Pod pod) {
    return Optional.of(topologies.apply(String.valueOf(pod.getSpec().getNodeName())))
        .filter(topology -> AgentHealth.of(topology, now) == Contact.REPORTING)
        .flatMap(topology -> topology.map(SparkNodeTopology::getStatus))
        .map(SparkNodeTopologyStatus::pinner);
  }

  private static Optional<ContainerStatus> executorContainer(Pod pod) {
    List<ContainerStatus> statuses = statuses(pod);
    return statuses.stream()
        .filter(status -> Labels.EXECUTOR_CONTAINER.equals(status.getName()))
        .findFirst()
        .or(() -> statuses.stream().findFirst());
  }

  private static List<ContainerStatus> statuses(Pod pod) {
    return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
        ? List.of()
        : pod.getStatus().getContainerStatuses();
  }

  private static Optional<Instant> started(ContainerStatus container) {
    if (container.getState() == null || container.getState().getRunning() == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(container.getState().getRunning().getStartedAt())
          .map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** An entry that only the kernel knows has no names. */
  private static boolean isNamed(ExclusiveContainer entry, Pod pod, ContainerStatus container) {
    return entry.pod() == null
        ? entry.containerId() != null && entry.containerId().equals(id(container))
        : entry.pod().equals(pod.getMetadata().getName())
            && Objects.equals(entry.namespace(), pod.getMetadata().getNamespace())
            && Objects.equals(entry.container(), container.getName());
  }

  private static boolean isTheSame(ExclusiveContainer entry, Pod pod, ContainerStatus container) {
    return agree(entry.podUid(), pod.getMetadata().getUid())
        && agree(entry.containerId(), id(container));
  }

  private static boolean agree(String one, String other) {
    return one == null || other == null || one.equals(other);
  }

  /** Without the runtime's prefix, such as containerd://. */
  private static String id(ContainerStatus container) {
    String id = container.getContainerID();
    return id == null ? null : id.substring(id.indexOf("://") < 0 ? 0 : id.indexOf("://") + 3);
  }

  /** A list that is full may have left some out. */
  private static boolean isComplete(SparkNodeTopologyStatus status) {
    boolean full = status.exclusive() != null && status.exclusive().size() >= FULL;
    return !full
        && Objects.requireNonNullElse(status.conditions(), List.<AgentCondition>of()).stream()
            .anyMatch(
                condition ->
                    "PinningRead".equals(condition.type()) && "True".equals(condition.status()));
  }
}
