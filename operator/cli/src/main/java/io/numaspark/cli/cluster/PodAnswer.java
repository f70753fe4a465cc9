package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.render.counters.CounterFigures;
import io.numaspark.render.text.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Says of a pod where it runs and whether it is pinned, and if not, why. */
final class PodAnswer {
  private final Pod pod;
  private final Optional<SparkApplication> application;
  private final Optional<SparkNodeProfile> profile;
  private final List<String> lines = new ArrayList<>();

  private PodAnswer(
      Pod pod, Optional<SparkApplication> application, Optional<SparkNodeProfile> profile) {
    this.pod = pod;
    this.application = application;
    this.profile = profile;
  }

  /**
   * The answer.
   *
   * @param application the one that the pod's labels name; empty if it is not one of numaspark's
   * @param profile of an executor that is on no node yet; empty for other pods, or if it cannot be
   *     read
   * @param topology of the pod's node; empty if it is unknown
   * @param now what agents have reported counts for a while
   */
  static PodDocument of(
      Pod pod,
      Optional<SparkApplication> application,
      Optional<SparkNodeProfile> profile,
      Optional<SparkNodeTopology> topology,
      Instant now) {
    if (application.isEmpty()) {
      return OtherPodAnswer.of(pod, topology, now);
    }
    PodAnswer answer = new PodAnswer(pod, application, profile);
    return Labels.ROLE_DRIVER.equals(label(pod, Labels.SPARK_ROLE))
        ? answer.ofDriver()
        : answer.ofExecutor();
  }

  /** The name of the application that a pod belongs to; empty if it is not one of numaspark's. */
  static Optional<String> applicationOf(Pod pod) {
    return Optional.ofNullable(label(pod, Labels.APPLICATION));
  }

  private static String label(Pod pod, String name) {
    Map<String, String> labels =
        Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
    return labels.get(name);
  }

  private PodDocument ofExecutor() {
    Optional<ExecutorInfo> known =
        Objects.requireNonNullElse(status().executors(), List.<ExecutorInfo>of()).stream()
            .filter(info -> pod.getMetadata().getName().equals(info.pod()))
            .findFirst();
    if (known.isEmpty()) {
      lines.add(
          "The status of %s does not list this executor; it lists at most 50, those that are not pinned first, and follows within seconds."
              .formatted(owner()));
      addScheduling();
      addAwaitedNode();
      return document("Executor", Pinned.Unknown, "NotListed");
    }
    ExecutorInfo info = known.get();
    boolean asked = application.orElseThrow().getSpec().nodeProfile() != null;
    if (!"Running".equals(info.phase())) {
      lines.add(
          "Executor %s of %s is %s: %s".formatted(info.id(), owner(), info.phase(), text(info)));
      addScheduling();
      addAwaitedNode();
      return document("Executor", info.pinned(), info.reason());
    }
    String verdict =
        switch (Objects.requireNonNullElse(info.pinned(), Pinned.Unknown)) {
          case True -> "is pinned";
          case False -> "is not pinned: " + text(info);
          case Unknown -> "is not known to be pinned: " + text(info);
        };
    lines.add("Executor %s of %s %s".formatted(info.id(), owner(), verdict));
    if (!asked) {
      lines.add("The application has no spec.nodeProfile, so its executors are not pinned.");
    }
    addFact("Node", info.node());
    if (info.pinned() == Pinned.True) {
      addFact("Pinned by", pinnedBy());
    }
    addFact("CPUs", info.cpus());
    addFact("NUMA node", info.numaNode());
    addFact("Memory nodes", info.memoryNodes());
    addFact("Last-level caches", info.caches());
    addFact("Memory on its own NUMA nodes, percent", info.localMemoryPercent());
    addFact("Periods in which it waited for CPU quota, percent", info.throttledPercent());
    if (info.counters() != null) {
      CounterFigures.named(info.counters()).forEach(this::addFact);
    }
    addFact("Source of these facts", info.toldBy());
    return document("Executor", info.pinned(), info.reason());
  }

  private static String text(ExecutorInfo info) {
    return info.message() == null
        ? String.valueOf(info.reason())
        : info.reason() + ", " + info.message();
  }

  private PodDocument ofDriver() {
    SparkApplicationStatus status = status();
    String state =
        status.applicationState() == null
            ? ApplicationsDocument.NEW
            : status.applicationState().state().name();
    Optional<Condition> ready =
        Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
            .filter(condition -> condition.getType().equals("Ready"))
            .findFirst();
    lines.add(
        "Driver of %s, which is %s%s"
            .formatted(owner(), state, ready.map(c -> ": " + c.getMessage()).orElse("")));
    lines.add("Drivers are not pinned; their executors are.");
    addFact("Node", pod.getSpec().getNodeName());
    addScheduling();
    return document("Driver", null, ready.map(Condition::getReason).orElse(state));
  }

  /** From the pod, which has a CPU limit for kubelets only; null if nodes of both kinds take it. */
  private String pinnedBy() {
    Map<String, String> annotations =
        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    if (!annotations.containsKey(Labels.PIN)) {
      return "the kubelet";
    }
    boolean limited =
        pod.getSpec().getContainers().stream()
            .map(Container::getResources)
            .anyMatch(
                resources ->
                    resources != null
                        && resources.getLimits() != null
                        && resources.getLimits().containsKey("cpu"));
    return limited ? null : "the container runtime";
  }

  private void addScheduling() {
    SchedulerWord.of(pod).ifPresent(lines::add);
  }

  /** What a pending executor waits for before its profile has a node. */
  private void addAwaitedNode() {
    profile
        .filter(AwaitedNodes::of)
        .ifPresent(
            awaited ->
                lines.add(
                    "Profile %s has no usable node yet: %s"
                        .formatted(awaited.getMetadata().getName(), AwaitedNodes.REMEDY)));
  }

  private void addFact(String name, Object value) {
    if (value != null) {
      lines.add(name + ": " + value);
    }
  }

  private String owner() {
    SparkApplication owner = application.orElseThrow();
    return owner.getMetadata().getNamespace() + "/" + owner.getMetadata().getName();
  }

  private SparkApplicationStatus status() {
    return Objects.requireNonNullElse(
        application.orElseThrow().getStatus(), SparkApplicationStatus.empty());
  }

  private PodDocument document(String role, Pinned pinned, String reason) {
    return new PodDocument(
        pod.getMetadata().getName(),
        role,
        application.map(app -> owner()).orElse(null),
        pod.getSpec().getNodeName(),
        pod.getStatus() == null ? null : pod.getStatus().getPhase(),
        pinned,
        reason,
        List.copyOf(lines));
  }
}
