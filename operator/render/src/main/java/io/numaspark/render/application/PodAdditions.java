package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.numaspark.render.conf.SparkProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one concern around the pods (metrics, placement, a batch scheduler) adds to a driver pod or
 * to the executors' pod template, after the typed fields and the user's template.
 *
 * <p>No two concerns give a pod different values for one thing ({@link #requireAgreement}), so
 * their order decides nothing. Limit: it adds and, for a label, an annotation or the scheduler's
 * name, replaces; it never removes what a user gave.
 *
 * @param scrapeUnlessGiven annotations for Prometheus, for a pod that has none from elsewhere
 * @param podAffinity preferred terms, put after the user's own affinity
 * @param priorityClassName of pods that name none
 * @param schedulingGroup the PodGroup of scheduling.k8s.io that the pod belongs to
 */
public record PodAdditions(
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> scrapeUnlessGiven,
    List<Volume> volumes,
    List<VolumeMount> mounts,
    List<ContainerPort> ports,
    List<WeightedPodAffinityTerm> podAffinity,
    List<TopologySpreadConstraint> topologySpread,
    Optional<String> schedulerName,
    Optional<String> priorityClassName,
    Optional<String> schedulingGroup) {
  /** A field of Kubernetes 1.36, which the client library does not know yet. */
  private static final String SCHEDULING_GROUP = "schedulingGroup";

  /** The annotation that makes Prometheus look at a pod. */
  public static final String SCRAPE = "prometheus.io/scrape";

  public static final PodAdditions NONE =
      new PodAdditions(
          Map.of(),
          Map.of(),
          Map.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** A mounted volume, a port and what tells Prometheus of it. */
  public static PodAdditions mounted(
      List<Volume> volumes,
      List<VolumeMount> mounts,
      List<ContainerPort> ports,
      Map<String, String> annotations) {
    return new PodAdditions(
        Map.of(),
        annotations,
        Map.of(),
        volumes,
        mounts,
        ports,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Where the scheduler prefers to put the pod. */
  public static PodAdditions placed(
      List<WeightedPodAffinityTerm> podAffinity, List<TopologySpreadConstraint> topologySpread) {
    return new PodAdditions(
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        podAffinity,
        topologySpread,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** What a batch scheduler reads from the pod. */
  public static PodAdditions scheduled(
      Map<String, String> labels,
      Map<String, String> annotations,
      String schedulerName,
      Optional<String> priorityClassName) {
    return new PodAdditions(
        labels,
        annotations,
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.of(schedulerName),
        priorityClassName,
        Optional.empty());
  }

  /** A priority, for a pod that names none. */
  public static PodAdditions prioritised(Optional<String> priorityClassName) {
    return NONE.scheduledBy(priorityClassName, Optional.empty());
  }

  /** The same for a member of a PodGroup of Kubernetes itself. */
  public PodAdditions inSchedulingGroup(String podGroup) {
    return scheduledBy(priorityClassName, Optional.of(podGroup));
  }

  private PodAdditions scheduledBy(Optional<String> priority, Optional<String> podGroup) {
    return new PodAdditions(
        labels,
        annotations,
        scrapeUnlessGiven,
        volumes,
        mounts,
        ports,
        podAffinity,
        topologySpread,
        schedulerName,
        priority,
        podGroup);
  }

  /** The same with annotations for Prometheus, unless something else gives them to the pod. */
  public PodAdditions scrapedUnlessGiven(Map<String, String> scrape) {
    return new PodAdditions(
        labels,
        annotations,
        scrape,
        volumes,
        mounts,
        ports,
        podAffinity,
        topologySpread,
        schedulerName,
        priorityClassName,
        schedulingGroup);
  }

  /**
   * The pod with everything added.
   *
   * @param container name of the Spark container; mounts and ports go into it
   */
  Pod applyTo(Pod pod, String container) {
    if (equals(NONE)) {
      return pod;
    }
    PodSpec spec = pod.getSpec();
    PodBuilder builder = new PodBuilder(pod);
    if (!labels.isEmpty() || !annotations.isEmpty()) {
      builder
          .editOrNewMetadata()
          .withLabels(merged(pod.getMetadata().getLabels(), labels))
          .withAnnotations(merged(pod.getMetadata().getAnnotations(), annotations))
          .endMetadata();
    }
    return builder
        .editSpec()
        .addAllToVolumes(volumes)
        .withContainers(
            spec.getContainers().stream()
                .map(each -> each.getName().equals(container) ? added(each) : each)
                .toList())
        .withAffinity(affinity(spec.getAffinity()))
        .addAllToTopologySpreadConstraints(topologySpread)
        .withSchedulerName(schedulerName.orElse(spec.getSchedulerName()))
        .withPriorityClassName(
            spec.getPriorityClassName() != null
                ? spec.getPriorityClassName()
                : priorityClassName.orElse(null))
        .addToAdditionalProperties(
            schedulingGroup
                .<Map<String, Object>>map(
                    group -> Map.of(SCHEDULING_GROUP, Map.of("podGroupName", group)))
                .orElse(Map.of()))
        .endSpec()
        .build();
  }

  private Container added(Container container) {
    return new ContainerBuilder(container)
        .addAllToVolumeMounts(mounts)
        .addAllToPorts(ports)
        .build();
  }

  private Affinity affinity(Affinity users) {
    return podAffinity.isEmpty()
        ? users
        : new AffinityBuilder(users == null ? new Affinity() : users)
            .editOrNewPodAffinity()
            .addAllToPreferredDuringSchedulingIgnoredDuringExecution(podAffinity)
            .endPodAffinity()
            .build();
  }

  private static Map<String, String> merged(Map<String, String> users, Map<String, String> ours) {
    Map<String, String> merged = new TreeMap<>(SparkProperties.orEmpty(users));
    merged.putAll(ours);
    return merged;
  }

  /** What a concern adds to a pod, with the name of its class. */
  public record By(String concern, PodAdditions additions) {}

  /**
   * Holds the concerns to one value for each thing that a pod has once.
   *
   * @throws IllegalStateException if two concerns give different values, which is a mistake of the
   *     program
   */
  public static void requireAgreement(String pod, List<By> given) {
    Map<String, By> first = new HashMap<>();
    for (By next : given) {
      next.additions()
          .single()
          .forEach(
              (thing, value) -> {
                By before = first.putIfAbsent(thing, next);
                if (before != null && !before.additions().single().get(thing).equals(value)) {
                  throw new IllegalStateException(
                      "%s of the %s pod: is given by %s and by %s with another value"
                          .formatted(thing, pod, before.concern(), next.concern()));
                }
              });
    }
  }

  /** What a pod has one value for. */
  private Map<String, String> single() {
    Map<String, String> single = new TreeMap<>();
    labels.forEach((name, value) -> single.put("label " + name, value));
    annotations.forEach((name, value) -> single.put("annotation " + name, value));
    scrapeUnlessGiven.forEach((name, value) -> single.put("default annotation " + name, value));
    schedulerName.ifPresent(name -> single.put("schedulerName", name));
    priorityClassName.ifPresent(name -> single.put("priorityClassName", name));
    schedulingGroup.ifPresent(name -> single.put(SCHEDULING_GROUP, name));
    return single;
  }

  /** Everything that several concerns add; lists have their order. */
  public static Pod applyAll(Pod pod, String container, List<PodAdditions> additions) {
    Pod changed = pod;
    for (PodAdditions addition : additions) {
      changed = addition.applyTo(changed, container);
    }
    for (PodAdditions addition : additions) {
      changed = addition.scrape(changed);
    }
    return changed;
  }

  private Pod scrape(Pod pod) {
    Map<String, String> given = SparkProperties.orEmpty(pod.getMetadata().getAnnotations());
    return scrapeUnlessGiven.isEmpty() || given.containsKey(SCRAPE)
        ? pod
        : new PodBuilder(pod)
            .editMetadata()
            .withAnnotations(merged(given, scrapeUnlessGiven))
            .endMetadata()
            .build();
  }
}
