package io.numaspark.generators.dashboard;

import static io.numaspark.generators.dashboard.Dashboard.line;

import io.numaspark.generators.dashboard.Dashboard.Row;
import java.util.List;

/** How the operator itself is. */
final class OperatorDashboard {
  private OperatorDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "operator",
        "numaspark operator",
        "Whether the operator keeps up, what fails, and what it costs.",
        List.of(
            new Row(
                "Is it well",
                List.of(
                    line(
                        Panel.names("Version")
                            .asks("{{version}}", "count by (version) (numaspark_build_info)")
                            .says(
                                """
                                Version of the operator that is running. Bad: more than one at a time, or not the one that was \
                                installed: an upgrade is stuck; see the deployment's rollout. No data: the operator is down or not \
                                scraped.
                                """),
                        Panel.stat("Operators", "none")
                            .counted()
                            .at("red")
                            .from(1, "green")
                            .asks("operators", "count(numaspark_build_info)")
                            .says(
                                """
                                Operators that are scraped, replicas that wait for the lease included. Bad: 0: the operator is down, \
                                or Prometheus does not scrape its pod. More than the chart's replicas: there are two installations.
                                """),
                        Panel.stat("Time since start", "s")
                            .at("orange")
                            .from(600, "green")
                            .asks(
                                "since start",
                                "min(time() - (process_start_time_seconds and on (job, instance) numaspark_build_info))")
                            .says(
                                """
                                Time since the operator's process started. Bad: it stays small: the container restarts. 'kubectl \
                                describe pod' shows why; OOMKilled calls for a higher memory limit in the chart's values.
                                """)),
                    line(
                        Panel.stat("Reconcile errors in this time range", "none")
                            .counted()
                            .from(1, "orange")
                            .asks(
                                "errors",
                                "sum(increase(numaspark_reconcile_errors_total[$__range]))")
                            .says(
                                """
                                Reconciliations that ended in an exception within the time range of the dashboard. A few at a \
                                restart of the API server are normal. Bad: a number that keeps rising; the operator's log has the \
                                exception and the object.
                                """),
                        Panel.stat("Reconciliations pending", "none")
                            .counted()
                            .from(100, "orange")
                            .asks("pending", "sum(numaspark_reconcile_pending)")
                            .says(
                                """
                                Reconciliations that run or wait for a worker. Bad: above the number of workers (the chart's value, \
                                16 unless set) for minutes; see the reconciliation time below.
                                """)))),
            new Row(
                "Does it keep up",
                List.of(
                    line(
                        Panel.series("Reconciliations", "ops")
                            .asks(
                                "{{controller}}",
                                "sum by (controller) (rate(numaspark_reconcile_duration_seconds_count[$__rate_interval]))")
                            .says(
                                """
                                Reconciliations per second, by controller. 0 is normal when nothing changes. Bad: a high rate for \
                                long while nothing happens in the cluster; something else keeps changing the objects or their pods.
                                """),
                        Panel.series("Reconciliation time (95th percentile)", "s")
                            .asks(
                                "{{controller}}",
                                "histogram_quantile(0.95, sum by (controller, le) (rate(numaspark_reconcile_duration_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum by (controller) (rate(numaspark_reconcile_duration_seconds_count[$__rate_interval]))")
                            .says(
                                """
                                Time within which 95 % of the reconciliations end, by controller; 0 while there are none. Bad: \
                                seconds for long. The application controller asks the drivers where executors run, so drivers that \
                                answer slowly or not at all show here; otherwise the API server is slow, or the operator is short of \
                                CPU.
                                """),
                        Panel.series("Reconcile errors", "ops")
                            .asks(
                                "{{controller}}",
                                "sum by (controller) (rate(numaspark_reconcile_errors_total[$__rate_interval]))")
                            .says(
                                """
                                Reconciliations per second that ended in an exception and are tried again, by controller. Bad: above \
                                0 for longer than a restart of the API server takes; read the operator's log, and check its \
                                permissions if it says Forbidden.
                                """)),
                    line(
                        Panel.series("Reconciliations pending, by controller", "none")
                            .counted()
                            .asks(
                                "{{controller}}",
                                "sum by (controller) (numaspark_reconcile_pending)")
                            .says(
                                """
                                Reconciliations that run or wait for a worker. Peaks at the start of the operator and in bursts of \
                                applications are normal. Bad: it stays high; requests are slow, or there are more applications than \
                                workers can follow.
                                """),
                        Panel.series("Planning time (95th percentile)", "s")
                            .asks(
                                "plans",
                                "histogram_quantile(0.95, sum by (le) (rate(numaspark_plan_duration_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum (rate(numaspark_plan_duration_seconds_count[$__rate_interval]))")
                            .says(
                                """
                                Time within which 95 % of the plans of profiles are made; 0 while none is made, which is the rule. \
                                Bad: seconds; many different node classes, or the operator is short of CPU.
                                """)))),
            new Row(
                "What it costs",
                List.of(
                    line(
                        Panel.series("Operator memory", "bytes")
                            .asks(
                                "resident",
                                "sum(process_resident_memory_bytes and on (job, instance) numaspark_build_info)")
                            .asks(
                                "heap in use",
                                "sum(jvm_memory_used_bytes{area=\"heap\"} and on (job, instance) numaspark_build_info)")
                            .asks(
                                "heap maximum",
                                "sum(jvm_memory_max_bytes{area=\"heap\"} and on (job, instance) numaspark_build_info)")
                            .says(
                                """
                                Memory of the operator: what the process holds, the heap in use, and the most that the heap may grow \
                                to. Bad: the heap in use stays near its maximum, or the process comes near the container's limit; \
                                raise the memory limit in the chart's values.
                                """),
                        Panel.series("Operator CPU", "suffix: CPUs")
                            .asks(
                                "CPUs",
                                "sum(rate(process_cpu_seconds_total[$__rate_interval]) and on (job, instance) numaspark_build_info)")
                            .says(
                                """
                                CPUs that the operator uses. Bad: at the container's CPU limit for long (reconciliations are slowed \
                                down; raise the limit in the chart's values), or busy while there are no reconciliations (then the \
                                JVM collects garbage; see the memory).
                                """),
                        Panel.series("Garbage collection", "percentunit")
                            .asks(
                                "share",
                                "sum(rate(jvm_gc_collection_seconds_sum[$__rate_interval]) and on (job, instance) numaspark_build_info)")
                            .says(
                                """
                                Share of time that the operator's JVM stands still to collect garbage. Bad: above 10 % for long; \
                                raise the memory limit in the chart's values.
                                """)))),
            new Row(
                "Does the webhook answer",
                List.of(
                    line(
                        Panel.series("Answers of the webhook", "ops")
                            .asks(
                                "{{kind}} {{outcome}}",
                                "sum by (kind, outcome) (rate(numaspark_webhook_requests_total[$__rate_interval]))")
                            .says(
                                """
                                Executor pods and applications of others per second, by what the webhook did. 'left': the object \
                                stays as it is, and its annotation has the reason. Bad: 'error', a defect of the webhook; its log has the \
                                object. No data: the webhook is off, or not scraped.
                                """),
                        Panel.series("Answer time (95th percentile)", "s")
                            .asks(
                                "answers",
                                "histogram_quantile(0.95, sum by (le) (rate(numaspark_webhook_duration_seconds_bucket[$__rate_interval]))) >= 0 or 0 * sum (rate(numaspark_webhook_duration_seconds_count[$__rate_interval]))")
                            .says(
                                """
                                Time within which the webhook made 95 % of its answers. Bad: near 2 s, after which the API server \
                                stores a pod without it; give the webhook more CPU or replicas.
                                """),
                        Panel.stat("Certificate holds for", "s")
                            .at("red")
                            .from(604800, "green")
                            .asks(
                                "left",
                                "min(numaspark_webhook_certificate_expiry_timestamp_seconds) - time()")
                            .says(
                                """
                                Time until the webhook's certificate expires. Without cert-manager it is renewed a month before. \
                                Bad: less than a week; the webhook's log shows why it is not renewed.
                                """))))));
  }
}
