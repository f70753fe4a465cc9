package io.numaspark.generators.dashboard;

import static io.numaspark.generators.dashboard.Dashboard.line;

import io.numaspark.generators.dashboard.Dashboard.Row;
import java.util.List;

/** Whether pinning works, what is stranded, and what fails, over all profiles. */
final class FleetDashboard {
  private FleetDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "fleet",
        "numaspark fleet",
        "Is pinning working, how are the slots used, what is stranded, what is wrong with nodes, and what do the applications do.",
        List.of(
            new Row(
                "Is pinning working",
                List.of(
                    line(
                        Panel.stat("Executors proven pinned", "none")
                            .counted()
                            .asks("pinned", "sum(numaspark_executors{pinned=\"True\"})")
                            .says(
                                """
                                Running executors of applications with a nodeProfile whose CPUs are exclusive whole cores of one \
                                NUMA node and whose memory comes from that node. Bad: lower than the number of running executors. \
                                Then read the two numbers to the right, and the reasons below.
                                """),
                        Panel.stat("Executors not pinned", "none")
                            .counted()
                            .from(1, "red")
                            .asks(
                                "not pinned",
                                "sum(numaspark_executors) - sum(numaspark_executors{pinned=~\"True|Unknown\"})")
                            .says(
                                """
                                Running executors that are proven not to be pinned. Bad: anything above 0; they compete for CPUs or \
                                read memory across sockets. Look up the reason in the graph below, then the executor in 'kubectl \
                                describe sparkapplications.numaspark.io': its message names the setting to change.
                                """),
                        Panel.stat("Executors not proven", "none")
                            .counted()
                            .from(1, "orange")
                            .asks(
                                "not proven",
                                "sum(numaspark_executors{pinned=~\"True|Unknown\"}) - sum(numaspark_executors{pinned=\"True\"})")
                            .says(
                                """
                                Running executors of which it is not known whether they are pinned. Normal for about a minute after \
                                they start. Bad: above 0 for longer; the reasons below show whether the driver does not answer, the \
                                executor has not registered or did not report, or its node has no topology in the plan.
                                """),
                        Panel.stat("Rejected executors", "none")
                            .counted()
                            .from(1, "red")
                            .asks(
                                "rejected",
                                "sum(increase(numaspark_rejected_executors_total[$__range]))")
                            .says(
                                """
                                Executors with a nodeProfile that a kubelet refused in the time shown although the scheduler had \
                                placed them. The free slots of such a node are withheld for a while, from 30 seconds to 10 minutes. \
                                Bad: anything above 0; see the reasons below, and the condition SlotsWithheld of the profile for the \
                                nodes.
                                """)),
                    line(
                        Panel.stat("Executors far from their memory", "none")
                            .counted()
                            .from(1, "orange")
                            .asks("executors", "sum(numaspark_executors_remote_memory)")
                            .says(
                                """
                                Running executors with a tenth of their memory or more on other NUMA nodes than their CPUs, as \
                                agents report. Bad: anything above 0. Kubelet: set memoryManagerPolicy to Static. Container runtime: \
                                set spec.pinning.memory of the profile to Bind. Both: see the knobs of the memory policy.
                                """),
                        Panel.stat("Executors throttled", "none")
                            .counted()
                            .from(1, "orange")
                            .asks("executors", "sum(numaspark_executors_throttled)")
                            .says(
                                """
                                Running executors that waited for CPU quota in a tenth of the periods or more. Bad: anything above \
                                0; exclusive CPUs need no quota (docs/alerts.md).
                                """),
                        Panel.stat("Executors that read the memory of others", "none")
                            .counted()
                            .from(1, "orange")
                            .asks("executors", "sum(numaspark_executors_remote_accesses)")
                            .asks("counted", "sum(numaspark_executors_counted)")
                            .says(
                                """
                                Running executors of whose accesses to memory a tenth or more went to another socket or NUMA node, and \
                                executors of which agents count something (docs/counters.md). Bad: executors above 0; see the \
                                memory policy and the page cache.
                                """)),
                    line(
                        Panel.series("Running executors by pinning and reason", "none")
                            .counted()
                            .stack()
                            .asks(
                                "{{pinned}}: {{reason}}",
                                "sum by (pinned, reason) (numaspark_executors)")
                            .says(
                                """
                                Running executors of applications with a nodeProfile, by verdict and reason. Bad: any line that \
                                begins with False. SharedCpus: the executor shares CPUs. Kubelet: every container needs equal requests \
                                and limits, and the kubelet cpuManagerPolicy static. Container runtime: see status.pinner of the \
                                node's SparkNodeTopology. SpansNumaNodes: set the kubelet's \
                                topologyManagerPolicy to single-numa-node. MemorySpansNumaNodes: set memoryManagerPolicy to Static. \
                                PartialCores: set the CPU manager option full-pcpus-only. CpusNotExclusive: compare the kubelet's \
                                cpu_manager_state. Unknown: DriverNotAnswering (check network policies and the driver), \
                                NotRegistered (the executor is starting), NotReported (the image does not start through its \
                                entrypoint), NoTopology (the node is not in the profile's plan).
                                """),
                        Panel.series("Rejected executors by reason", "none")
                            .counted()
                            .asks(
                                "{{reason}}",
                                "sum by (reason) (increase(numaspark_rejected_executors_total[$__rate_interval]))")
                            .says(
                                """
                                Executors with a nodeProfile that a kubelet refused. Bad: any line above 0. TopologyAffinityError: \
                                no single NUMA node had enough free CPUs or memory; look for other pods with whole CPUs on these \
                                nodes and compare the reserved CPUs in the SparkNodeTopology with the kubelet's. SMTAlignmentError: \
                                the executor does not request whole cores. OutOfcpu and OutOfmemory: the node was full, often \
                                because of pods that bypass the scheduler. UnexpectedAdmissionError: read the kubelet's log; a stale \
                                cpu_manager_state is the usual cause.
                                """)))),
            new Row(
                "Slots",
                List.of(
                    line(
                        Panel.stat("Slots", "none")
                            .counted()
                            .at("red")
                            .from(1, "green")
                            .asks("slots", "sum(numaspark_slots)")
                            .says(
                                """
                                Executor slots that all profiles offer on all their nodes. Bad: 0, or a sudden drop: nodes left, \
                                lost their labels, or a profile can no longer be planned. Read the conditions of 'kubectl get \
                                sparknodeprofiles.numaspark.io'. No data: no profile exists, or the operator is down.
                                """),
                        Panel.stat("Slots used", "none")
                            .counted()
                            .asks("used", "sum(numaspark_slots_used)")
                            .says(
                                """
                                Slots that pods bound to a node request. Bad: higher than the number of slots; a profile was changed \
                                to fewer or larger executors while older ones still run. It corrects itself when they end.
                                """),
                        Panel.gauge("Slots in use")
                            .from(0.9, "orange")
                            .asks(
                                "in use",
                                "sum(numaspark_slots_used) / clamp_min(sum(numaspark_slots), 1)")
                            .says(
                                """
                                Share of all slots that is taken. Bad: close to 100 % for long while applications wait; add nodes, \
                                or let applications request fewer executors. Close to 0 % for long: the nodes are reserved for \
                                nothing.
                                """)),
                    line(
                        Panel.series("Slots by profile", "none")
                            .counted()
                            .asks("{{profile}}: total", "sum by (profile) (numaspark_slots)")
                            .asks("{{profile}}: used", "sum by (profile) (numaspark_slots_used)")
                            .asks("{{profile}}: free", "sum by (profile) (numaspark_slots_free)")
                            .asks("{{profile}}: lost", "sum by (profile) (numaspark_slots_lost)")
                            .asks(
                                "{{profile}}: withheld",
                                "sum by (profile) (numaspark_slots_withheld)")
                            .says(
                                """
                                Slots that each profile offers, how many are used, free, lost and withheld. Bad: used meets the total \
                                while applications wait for executors (add nodes); the total falls (see the profile's conditions and \
                                its nodes); lost is above 0 (other pods hold CPUs or memory on these nodes, or executors of a former \
                                shape still run); withheld is above 0 (a kubelet rejected executors; see the condition \
                                SlotsWithheld).
                                """)))),
            new Row(
                "Executors of others",
                List.of(
                    line(
                        Panel.stat("Executors of others not pinned", "none")
                            .counted()
                            .from(1, "red")
                            .asks(
                                "not pinned",
                                "sum(numaspark_foreign_executors{pinned=\"false\"}) or vector(0)")
                            .says(
                                """
                                Running executors of spark-submit, notebooks and other operators that have a slot and are proven not \
                                to be pinned. Bad: anything above 0; 'kubectl numaspark why POD' names the cause. Always 0 without \
                                the webhook (webhook.enabled) or without foreignPods.
                                """),
                        Panel.stat("Executors of others left as they are", "none")
                            .counted()
                            .from(1, "orange")
                            .asks(
                                "left",
                                "sum(numaspark_foreign_executors_not_injected) or vector(0)")
                            .says(
                                """
                                Executors in opted-in namespaces that got no slot. Bad: above 0 if they should be pinned; the \
                                annotation numaspark.io/not-injected of their pods has the field and the remedy.
                                """),
                        Panel.series("Executors of others by profile and pinning", "none")
                            .counted()
                            .stack()
                            .asks(
                                "{{profile}}: {{pinned}}",
                                "sum by (profile, pinned) (numaspark_foreign_executors) or label_replace(vector(0), \"profile\", \"none has a slot\", \"\", \"\")")
                            .says(
                                """
                                Running executors of others with a slot, by profile and by whether they are pinned. Bad: false for \
                                longer than a minute. unknown that lasts: the node has no agent that reports.
                                """)))),
            new Row(
                "What is stranded",
                List.of(
                    line(
                        Panel.stat("Stranded CPUs", "none")
                            .counted()
                            .asks("stranded", "sum(numaspark_stranded_cpus)")
                            .says(
                                """
                                CPUs that are neither reserved nor in a slot: the chosen executor size leaves them over on each NUMA \
                                node. Bad: more than a slot's worth of CPUs a node; run 'numaspark plan' and compare the other \
                                executor sizes, or change the CPUs that the kubelet reserves.
                                """),
                        Panel.stat("Stranded memory", "bytes")
                            .asks("stranded", "sum(numaspark_stranded_memory_bytes)")
                            .says(
                                """
                                Allocatable memory of the profiles' nodes that no slot takes. Bad: more than a slot's pod memory on \
                                a node; run 'kubectl numaspark plan --explain' and compare the other executor sizes, or give \
                                executors more memory.
                                """),
                        Panel.stat("Slots lost", "none")
                            .counted()
                            .from(1, "orange")
                            .asks("lost", "sum(numaspark_slots_lost)")
                            .says(
                                """
                                Slots that other pods than the profile's executors cost now. Bad: above 0 for long; look for pods \
                                with whole CPUs or much memory on these nodes, and keep them off with a taint.
                                """),
                        Panel.stat("Slots withheld", "none")
                            .counted()
                            .from(1, "orange")
                            .asks("withheld", "sum(numaspark_slots_withheld)")
                            .says(
                                """
                                Free slots that are withheld because a kubelet rejected executors. Bad: above 0 for half an hour; \
                                the status of the profile names the nodes and the reasons.
                                """)),
                    line(
                        Panel.series("Stranded CPUs by profile", "none")
                            .counted()
                            .asks("{{profile}}", "sum by (profile) (numaspark_stranded_cpus)")
                            .says(
                                """
                                CPUs of each profile's nodes that no executor can use. Bad: a rise after a change of the profile or \
                                of the kubelet's reserved CPUs; run 'numaspark plan' with the new values and take an executor size \
                                that divides the cores of a NUMA node better.
                                """),
                        Panel.series("Stranded memory by profile", "bytes")
                            .asks(
                                "{{profile}}", "sum by (profile) (numaspark_stranded_memory_bytes)")
                            .says(
                                """
                                Memory of each profile's nodes that no executor can use. Bad: a rise after a change of the profile, \
                                of executors' memory or of what the kubelet reserves.
                                """)))),
            new Row(
                "Nodes",
                List.of(
                    line(
                        Panel.stat("Nodes that take no executors", "none")
                            .counted()
                            .from(1, "red")
                            .asks(
                                "nodes", "sum(numaspark_findings{severity=\"Error\"}) or vector(0)")
                            .says(
                                """
                                Nodes with a finding of severity Error, counted once for each finding. Bad: anything above 0; the \
                                reasons are below, and docs/findings.md has a remedy for each.
                                """),
                        Panel.stat("Agents silent or missing", "none")
                            .counted()
                            .from(1, "orange")
                            .asks("nodes", "sum(numaspark_agent_nodes{state=~\"silent|missing\"})")
                            .says(
                                """
                                Nodes whose agent has not been heard for ten minutes, or that have none. Bad: above 0 where agents \
                                are installed: nobody proves there whether executors are pinned. Normal without agents.
                                """),
                        Panel.stat("Knobs drifted or failed", "none")
                            .counted()
                            .from(1, "orange")
                            .asks(
                                "knobs",
                                "sum(numaspark_knob_nodes{state=~\"Drifted|Failed\"}) or vector(0)")
                            .says(
                                """
                                Prefetch and memory settings that are not as their profile wants them, counted once for each node. \
                                Bad: above 0 for a quarter of an hour; the status of the SparkNodeTopology says why.
                                """)),
                    line(
                        Panel.series("Nodes with findings, by reason", "none")
                            .counted()
                            .asks(
                                "{{severity}} {{reason}}",
                                "sum by (severity, reason) (numaspark_findings) or label_replace(vector(0), \"severity\", \"none\", \"\", \"\")")
                            .says(
                                """
                                Nodes of all profiles by finding. Bad: lines that begin with Error, whose nodes take no executors; \
                                Warning: something that belongs to pinning is missing; Info: could be better. docs/findings.md has \
                                each reason with its remedy.
                                """),
                        Panel.series("Agents by state", "none")
                            .counted()
                            .stack()
                            .asks("{{state}}", "sum by (state) (numaspark_agent_nodes)")
                            .says(
                                """
                                Nodes by the state of their agent. Bad: silent or missing rise: an agent's pod is gone, or \
                                cannot write.
                                """),
                        Panel.series("Pinners by state", "none")
                            .counted()
                            .stack()
                            .asks(
                                "{{state}}",
                                "sum by (state) (numaspark_pinner_nodes) or label_replace(vector(0), \"state\", \"none is wanted\", \"\", \"\")")
                            .says(
                                """
                                Nodes that their container runtime shall pin, by the state of their pinner. Bad: anything but \
                                Connected for longer than a minute: such nodes have no free slots. The condition PinnersConnected \
                                of the profile has the reason.
                                """),
                        Panel.series("Nodes by what a reload of systemd does", "none")
                            .counted()
                            .stack()
                            .asks(
                                "{{state}}",
                                "sum by (state) (numaspark_systemd_nodes) or label_replace(vector(0), \"state\", \"nothing is known\", \"\", \"\")")
                            .says(
                                """
                                Nodes on which systemd keeps CPUs of containers. Bad: ReloadMovesContainers: the next reload \
                                moves executors to CPUs of others. The condition SystemdAgrees of the profile has the command \
                                that prevents it.
                                """),
                        Panel.series("Knobs by state", "none")
                            .counted()
                            .asks(
                                "{{knob}}: {{state}}",
                                "sum by (knob, state) (numaspark_knob_nodes) or label_replace(vector(0), \"state\", \"none is wanted\", \"\", \"\")")
                            .says(
                                """
                                Nodes by state of each knob that their profile wants. Bad: Drifted (another program changes it) and \
                                Failed (it cannot be written). Same and Differs are only compared.
                                """)))),
            new Row(
                "Applications",
                List.of(
                    line(
                        Panel.stat("Applications running", "none")
                            .counted()
                            .asks("running", "sum(numaspark_applications{state=\"RUNNING\"})")
                            .says(
                                """
                                Applications whose driver runs. Bad: 0 when there should be work; see whether they wait or failed, \
                                to the right.
                                """),
                        Panel.stat("Applications waiting", "none")
                            .counted()
                            .from(1, "orange")
                            .asks(
                                "waiting",
                                "sum(numaspark_applications{state=\"WAITING\"}) + sum(numaspark_applications{state=\"SUBMITTED\"})")
                            .says(
                                """
                                Applications that are WAITING (their profile is missing or has no slot) or SUBMITTED (the driver was \
                                created and does not run yet). Bad: above 0 for minutes; the Ready condition of the application says \
                                what it waits for.
                                """),
                        Panel.stat("Applications failed", "none")
                            .counted()
                            .from(1, "red")
                            .asks("failed", "sum(numaspark_applications{state=\"FAILED\"})")
                            .says(
                                """
                                Applications whose driver ended with an error. They count until they are deleted. Bad: a number that \
                                rises; status.applicationState.errorMessage of the application says why.
                                """),
                        Panel.stat("Submissions failed", "none")
                            .counted()
                            .from(1, "red")
                            .asks(
                                "submission failed",
                                "sum(numaspark_applications{state=\"SUBMISSION_FAILED\"})")
                            .says(
                                """
                                Applications that were refused before a driver ran: the specification contradicts itself or the \
                                profile, or the API server refused an object. Bad: anything above 0; the Ready condition of the \
                                application names the field or the missing permission.
                                """)),
                    line(
                        Panel.series("Applications by state", "none")
                            .counted()
                            .stack()
                            .asks("{{state}}", "sum by (state) (numaspark_applications)")
                            .says(
                                """
                                All applications that exist, by state. Bad: WAITING, SUBMITTED, FAILED or SUBMISSION_FAILED grow \
                                while RUNNING and COMPLETED do not. Find them with 'kubectl get sparkapplications.numaspark.io -A'.
                                """)),
                    line(
                        Panel.series("Wait for the first driver", "s")
                            .asks(
                                "{{profile}} 95th percentile",
                                "histogram_quantile(0.95, sum by (profile, le) (rate(numaspark_submit_wait_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum by (profile) (rate(numaspark_submit_wait_seconds_count[$__rate_interval]))")
                            .asks(
                                "{{profile}} median",
                                "histogram_quantile(0.5, sum by (profile, le) (rate(numaspark_submit_wait_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum by (profile) (rate(numaspark_submit_wait_seconds_count[$__rate_interval]))")
                            .says(
                                """
                                Time from the creation of an application until its first driver is submitted, by profile (empty: \
                                without one); 0 while nothing is submitted. Bad: minutes, for those with a profile: they wait for \
                                slots. More than seconds without a profile: the operator is busy, see its dashboard.
                                """),
                        Panel.series("Start of drivers", "s")
                            .asks(
                                "{{profile}} 95th percentile",
                                "histogram_quantile(0.95, sum by (profile, le) (rate(numaspark_driver_start_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum by (profile) (rate(numaspark_driver_start_seconds_count[$__rate_interval]))")
                            .asks(
                                "{{profile}} median",
                                "histogram_quantile(0.5, sum by (profile, le) (rate(numaspark_driver_start_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum by (profile) (rate(numaspark_driver_start_seconds_count[$__rate_interval]))")
                            .says(
                                """
                                Time from a driver's submission until it runs, by profile: scheduling, pulling the image, starting \
                                the container; 0 while none starts. Bad: minutes; images are pulled again on each node, or the \
                                cluster has no room for drivers.
                                """))))));
  }
}
