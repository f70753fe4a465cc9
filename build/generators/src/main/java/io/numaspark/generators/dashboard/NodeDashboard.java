package io.numaspark.generators.dashboard;

import static io.numaspark.generators.dashboard.Dashboard.line;

import io.numaspark.generators.dashboard.Dashboard.Row;
import io.numaspark.generators.dashboard.Dashboard.Variable;
import java.util.List;

/** What happens on one node, from what its agent and the API server tell by kube-state-metrics. */
final class NodeDashboard {
  private static final String ON = "{node=~\"$node\"}";

  /** Pods that have ended keep their requests until they are deleted. */
  private static final String ALIVE =
      " * on (namespace, pod) group_left () max by (namespace, pod) (kube_pod_status_phase{phase=~\"Pending|Running\"} == 1)";

  private NodeDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "node",
        "numaspark node (NUMA)",
        "Of a node: is pinning working, is it worth it, what is stranded, what is failing and why.",
        List.of(new Variable("node", "Node", "kube_sparknodetopology_info")),
        List.of(pinning(), worth(), stranded(), failing()));
  }

  private static Row pinning() {
    return new Row(
        "Is pinning working",
        List.of(
            line(
                Panel.stat("Containers with CPUs of their own", "none")
                    .counted()
                    .asks(
                        "containers",
                        "count(kube_sparknodetopology_exclusive_info" + ON + ") or vector(0)")
                    .says(
                        """
                        Containers to which the kubelet or the pinner has given CPUs that no other container may use. Bad: fewer than the executors \
                        that run on the node; the dashboard of the application has the reason.
                        """),
                Panel.stat("Last report of the agent", "s")
                    .from(360, "orange")
                    .from(600, "red")
                    .asks(
                        "before",
                        "max(time() - kube_sparknodetopology_heartbeat_time_seconds" + ON + ")")
                    .says(
                        """
                        Time since the node's agent has written its status; it does so every five minutes at least. Bad: more than \
                        ten minutes; nothing that it has said is used any more. No data: the node is described by hand.
                        """),
                Panel.stat("What the agent cannot do", "none")
                    .counted()
                    .from(1, "red")
                    .asks(
                        "conditions",
                        "count(kube_sparknodetopology_condition_info{node=~\"$node\", status!=\"True\"}) or vector(0)")
                    .says(
                        """
                        Conditions of the SparkNodeTopology that are not True. Bad: anything above 0; the reasons are at the end of \
                        this dashboard, and docs/agent.md has a remedy for each.
                        """)),
            line(
                Panel.names("Kubelet: CPUs, memory, topology")
                    .asks(
                        "{{cpu_manager}}, {{memory_manager}}, {{topology_manager}}",
                        "count by (cpu_manager, memory_manager, topology_manager) (kube_sparknodetopology_info"
                            + ON
                            + ")")
                    .says(
                        """
                        Policies of the kubelet's CPU manager, memory manager and topology manager. Good: static, Static, \
                        single-numa-node if the kubelet pins; none, None if the container runtime pins. Bad: anything else; \
                        executors or their memory are then not pinned (docs/nodes.md, docs/kubelet-settings.md).
                        """),
                Panel.names("Who has which CPUs")
                    .asks(
                        "{{pod}}: CPUs {{cpus}}, memory {{memory_nodes}}",
                        "max by (pod, cpus, memory_nodes) (kube_sparknodetopology_exclusive_info"
                            + ON
                            + ")")
                    .says(
                        """
                        Pods with CPUs of their own, the CPUs, and the NUMA nodes of the memory that they may use. Bad: several NUMA \
                        nodes for one pod; if the kubelet pins, set the topology manager to single-numa-node. Empty: nobody has any.
                        """)),
            line(
                Panel.series("Containers with CPUs of their own, by NUMA node", "none")
                    .counted()
                    .stack()
                    .asks(
                        "memory of {{memory_nodes}}",
                        "count by (memory_nodes) (kube_sparknodetopology_exclusive_info" + ON + ")")
                    .says(
                        """
                        Containers with CPUs of their own, by the NUMA nodes whose memory they have. Bad: one NUMA node is empty \
                        for long while the other is full, or a line names several.
                        """),
                Panel.series("Memory of NUMA nodes", "bytes")
                    .asks(
                        "{{node}}: {{numa_node}}",
                        "max by (node, numa_node) (kube_sparknodetopology_memory_bytes" + ON + ")")
                    .says(
                        """
                        Memory of each NUMA node as the agent reads it. Bad: different numbers where the machine has the same \
                        modules everywhere: one is broken or missing.
                        """))));
  }

  private static Row worth() {
    return new Row(
        "Is it worth it",
        List.of(
            line(
                Panel.series("Memory on the own NUMA nodes", "percent")
                    .asks(
                        "{{pod}}",
                        "max by (pod) (kube_sparknodetopology_local_memory_percent" + ON + ")")
                    .says(
                        """
                        Share of each pod's anonymous memory that is on the NUMA nodes of its CPUs. Bad: below 90; the memory \
                        manager is not Static, or page cache filled the NUMA node before the pod started.
                        """),
                Panel.series("Waiting for CPU quota", "percent")
                    .asks(
                        "{{pod}}",
                        "max by (pod) (kube_sparknodetopology_throttled_percent" + ON + ")")
                    .says(
                        """
                        Share of the periods in which each pod waited for CPU quota. Bad: above 0; CPUs of their own need no quota \
                        (docs/alerts.md).
                        """)),
            line(
                Panel.series("Instructions per cycle", "none")
                    .asks("{{pod}}", rate("instructions") + " / " + rate("cycles"))
                    .says(
                        """
                        Instructions that each pod's CPUs have retired per cycle. Empty unless agents count (docs/counters.md) and the \
                        processor has counters. Bad: lower than in another arm of a trial, or falling while stalls rise; the executor \
                        waits for memory.
                        """),
                Panel.series("Accesses to other NUMA nodes, and stalls", "percentunit")
                    .asks(
                        "{{pod}}: remote",
                        rate("remote_accesses")
                            + " / ("
                            + rate("local_accesses")
                            + " + "
                            + rate("remote_accesses")
                            + ")")
                    .asks("{{pod}}: stalled", rate("stalled_slots") + " / " + rate("slots"))
                    .says(
                        """
                        Share of the cache lines from memory that came from another socket or NUMA node, and share of the slots in \
                        which the backend had no room. Empty unless agents count (docs/counters.md) and the processor has such \
                        events. Bad: remote accesses above 10 %; see the memory policy and the page cache.
                        """),
                Panel.series("Waiting for a CPU, memory or a disk", "percentunit")
                    .asks("{{pod}}: CPU", rate("cpu_wait_milliseconds") + " / 1000")
                    .asks("{{pod}}: memory", rate("memory_wait_milliseconds") + " / 1000")
                    .asks("{{pod}}: disk", rate("io_wait_milliseconds") + " / 1000")
                    .says(
                        """
                        Share of time in which at least one thread of each pod waited (PSI). Empty unless agents count \
                        (docs/counters.md). Bad: waits for a CPU most of the time; there are more threads than CPUs, or another pod \
                        uses them.
                        """)),
            line(
                Panel.series("Read from memory", "Bps")
                    .asks(
                        "{{pod}}",
                        "64 * (" + rate("local_accesses") + " + " + rate("remote_accesses") + ")")
                    .says(
                        """
                        Bytes that each pod's CPUs have read from memory a second: 64 for each cache line. Without writes, and on                         some processors without prefetches (docs/counters.md). Empty unless agents count and the processor has such                         events. Bad: the sum is near what the memory of a socket can do; more executors then gain nothing.
                        """),
                Panel.series("GC share on all nodes, by profile", "percentunit")
                    .asks("{{profile}}", "avg by (profile) (numaspark:gc_share:mean)")
                    .says(
                        """
                        Share of time in which executors stand still to collect garbage, of all applications with the Spark plugin \
                        by profile; none: they are not pinned. A driver reports one number for all of its executors, so this is not \
                        of the chosen node alone. Bad: a profile is above none; compare the heap of its executors.
                        """),
                Panel.series("CPU seconds per GiB of input on all nodes, by profile", "s")
                    .asks(
                        "{{profile}}",
                        "sum by (profile) (numaspark:task_cpu_seconds:rate5m) / (sum by (profile) (numaspark:input_bytes:rate5m) > 0) * 2^30")
                    .says(
                        """
                        CPU time that tasks take for a GiB of input, of all applications with the Spark plugin by profile; none: \
                        they are not pinned. Comparable only for the same kind of work. Bad: a profile is above none.
                        """))));
  }

  private static Row stranded() {
    return new Row(
        "What is stranded",
        List.of(
            line(
                Panel.series("Slots", "none")
                    .counted()
                    .asks(
                        "{{resource}}: total",
                        "sum by (resource) (kube_node_status_allocatable{node=~\"$node\", resource=~\"slots_numaspark_io_.+\"})")
                    .asks(
                        "{{resource}}: used",
                        "sum by (resource) (kube_pod_container_resource_requests{node=~\"$node\", resource=~\"slots_numaspark_io_.+\"}"
                            + ALIVE
                            + ")")
                    .says(
                        """
                        Executor slots that the node publishes, and those that pods on it have. Bad: used stays far below total \
                        while applications wait: their executors do not fit in another way; see the events of the pods.
                        """),
                Panel.series("CPUs that no pod requests", "suffix: CPUs")
                    .asks(
                        "{{node}}",
                        "sum by (node) (kube_node_status_allocatable{node=~\"$node\", resource=\"cpu\"}) - sum by (node) (kube_pod_container_resource_requests{node=~\"$node\", resource=\"cpu\"}"
                            + ALIVE
                            + ")")
                    .says(
                        """
                        Allocatable CPUs less what the pods on the node request. Bad: more than a slot has, while all slots are \
                        used: they are left over in each NUMA node; 'numaspark plan --explain' compares executor sizes.
                        """),
                Panel.series("Stranded CPUs of all nodes, by profile", "none")
                    .counted()
                    .asks("{{profile}}", "sum by (profile) (numaspark_stranded_cpus)")
                    .says(
                        """
                        CPUs of each profile's nodes that are neither reserved nor in a slot, as the operator counts them; not of \
                        the chosen node alone. Bad: more than a slot's worth on each node.
                        """))));
  }

  private static Row failing() {
    return new Row(
        "What is failing, and why",
        List.of(
            line(
                Panel.series("The node takes no executors", "none")
                    .counted()
                    .asks(
                        "{{node}} {{reason}}",
                        "count by (node, reason) (kube_sparknodeprofile_unusable_node_info"
                            + ON
                            + ") or label_replace(vector(0), \"reason\", \"none\", \"\", \"\")")
                    .says(
                        """
                        Profiles that select the node and cannot use it, by the finding. Bad: anything above 0; docs/findings.md has \
                        a remedy for each. A profile names its first 20 such nodes only.
                        """),
                Panel.series("Slots are withheld", "none")
                    .counted()
                    .asks(
                        "{{node}} {{reason}}",
                        "count by (node, reason) (kube_sparknodeprofile_withheld_node_info"
                            + ON
                            + ") or label_replace(vector(0), \"reason\", \"none\", \"\", \"\")")
                    .says(
                        """
                        Profiles whose free slots on the node are withheld, because its kubelet rejected executors, by the kubelet's \
                        reason. Bad: for half an hour; docs/slots.md. A profile names its first 20 such nodes only.
                        """)),
            line(
                Panel.series("The agent, by condition", "none")
                    .counted()
                    .asks(
                        "{{condition}} {{status}}: {{reason}}",
                        "count by (condition, status, reason) (kube_sparknodetopology_condition_info"
                            + ON
                            + ")")
                    .says(
                        """
                        What the agent could read and set, by condition, status and reason. Bad: any status but True; docs/agent.md \
                        has a remedy for each reason.
                        """),
                Panel.series("Knobs by state", "none")
                    .counted()
                    .asks(
                        "{{knob}}: {{state}}",
                        "count by (knob, state) (kube_sparknodetopology_knob_info"
                            + ON
                            + ") or label_replace(vector(0), \"state\", \"none is wanted\", \"\", \"\")")
                    .says(
                        """
                        Prefetch and memory settings of the node by state. Bad: Drifted (another program changes it) and Failed (it \
                        cannot be written); the status of the SparkNodeTopology says why.
                        """))));
  }

  /** Of what only grows while a pod runs; agents write it once a minute. */
  private static String rate(String count) {
    return "sum by (pod) (rate(kube_sparknodetopology_" + count + ON + "[5m]))";
  }
}
