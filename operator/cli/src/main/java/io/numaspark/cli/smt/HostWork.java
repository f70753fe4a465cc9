package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.numaspark.cli.smt.HostPod.Progress;
import io.numaspark.cli.smt.HostPod.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs the program on the node, and waits for its report.
 *
 * <p>A pod that is lost is created again: on the node, the program works on as a service, and a new
 * pod only waits for it.
 */
final class HostWork {
  private static final String RUN = "numaspark.io/run";
  private static final Duration OF_A_CHECK = Duration.ofMinutes(5);

  /** The program gives up after a switch and a rollback of 15 minutes each. */
  private static final Duration OF_A_SWITCH = Duration.ofMinutes(50);

  private static final Duration WITHOUT_HOPE = Duration.ofMinutes(1);
  private static final int MOST_PODS = 5;

  private final NodeCluster cluster;
  private final Waiting waiting;
  private final String node;
  private final AgentImage image;
  private final String run;

  private int pods;
  private Instant hopelessSince;
  private String lastEnd = "the pod was deleted";

  HostWork(NodeCluster cluster, Waiting waiting, String node, AgentImage image, String run) {
    this.cluster = cluster;
    this.waiting = waiting;
    this.node = node;
    this.image = image;
    this.run = run;
  }

  HostReport run(Work work, SmtTarget target) {
    pods = 0;
    hopelessSince = null;
    return waiting.until(
        work == Work.CHECK ? OF_A_CHECK : OF_A_SWITCH,
        () -> look(work, target),
        () ->
            new NotSwitched(
                "the program on node %s does not answer: see kubectl -n %s describe pod %s, and whether the node is Ready; then run the command again"
                    .formatted(node, HostPod.namespace(node), work.word())));
  }

  /** Deletes what this command has created. */
  void cleanUp() {
    cluster.deleteNamespace(HostPod.namespace(node));
  }

  private Optional<HostReport> look(Work work, SmtTarget target) {
    Optional<Namespace> namespace = cluster.namespace(HostPod.namespace(node));
    if (namespace.isEmpty()) {
      cluster.create(HostPod.namespaceOf(node));
      return Optional.empty();
    }
    if (namespace.get().getMetadata().getDeletionTimestamp() != null) {
      return Optional.empty();
    }
    Optional<Pod> pod = cluster.pod(HostPod.namespace(node), work.word());
    if (pod.isEmpty()) {
      create(work, target);
      return Optional.empty();
    }
    if (pod.get().getMetadata().getDeletionTimestamp() != null) {
      return Optional.empty();
    }
    if (!isOfThisRun(pod.get())) {
      cluster.delete(HostPod.namespace(node), work.word());
      return Optional.empty();
    }
    return report(HostPod.progress(pod.get()), work);
  }

  private void create(Work work, SmtTarget target) {
    if (pods >= MOST_PODS) {
      throw new NotSwitched(
          "pods on node %s end without a report (%s): its image %s needs numaspark-smt, upgrade the chart or give --image; then run the command again"
              .formatted(node, lastEnd, image.name()));
    }
    pods++;
    cluster.create(
        new PodBuilder(HostPod.of(node, work, target, image))
            .editMetadata()
            .addToAnnotations(RUN, run)
            .endMetadata()
            .build());
  }

  private boolean isOfThisRun(Pod pod) {
    return run.equals(
        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(RUN));
  }

  private Optional<HostReport> report(Progress progress, Work work) {
    if (progress.report().isPresent()) {
      return progress.report();
    }
    if (progress.ended().isPresent()) {
      lastEnd = progress.ended().get();
      cluster.delete(HostPod.namespace(node), work.word());
    }
    if (progress.waiting().isEmpty()) {
      hopelessSince = null;
    } else if (hopelessSince == null) {
      hopelessSince = waiting.pace().now();
    } else if (waiting.pace().now().isAfter(hopelessSince.plus(WITHOUT_HOPE))) {
      throw new NotSwitched(
          "the pod on node %s does not start (%s): give an image that the node can pull with --image; then run the command again"
              .formatted(node, progress.waiting().get()));
    }
    return Optional.empty();
  }
}
