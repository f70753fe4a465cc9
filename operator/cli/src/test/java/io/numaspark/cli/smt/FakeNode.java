package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.text.InputException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A cluster with one node of eight cores with two threads: API server, kubelet, agent and the
 * program on the node. Its time passes when somebody pauses.
 */
final class FakeNode implements NodeCluster, Pace {
  static final String NAME = "numa-0";

  /** The command is killed: nothing of it runs on. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  final Map<String, Pod> pods = new LinkedHashMap<>();
  final Map<String, Namespace> namespaces = new TreeMap<>();

  /** What people can see happening. */
  final List<String> events = new ArrayList<>();

  /** The state of SMT. */
  String control = "on";

  String reserved = "0-1";
  boolean cordoned;
  boolean ready = true;
  String annotation;

  /** Pods that a PodDisruptionBudget keeps, and for how many evictions. */
  int budgetRefusals;

  /** What the program answers, if not what it does by itself. */
  String checkAnswer = "{\"state\": \"checked\", \"reserved\": \"0-1\"}";

  String switchAnswer;

  /** Why a container does not start; null if it does. */
  String waitingReason;

  /** How the container ends without an answer, so many times. */
  int lostPods;

  /** Calls that fail. */
  int outages;

  /** The call at which the command is killed; negative for never. */
  int killAt = -1;

  /** Runs before each update of the node. */
  Runnable beforeUpdate = () -> {};

  /** Runs before each eviction. */
  Runnable onEviction = () -> {};

  int calls;
  private int version = 1;
  private Instant now = Instant.parse("2026-01-01T10:00:00Z");

  FakeNode() {
    add("kube-system", "agent", "DaemonSet", "reader", "{}");
    add("default", "etl-exec-1", "Pod", "spark-kubernetes-executor", "{}");
  }

  /** A running pod with a controller of this kind; "" for none. */
  void add(String namespace, String name, String controller, String container, String volume) {
    Pod pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              namespace: %s
              name: %s
              uid: uid-%s
              labels: {app.kubernetes.io/name: %s}
              ownerReferences: %s
            spec:
              nodeName: %s
              containers: [{name: %s, image: "numaspark/agent:dev", imagePullPolicy: Never}]
              volumes: [{name: v%s}]
            status: {phase: Running}
            """
                .formatted(
                    namespace,
                    name,
                    name,
                    container.equals("reader") ? "numaspark-agent" : "other",
                    controller.isEmpty()
                        ? "[]"
                        : "[{apiVersion: v1, kind: %s, name: x, uid: u, controller: true}]"
                            .formatted(controller),
                    NAME,
                    container,
                    volume.equals("{}") ? "" : ", " + volume),
            Pod.class);
    pods.put(namespace + "/" + name, pod);
  }

  private void call() {
    calls++;
    if (calls == killAt) {
      throw new Killed();
    }
    if (outages > 0) {
      outages--;
      throw new InputException("the API server does not answer");
    }
  }

  private void happen(String event) {
    events.add(event);
  }

  private int cpus() {
    return control.equals("on") ? 16 : 8;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void pause(Duration duration) {
    now = now.plus(duration);
  }

  @Override
  public Optional<Node> node(String name) {
    call();
    if (!name.equals(NAME)) {
      return Optional.empty();
    }
    Node node =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, resourceVersion: "%d"}
            spec: {unschedulable: %s}
            status:
              capacity: {cpu: "%d"}
              conditions: [{type: Ready, status: "%s"}]
            """
                .formatted(
                    NAME, version, cordoned ? "true" : "null", cpus(), ready ? "True" : "False"),
            Node.class);
    if (annotation != null) {
      node.getMetadata().setAnnotations(new HashMap<>(Map.of(SwitchMark.ANNOTATION, annotation)));
    }
    return Optional.of(node);
  }

  @Override
  public Optional<SparkNodeTopology> topology(String node) {
    call();
    String cores =
        control.equals("on")
            ? "{id: 0, memory: 1, cores: [\"0-1\", \"2-3\", \"4-5\", \"6-7\"]}, {id: 1, memory: 1, cores: [\"8-9\", \"10-11\", \"12-13\", \"14-15\"]}"
            : "{id: 0, memory: 1, cores: [\"0\", \"2\", \"4\", \"6\"]}, {id: 1, memory: 1, cores: [\"8\", \"10\", \"12\", \"14\"]}";
    return Optional.of(
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeTopology
            metadata: {name: %s}
            spec:
              cpu: {smtControl: "%s"}
              numaNodes: [%s]
              kubelet: {reservedCpus: "%s"}
            status:
              heartbeat: "%s"
              conditions: [{type: TopologyRead, status: "True"}]
            """
                .formatted(NAME, control, cores, reserved, now.minusSeconds(60)),
            SparkNodeTopology.class));
  }

  @Override
  public List<Pod> pods(String node) {
    call();
    return List.copyOf(pods.values());
  }

  @Override
  public boolean update(Node seen, Optional<SwitchMark> mark, boolean wanted) {
    beforeUpdate.run();
    call();
    if (!seen.getMetadata().getResourceVersion().equals(String.valueOf(version))) {
      return false;
    }
    version++;
    annotation = mark.map(SwitchMark::text).orElse(null);
    if (cordoned != wanted) {
      happen(wanted ? "cordon" : "uncordon");
    }
    cordoned = wanted;
    return true;
  }

  /** A person or a program changes the node. */
  void changedByAnother(Runnable change) {
    change.run();
    version++;
  }

  @Override
  public boolean evict(Pod pod) {
    onEviction.run();
    call();
    if (budgetRefusals > 0) {
      budgetRefusals--;
      return false;
    }
    String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    happen("evict " + name);
    pods.remove(name);
    return true;
  }

  @Override
  public Optional<Namespace> namespace(String name) {
    call();
    return Optional.ofNullable(namespaces.get(name));
  }

  @Override
  public void create(Namespace namespace) {
    call();
    namespaces.put(namespace.getMetadata().getName(), namespace);
  }

  @Override
  public void deleteNamespace(String name) {
    call();
    namespaces.remove(name);
    pods.keySet().removeIf(pod -> pod.startsWith(name + "/"));
  }

  @Override
  public Optional<Pod> pod(String namespace, String name) {
    call();
    return Optional.ofNullable(pods.get(namespace + "/" + name));
  }

  @Override
  public void create(Pod pod) {
    call();
    String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    pods.put(name, ended(pod));
  }

  /** The program works at once, whether the command lives or not. */
  private Pod ended(Pod pod) {
    List<String> command = pod.getSpec().getContainers().get(0).getCommand();
    ContainerStatusBuilder status = new ContainerStatusBuilder().withName("numaspark-smt");
    if (waitingReason != null) {
      return with(
          pod,
          status.withNewState().withNewWaiting().withReason(waitingReason).endWaiting().endState());
    }
    if (lostPods > 0) {
      lostPods--;
      return with(
          pod,
          status
              .withNewState()
              .withNewTerminated()
              .withReason("StartError")
              .withMessage("exec: no such file")
              .endTerminated()
              .endState());
    }
    return with(
        pod,
        status
            .withNewState()
            .withNewTerminated()
            .withMessage(command.get(1).equals("check") ? checkAnswer : switchTo(command.get(2)))
            .endTerminated()
            .endState());
  }

  private String switchTo(String target) {
    happen("switch " + target);
    if (switchAnswer != null) {
      return switchAnswer;
    }
    control = target;
    reserved = target.equals("on") ? "0-1" : "0";
    return "{\"state\": \"switched\", \"cpus\": %d, \"online\": \"%s\", \"reserved\": \"%s\"}"
        .formatted(cpus(), target.equals("on") ? "0-15" : "0,2,4,6,8,10,12,14", reserved);
  }

  private static Pod with(Pod pod, ContainerStatusBuilder status) {
    return new PodBuilder(pod)
        .withNewStatus()
        .withContainerStatuses(status.build())
        .endStatus()
        .build();
  }

  @Override
  public void delete(String namespace, String pod) {
    call();
    pods.remove(namespace + "/" + pod);
  }
}
