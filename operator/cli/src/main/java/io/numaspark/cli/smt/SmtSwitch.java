package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.smt.HostPod.Work;
import io.numaspark.cli.smt.SwitchMark.Stage;
import io.numaspark.cli.text.InputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Switches SMT of one node: checks, cordons, drains, lets the program on the node work, verifies,
 * uncordons.
 *
 * <p>Each step leaves what is there already as it is, so that a run that was killed is continued by
 * another one with the same arguments.
 */
final class SmtSwitch {
  private static final Duration VERIFICATION = Duration.ofMinutes(10);

  private final NodeCluster cluster;
  private final Request request;
  private final Person person;
  private final Waiting waiting;
  private final NodeMark mark;

  /**
   * What a person wants.
   *
   * @param image of the program on the node; empty for that of the agent there
   * @param run a name of this run that no other one has
   */
  record Request(
      String node,
      SmtTarget target,
      boolean isDryRun,
      Optional<AgentImage> image,
      DrainOptions drain,
      String run) {}

  SmtSwitch(NodeCluster cluster, Request request, Person person, Pace pace) {
    this.cluster = cluster;
    this.request = request;
    this.person = person;
    waiting = new Waiting(pace);
    mark = new NodeMark(cluster, waiting, request.node(), request.run());
  }

  /** The state of a node, which is read only. */
  static NodeState state(NodeCluster cluster, Node node) {
    String name = node.getMetadata().getName();
    SparkNodeTopology topology =
        cluster
            .topology(name)
            .orElseThrow(
                () ->
                    new InputException(
                        "node %s has no SparkNodeTopology, so nobody could verify the result; let a SparkNodeProfile select it, with agents installed (docs/agent.md)"
                            .formatted(name)));
    return NodeState.of(node, topology);
  }

  /**
   * Switches.
   *
   * @throws NotSwitched if that failed or was not wanted
   * @throws InputException if it is not possible; then nothing has changed
   */
  void run() {
    Node node = mark.node();
    NodeState state = state(cluster, node);
    Optional<SwitchMark> earlier = SwitchMark.of(node);
    if (isDone(state, earlier)) {
      return;
    }
    check(state, earlier);
    List<Pod> pods = cluster.pods(request.node());
    Drain drain = drainOf(pods);
    AgentImage image =
        request
            .image()
            .or(() -> AgentImage.of(pods))
            .orElseThrow(
                () ->
                    new InputException(
                        "no agent runs on node %s, whose image has the program; name the image with --image"
                            .formatted(request.node())));
    describe(state, drain, earlier);
    if (request.isDryRun()) {
      person.say("Nothing was changed, because of --dry-run. The node itself was not checked.");
      return;
    }
    if (!person.agrees(
        "Evict %d pods and switch SMT of node %s %s?"
            .formatted(drain.toEvict().size(), request.node(), word()))) {
      throw new NotSwitched("nothing was changed");
    }
    HostWork host = new HostWork(cluster, waiting, request.node(), image, request.run());
    if (earlier.filter(begun -> begun.stage() == Stage.SWITCHING).isEmpty()) {
      checkHost(host, earlier);
    } // else its kubelet may be stopped, and what was begun has to be finished anyway
    person.say("Cordoning node " + request.node());
    mark.begin(request.target());
    evict();
    person.say("Switching SMT " + word() + "; the kubelet is stopped and started meanwhile");
    mark.switching();
    finish(host, host.run(Work.SWITCH, request.target()));
  }

  private boolean isDone(NodeState state, Optional<SwitchMark> earlier) {
    if (!state.is(request.target())) {
      return false;
    }
    if (earlier.isEmpty()) {
      person.say(
          "SMT of node %s is %s already, with %d CPUs"
              .formatted(request.node(), word(), state.capacity()));
      return true;
    }
    if (earlier.get().stage() == Stage.DRAINING && !request.isDryRun()) {
      mark.giveUp();
      cluster.deleteNamespace(HostPod.namespace(request.node()));
      person.say(
          "The switch to %s has not reached the node, and is given up; SMT is %s, and the node is %s"
              .formatted(
                  earlier.get().to().word(),
                  word(),
                  earlier.get().wasCordoned() ? "cordoned as before" : "uncordoned"));
      return true;
    }
    return false;
  }

  private void check(NodeState state, Optional<SwitchMark> earlier) {
    state
        .refusal()
        .ifPresent(
            why -> {
              throw new InputException(
                  "SMT of node %s cannot be switched: %s".formatted(request.node(), why));
            });
    if (earlier.isEmpty() && state.isSilent(waiting.pace().now())) {
      throw new InputException(
          "the agent of node %s does not report (last time: %s), so nobody could verify the result; see docs/agent.md"
              .formatted(request.node(), state.heartbeat().map(Object::toString).orElse("never")));
    }
    if (earlier.isEmpty() && !state.isReady()) {
      throw new InputException("node %s is not Ready; repair it first".formatted(request.node()));
    }
  }

  private Drain drainOf(List<Pod> pods) {
    Drain drain = Drain.of(pods, request.drain());
    if (!drain.refusals().isEmpty()) {
      throw new InputException(String.join("; ", drain.refusals()));
    }
    return drain;
  }

  private void describe(NodeState state, Drain drain, Optional<SwitchMark> earlier) {
    earlier.ifPresent(
        begun ->
            person.say(
                "A switch to %s that was begun at %s is continued"
                    .formatted(begun.to().word(), begun.since())));
    person.say(
        "Node %s has SMT %s: CPUs %s of %d cores, of which %s are reserved"
            .formatted(
                request.node(),
                state.control(),
                state.cpus(),
                state.cores(),
                state.reserved().isEmpty() ? "none by name" : state.reserved()));
    person.say(
        drain.toEvict().isEmpty()
            ? "No pods are to be evicted"
            : "Pods to be evicted: " + Drain.names(drain.toEvict()));
  }

  /** Before the node is drained for nothing. */
  private void checkHost(HostWork host, Optional<SwitchMark> earlier) {
    person.say("Checking the kubelet of node " + request.node());
    HostReport checked = host.run(Work.CHECK, request.target());
    if (checked.state() != HostReport.State.CHECKED) {
      host.cleanUp();
      throw new NotSwitched(
          "SMT of node %s cannot be switched: %s. %s"
              .formatted(
                  request.node(),
                  checked.message(),
                  earlier.isEmpty() ? "Nothing was changed" : "The node stays cordoned"));
    }
    if (!checked.message().isEmpty()) {
      person.say(checked.message());
    }
  }

  private void evict() {
    person.say("Draining node " + request.node());
    List<Pod> blocked = new ArrayList<>();
    List<Pod> left = new ArrayList<>();
    waiting.until(
        request.drain().timeout(),
        () -> {
          mark.check();
          Drain drain = Drain.of(cluster.pods(request.node()), request.drain());
          if (!drain.refusals().isEmpty()) {
            throw new NotSwitched(String.join("; ", drain.refusals()) + ". " + howToContinue());
          }
          left.clear();
          left.addAll(drain.toEvict());
          blocked.clear();
          left.stream()
              .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
              .filter(pod -> !cluster.evict(pod))
              .forEach(blocked::add);
          return left.isEmpty() ? Optional.of(true) : Optional.empty();
        },
        () ->
            new NotSwitched(
                "pods are still on node %s: %s%s. %s"
                    .formatted(
                        request.node(),
                        Drain.names(left),
                        blocked.isEmpty()
                            ? ""
                            : "; PodDisruptionBudgets do not allow the eviction of "
                                + Drain.names(blocked),
                        howToContinue())));
  }

  private String howToContinue() {
    SmtTarget other = request.target() == SmtTarget.OFF ? SmtTarget.ON : SmtTarget.OFF;
    return "The node stays cordoned: run the command again to continue, or with --to %s to give up"
        .formatted(other.word());
  }

  private void finish(HostWork host, HostReport report) {
    switch (report.state()) {
      case SWITCHED -> verify(report);
      case FAILED ->
          throw new NotSwitched(
              "%s. The node stays cordoned: repair its kubelet, then run the command again"
                  .formatted(report.message()));
      default -> {
        awaitReady();
        host.cleanUp();
        mark.release();
        throw new NotSwitched(
            "SMT of node %s was not switched, and the node is as before: %s"
                .formatted(request.node(), report.message()));
      }
    }
    host.cleanUp();
    mark.release();
    person.say(
        "SMT of node %s is %s, with %d CPUs%s"
            .formatted(
                request.node(),
                word(),
                report.cpus(),
                report.reserved().isEmpty() ? "" : " and reservedSystemCPUs " + report.reserved()));
    if (request.target() == SmtTarget.OFF) {
      person.say(
          "When the node starts again, its service numaspark-smt switches SMT off before the kubelet starts; nosmt on the kernel's command line does so too");
    }
  }

  private void verify(HostReport report) {
    person.say("Waiting until kubelet and agent report %d CPUs".formatted(report.cpus()));
    String[] last = {"nothing is known of it"};
    waiting.until(
        VERIFICATION,
        () -> {
          Optional<String> difference =
              state(cluster, mark.node()).difference(request.target(), report);
          last[0] = difference.orElse("");
          return difference.isEmpty() ? Optional.of(true) : Optional.empty();
        },
        () ->
            new NotSwitched(
                "SMT of node %s is %s, but %s. The node stays cordoned: run the command again"
                    .formatted(request.node(), word(), last[0])));
    mark.check();
  }

  private void awaitReady() {
    waiting.until(
        VERIFICATION,
        () -> state(cluster, mark.node()).isReady() ? Optional.of(true) : Optional.empty(),
        () ->
            new NotSwitched(
                "SMT of node %s was not switched, and the node is not Ready. It stays cordoned: repair it, then run the command again"
                    .formatted(request.node())));
  }

  private String word() {
    return request.target().word();
  }
}
