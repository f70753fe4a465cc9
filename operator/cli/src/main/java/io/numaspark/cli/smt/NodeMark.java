package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.cli.smt.SwitchMark.Stage;
import io.numaspark.cli.text.InputException;
import java.time.Duration;
import java.util.Optional;

/**
 * Mark and cordon of one node, as one run of the command has them.
 *
 * <p>Limit: of two runs the later one has the node. The earlier one stops at its next step.
 */
final class NodeMark {
  private static final Duration CONFLICTS = Duration.ofMinutes(1);

  private final NodeCluster cluster;
  private final Waiting waiting;
  private final String name;
  private final String run;

  NodeMark(NodeCluster cluster, Waiting waiting, String name, String run) {
    this.cluster = cluster;
    this.waiting = waiting;
    this.name = name;
    this.run = run;
  }

  /** The node as it is now. */
  Node node() {
    return cluster
        .node(name)
        .orElseThrow(
            () ->
                new InputException("there is no node %s; see: kubectl get nodes".formatted(name)));
  }

  /** Cordons, and takes the node over from an earlier run. */
  void begin(SmtTarget target) {
    change(
        node ->
            SwitchMark.of(node)
                .map(mark -> mark.continuedBy(run, target))
                .or(
                    () ->
                        Optional.of(
                            new SwitchMark(
                                target,
                                Stage.DRAINING,
                                isCordoned(node),
                                run,
                                waiting.pace().now().toString()))),
        node -> true);
  }

  /** From here on anything may have changed on the node. */
  void switching() {
    change(node -> Optional.of(own(node).at(Stage.SWITCHING)), node -> true);
  }

  /** Removes the mark; the node is cordoned as it was before the first run. */
  void release() {
    change(node -> Optional.empty(), node -> own(node).wasCordoned());
  }

  /** Removes the mark of an earlier run. */
  void giveUp() {
    change(
        node -> Optional.empty(),
        node -> SwitchMark.of(node).map(SwitchMark::wasCordoned).orElse(isCordoned(node)));
  }

  /** Makes sure that the node is still this run's. */
  void check() {
    Node node = node();
    own(node);
    if (!isCordoned(node)) {
      throw new NotSwitched(
          "node %s was uncordoned meanwhile, so that pods may start there; run the command again"
              .formatted(name));
    }
  }

  private SwitchMark own(Node node) {
    return SwitchMark.of(node)
        .filter(mark -> mark.run().equals(run))
        .orElseThrow(
            () ->
                new NotSwitched(
                    "another run of this command has taken node %s over; this one stops"
                        .formatted(name)));
  }

  private void change(Marking mark, Cordoning cordon) {
    waiting.until(
        CONFLICTS,
        () -> {
          Node seen = node();
          return cluster.update(seen, mark.of(seen), cordon.of(seen))
              ? Optional.of(true)
              : Optional.empty();
        },
        () ->
            new NotSwitched(
                "node %s changes too often to be written; run the command again".formatted(name)));
  }

  /** The mark that a node is to have. */
  private interface Marking {
    Optional<SwitchMark> of(Node node);
  }

  /** Whether a node is to be cordoned. */
  private interface Cordoning {
    boolean of(Node node);
  }

  static boolean isCordoned(Node node) {
    return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
  }
}
