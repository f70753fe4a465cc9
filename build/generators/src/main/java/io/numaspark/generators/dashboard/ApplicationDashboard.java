package io.numaspark.generators.dashboard;

import static io.numaspark.generators.dashboard.Dashboard.line;

import io.numaspark.generators.dashboard.Dashboard.Row;
import io.numaspark.generators.dashboard.Dashboard.Variable;
import java.util.List;

/**
 * Whether an application is pinned and what that is worth, from its status by kube-state-metrics
 * and from the Spark plugin in its driver.
 */
final class ApplicationDashboard {
  private static final String CHOSEN = "namespace=~\"$namespace\", application=~\"$application\"";
  private static final String OF = "{" + CHOSEN + "}";

  private ApplicationDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "application",
        "numaspark application",
        "Of an application: is pinning working, is it worth it (before and after), what is stranded, what is failing and why.",
        List.of(
            new Variable("namespace", "Namespace", "kube_sparkapplication_info"),
            new Variable(
                "application",
                "Application",
                "kube_sparkapplication_info{namespace=~\"$namespace\"}")),
        List.of(pinning(), worth(), resources(), stranded(), failing()));
  }

  private static String sum(String metric) {
    return "sum(" + metric + OF + ")";
  }

  /** NaN means that it is not known. */
  private static String known(String aggregate, String metric) {
    return aggregate + " by (application) (" + metric + OF + " >= 0)";
  }

  /** What was recorded with the profile that the application had then, over the time shown. */
  private static String average(String record) {
    return "avg_over_time(" + record + OF + "[$__range])";
  }

  private static Row pinning() {
    return new Row(
        "Is pinning working",
        List.of(
            line(
                Panel.stat("Executors running", "none")
                    .counted()
                    .asks("running", sum("kube_sparkapplication_executors_running"))
                    .says(
                        """
                        Executors of the chosen applications that run. Bad: 0 while the application is RUNNING; see what it wants, \
                        below.
                        """),
                Panel.stat("Proven pinned", "none")
                    .counted()
                    .asks("pinned", sum("kube_sparkapplication_executors_pinned"))
                    .says(
                        """
                        Executors whose CPUs are exclusive whole cores of one NUMA node, with memory of that node. Bad: fewer than \
                        run. 0 is right for an application without a nodeProfile.
                        """),
                Panel.stat("Not pinned", "none")
                    .counted()
                    .from(1, "red")
                    .asks("not pinned", sum("kube_sparkapplication_executors_not_pinned"))
                    .says(
                        """
                        Executors that are proven not to be pinned. Bad: anything above 0; 'kubectl describe sparkapplications.numaspark.io' names \
                        the setting to change for each.
                        """),
                Panel.stat("Not proven", "none")
                    .counted()
                    .from(1, "orange")
                    .asks("not proven", sum("kube_sparkapplication_executors_unknown"))
                    .says(
                        """
                        Executors of which it is not known. Normal for about a minute after they start. Bad: for longer; \
                        docs/pinning.md.
                        """)),
            line(
                Panel.names("Verdict")
                    .asks(
                        "{{application}}: {{status}}, {{reason}}",
                        "max by (application, status, reason) (kube_sparkapplication_condition_info{"
                            + CHOSEN
                            + ", condition=\"Pinned\"})")
                    .says(
                        """
                        The condition Pinned of each application with a nodeProfile, and its reason. Bad: False; docs/metrics.md has \
                        a remedy for each reason.
                        """)),
            line(
                Panel.series("Executors, as the operator reports", "none")
                    .counted()
                    .asks("wanted", sum("kube_sparkapplication_executors_wanted"))
                    .asks("running", sum("kube_sparkapplication_executors_running"))
                    .asks("pinned", sum("kube_sparkapplication_executors_pinned"))
                    .asks("not pinned", sum("kube_sparkapplication_executors_not_pinned"))
                    .asks("not proven", sum("kube_sparkapplication_executors_unknown"))
                    .says(
                        """
                        Executors by the operator's verdict, from the reports of the kubelet or the pinner, the kernel and the executor. Bad: \
                        pinned stays below running.
                        """),
                Panel.series("Executors, as they report themselves", "none")
                    .counted()
                    .stack()
                    .asks("pinned", sum("numaspark_facts_executorsPinned"))
                    .asks("CPUs span NUMA nodes", sum("numaspark_facts_executorsCpusSpanNodes"))
                    .asks(
                        "memory spans NUMA nodes", sum("numaspark_facts_executorsMemorySpansNodes"))
                    .asks("on all CPUs", sum("numaspark_facts_executorsOnAllCpus"))
                    .asks("unknown", sum("numaspark_facts_executorsPinningUnknown"))
                    .says(
                        """
                        Executors by the CPUs and memory that the kernel allows them, as the Spark plugin reads it. Bad: anything \
                        but pinned. No data: the application runs without the plugin, or its driver is not scraped \
                        (docs/metrics.md).
                        """))));
  }

  private static Row worth() {
    return new Row(
        "Is it worth it: before and after, by profile",
        List.of(
            line(
                Panel.stat("GC share", "percentunit")
                    .asks(
                        "{{profile}}",
                        "avg by (profile) (" + average("numaspark:gc_share:mean") + ")")
                    .says(
                        """
                        Share of time in which executors stood still to collect garbage, over the time shown, for each profile that \
                        the chosen applications had in it; none: without one. Take a time range with runs before and after, or \
                        choose two applications. Bad: higher with a profile than without.
                        """),
                Panel.stat("Memory locality", "percentunit")
                    .asks(
                        "{{profile}}",
                        "avg by (profile) (" + average("numaspark:page_locality:mean") + ")")
                    .says(
                        """
                        Share of executors' pages on the NUMA nodes of their CPUs, over the time shown, by profile. Not pinned \
                        executors may use all CPUs, so all their memory counts as local: compare it with 1 divided by the number of \
                        NUMA nodes there. Bad: below 90 % with a profile.
                        """),
                Panel.stat("CPU seconds per GiB of input", "s")
                    .asks(
                        "{{profile}}",
                        "sum by (profile) ("
                            + average("numaspark:task_cpu_seconds:rate5m")
                            + ") / (sum by (profile) ("
                            + average("numaspark:input_bytes:rate5m")
                            + ") > 0) * 2^30")
                    .says(
                        """
                        CPU time of tasks for each GiB that they read as input, over the time shown, by profile: what the same work \
                        costs. Bad: higher with a profile than without, for the same work. No data: nothing was read, or the driver \
                        is not scraped.
                        """)),
            line(
                Panel.series("GC share over time", "percentunit")
                    .asks("{{application}}: mean", known("max", "numaspark_facts_gcShareMean"))
                    .asks("{{application}}: worst", known("max", "numaspark_facts_gcShareMax"))
                    .says(
                        """
                        Share of time in which executors stand still to collect garbage: their mean, and the worst of them. Bad: \
                        above 10 % for long; give executors more memory, or let them run fewer tasks.
                        """),
                Panel.series("Memory locality over time", "percentunit")
                    .asks("{{application}}: mean", known("max", "numaspark_facts_pageLocalityMean"))
                    .asks("{{application}}: worst", known("min", "numaspark_facts_pageLocalityMin"))
                    .says(
                        """
                        Share of executors' pages on the NUMA nodes of their CPUs. Bad: below 90 % for pinned executors. Kubelet: set \
                        memoryManagerPolicy to Static. Container runtime: set spec.pinning.memory of the profile to Bind.
                        """),
                Panel.series("CPU seconds per GiB of input over time", "s")
                    .asks(
                        "{{application}} {{profile}}",
                        "sum by (application, profile) (numaspark:task_cpu_seconds:rate5m"
                            + OF
                            + ") / (sum by (application, profile) (numaspark:input_bytes:rate5m"
                            + OF
                            + ") > 0) * 2^30")
                    .says(
                        """
                        CPU time of tasks for each GiB of input, over five minutes; a line ends where nothing is read. It follows \
                        the stages of a job, so compare the same stages. Bad: it rises for the same work.
                        """))));
  }

  private static Row resources() {
    return new Row(
        "What executors wait for",
        List.of(
            line(
                Panel.series("Waiting for a CPU", "percentunit")
                    .asks("{{application}}: mean", known("max", "numaspark_facts_runQueueWaitMean"))
                    .asks("{{application}}: worst", known("max", "numaspark_facts_runQueueWaitMax"))
                    .says(
                        """
                        Of the time in which threads were ready to run, the share in which they waited for a CPU. Bad: above 10 % \
                        for long: others use the same CPUs, or there are more tasks than CPUs.
                        """),
                Panel.series("Waiting for CPU quota", "suffix: CPUs")
                    .asks(
                        "{{application}}",
                        "sum by (application) (rate(numaspark_facts_throttledSeconds"
                            + OF
                            + "[$__rate_interval]) >= 0)")
                    .says(
                        """
                        CPUs that executors would have used, and were kept from by a quota. Bad: anything above 0 for pinned \
                        executors (docs/alerts.md).
                        """),
                Panel.series("Tasks at once", "none")
                    .asks("{{application}}", known("sum", "numaspark_facts_tasksRunning"))
                    .says(
                        """
                        Tasks that run at once, all executors together. Bad: far below what the executors could run, for long: too \
                        few partitions, or a task that is much longer than the others.
                        """))));
  }

  private static Row stranded() {
    return new Row(
        "What is stranded",
        List.of(
            line(
                Panel.series("CPUs of executors, and in use", "suffix: CPUs")
                    .asks(
                        "{{application}}: has",
                        "sum by (application) (kube_sparkapplication_executors_running"
                            + OF
                            + " * kube_sparkapplication_executor_cpus"
                            + OF
                            + ")")
                    .asks("{{application}}: uses", known("sum", "numaspark_facts_cpusUsed"))
                    .says(
                        """
                        CPUs that the running executors have, and those that they use. Bad: far apart for long; nobody else may use \
                        exclusive CPUs. Request fewer executors, let them come and go (dynamicAllocation), or see docs/adaptive.md.
                        """),
                Panel.series("Executors that are not there", "none")
                    .counted()
                    .asks(
                        "{{application}}",
                        "sum by (application) (kube_sparkapplication_executors_wanted"
                            + OF
                            + " - kube_sparkapplication_executors_running"
                            + OF
                            + ")")
                    .says(
                        """
                        Executors that the application wants and does not have. Bad: above 0 for minutes: no slot is free; see the \
                        slots of the fleet. They come by themselves when others end.
                        """))));
  }

  private static Row failing() {
    return new Row(
        "What is failing, and why",
        List.of(
            line(
                Panel.names("State")
                    .asks(
                        "{{application}}: {{state}}",
                        "max by (application, state) (kube_sparkapplication_state_info" + OF + ")")
                    .says(
                        """
                        State of each application. Bad: FAILED, SUBMISSION_FAILED; SUBMITTED for minutes. \
                        docs/lifecycle.md has what each means.
                        """),
                Panel.names("Ready")
                    .asks(
                        "{{application}}: {{status}}, {{reason}}",
                        "max by (application, status, reason) (kube_sparkapplication_condition_info{"
                            + CHOSEN
                            + ", condition=\"Ready\"})")
                    .says(
                        """
                        The condition Ready of each application, and its reason. Bad: False; the message of the condition, in \
                        'kubectl describe sparkapplications.numaspark.io', has the remedy.
                        """)),
            line(
                Panel.series("Executors failed and rejected", "none")
                    .counted()
                    .asks("failed", sum("kube_sparkapplication_executors_failed"))
                    .asks("rejected", sum("kube_sparkapplication_executors_rejected"))
                    .says(
                        """
                        Executors that have failed, and that kubelets have refused. Bad: either rises. Failed: read the executor's \
                        log; OOMKilled calls for more memory. Rejected: docs/slots.md.
                        """),
                Panel.series("Attempts", "none")
                    .counted()
                    .asks(
                        "{{application}}",
                        "max by (application) (kube_sparkapplication_attempts" + OF + ")")
                    .says(
                        """
                        How often each application has been run. Bad: it rises without a change of its specification: the driver \
                        fails and is started again; status.attempts has the reasons.
                        """))));
  }
}
