package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The lab's NUMA node as one that the container runtime pins: what kernel and pinner say of it. */
final class RuntimeNode {
  static final String TOPOLOGY = "sparknodetopologies.numaspark.io";
  static final Duration START = Duration.ofMinutes(12);
  static final String PINNER = "numaspark-pinne"; // as the kernel shortens the name of the process

  private static final String EXECUTOR = "spark-kubernetes-executor";

  /** Outcomes by which an executor has CPUs of its own. */
  private static final Set<String> SERVED = Set.of("Pinned", "PinnedLate", "EarlierLayout");

  /** Prints what the kernel says of each container of pods, but not of sandboxes. */
  private static final String CONTAINERS =
      """
      ids=" $(ctr -n k8s.io containers ls -q 'labels."io.cri-containerd.kind"==container' | tr '\\n' ' ')"
      for f in $(find /sys/fs/cgroup/kubepods.slice -type d -name 'cri-containerd-*.scope'); do
        id=${f##*/cri-containerd-} id=${id%.scope} pid= own= cpus= mems=
        case $ids in *" $id "*) ;; *) continue ;; esac
        { read -r pid < $f/cgroup.procs && read -r cpus < $f/cpuset.cpus.effective && read -r mems < $f/cpuset.mems.effective; } 2> /dev/null || continue
        read -r own < $f/cpuset.cpus
        echo "$id|$pid|$own|$cpus|$mems"
      done
      """;

  private RuntimeNode() {}

  /**
   * A container that runs, by the word of the kernel.
   *
   * @param pid its first process
   * @param own cpuset.cpus; empty if it has none
   * @param cpus cpuset.cpus.effective
   * @param memoryNodes cpuset.mems.effective
   */
  record Container(int pid, String own, String cpus, String memoryNodes) {
    CpuSet set() {
      return CpuSet.parse(cpus);
    }
  }

  static Map<String, Container> containers() {
    Map<String, Container> containers = new TreeMap<>();
    for (String line : NodeTools.run(CONTAINERS).lines().toList()) {
      String[] words = line.split("\\|", -1);
      containers.put(
          words[0], new Container(Integer.parseInt(words[1]), words[2], words[3], words[4]));
    }
    return containers;
  }

  /** The ids of executors' containers by pod, whoever has made them. */
  static Map<String, String> idsOfExecutors(String selector) {
    Map<String, String> ids = new TreeMap<>();
    for (JsonNode pod : Lab.list("pods", selector)) {
      for (JsonNode container : pod.at("/status/containerStatuses")) {
        if (container.path("name").asText().equals(EXECUTOR) && container.has("containerID")) {
          ids.put(
              pod.at("/metadata/name").asText(),
              container.path("containerID").asText().replaceFirst(".*/", ""));
        }
      }
    }
    return ids;
  }

  /** The containers of running executors by pod. */
  static Map<String, Container> executors(String selector) {
    Map<String, Container> containers = containers();
    Map<String, Container> executors = new TreeMap<>();
    idsOfExecutors(selector)
        .forEach(
            (pod, id) -> {
              if (containers.containsKey(id)) {
                executors.put(pod, containers.get(id));
              }
            });
    return executors;
  }

  static JsonNode topology() {
    return Lab.get(TOPOLOGY, NodeTools.NODE);
  }

  static JsonNode awaitTopology(Predicate<JsonNode> wanted) {
    return Lab.awaitObject(TOPOLOGY, NodeTools.NODE, START, wanted);
  }

  static void awaitPinner(String status) {
    awaitTopology(
        node -> Lab.condition(node, "PinnerConnected").path("status").asText().equals(status));
  }

  /** The pinner says that so many slots can be taken. */
  static void awaitFreeSlots(int number) {
    awaitTopology(node -> node.at("/status/pinner/freeSlots").size() == number);
  }

  /** The layout's slots. */
  static List<CpuSet> slots() {
    List<CpuSet> slots = new ArrayList<>();
    topology()
        .at("/spec/pins/slots")
        .forEach(slot -> slots.add(CpuSet.parse(slot.path("cpus").asText())));
    assertThat(slots).isNotEmpty();
    return slots;
  }

  static String shared() {
    return topology().at("/spec/pins/sharedCpus").asText();
  }

  /** Pods whose executors have CPUs of their own, by the word of the pinner. */
  static Set<String> served() {
    Set<String> pods = new TreeSet<>();
    for (JsonNode executor : topology().at("/status/pinner/executors")) {
      if (SERVED.contains(executor.path("outcome").asText())) {
        pods.add(executor.path("pod").asText());
      }
    }
    return pods;
  }

  /**
   * Only executors run on CPUs of slots, each alone.
   *
   * @param executors selects their pods
   * @param others CPUs beside those of the layout's slots that only executors may have
   */
  static void assertNobodyElseIsOnSlots(String executors, Collection<CpuSet> others) {
    CpuSet guarded = CpuSet.unionOf(Stream.concat(slots().stream(), others.stream()).toList());
    // Read before, so that no container is a stranger only because it is new.
    Map<String, Container> containers = containers();
    Collection<String> ids = idsOfExecutors(executors).values();
    CpuSet taken = CpuSet.EMPTY;
    for (Map.Entry<String, Container> container : containers.entrySet()) {
      CpuSet here = container.getValue().set().intersect(guarded);
      if (!here.isEmpty()) {
        assertThat(ids).as("executors; %s is on %s", container, here).contains(container.getKey());
        assertThat(here.intersects(taken)).as("%s has CPUs of another", container).isFalse();
        taken = taken.union(here);
      }
    }
  }

  static void awaitNobodyElseIsOnSlots(String executors, Collection<CpuSet> others) {
    await("others to leave the slots")
        .atMost(START)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertNobodyElseIsOnSlots(executors, others));
  }

  /** Every container has all CPUs and the memory of all NUMA nodes. */
  static void awaitAllForAll() {
    int cpus = NodeTools.numactl().values().stream().mapToInt(node -> node.cpus().size()).sum();
    int numaNodes = NodeTools.numactl().size();
    await("all containers to have all CPUs and all memory again")
        .atMost(START)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () ->
                assertThat(containers().values())
                    .isNotEmpty()
                    .allSatisfy(
                        container -> {
                          assertThat(container.cpus()).isEqualTo("0-" + (cpus - 1));
                          assertThat(container.memoryNodes()).isEqualTo("0-" + (numaNodes - 1));
                        }));
  }

  static void awaitRunning(String pod) {
    Lab.awaitObject(
        "pod", pod, START, found -> found.at("/status/phase").asText().equals("Running"));
  }

  /** A pod of somebody else, which prints where its first process may run. */
  static String foreignPod(String name, String app) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, labels: {app: %s}}
        spec:
          terminationGracePeriodSeconds: 1
          nodeName: numa-0
          tolerations: [{key: numaspark.io/pinned, operator: Exists}]
          automountServiceAccountToken: false
          containers:
            - name: main
              image: numaspark/busybox:1
              imagePullPolicy: Never
              command: [sh, -c, "grep Cpus_allowed_list /proc/self/status; exec sleep 3600"]
        """
        .formatted(name, app);
  }

  /**
   * A pod that is an executor to scheduler, operator and pinner, and starts within a second.
   *
   * @param slots what it asks the pinner for
   * @param requested what it requests of the scheduler; empty for nothing
   */
  static String executorPod(String name, String app, int slots, String requested) {
    String resource =
        requested.isEmpty() ? "" : ", slots.numaspark.io/dual-socket: \"%s\"".formatted(requested);
    return """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          labels: {app: %s}
          annotations: {numaspark.io/pin: dual-socket, numaspark.io/pin-slots: "%d"}
        spec:
          terminationGracePeriodSeconds: 1
          nodeSelector: {node.example.com/pool: spark-metal}
          tolerations: [{key: numaspark.io/pinned, operator: Exists}]
          automountServiceAccountToken: false
          containers:
            - name: spark-kubernetes-executor
              image: numaspark/busybox:1
              imagePullPolicy: Never
              command: [sh, -c, "grep Cpus_allowed_list /proc/self/status; exec sleep 3600"]
              resources:
                requests: {cpu: "1", memory: 64Mi%s}
                limits: {memory: 64Mi%s}
        """
        .formatted(name, app, slots, resource, resource);
  }
}
