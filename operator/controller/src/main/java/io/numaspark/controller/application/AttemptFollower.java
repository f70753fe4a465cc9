package io.numaspark.controller.application;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.Step.Finish;
import io.numaspark.controller.observe.AttemptPods;
import io.numaspark.controller.observe.DriverRestClient.Driver;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.status.ApplicationStatusAssembler;
import io.numaspark.controller.status.DriverDiagnosis;
import io.numaspark.controller.status.ExecutorObservation;
import io.numaspark.controller.status.Executors;
import io.numaspark.controller.status.NodeSilence;
import io.numaspark.controller.store.DriverReports;
import io.numaspark.controller.store.DriverReports.Report;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.DriverUi;
import io.numaspark.render.proof.AgentReports;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.text.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says in the status how a driver and its executors are, and how they ended. */
public record AttemptFollower(
    AttemptPods pods,
    DriverReports reports,
    Function<Pod, String> logs,
    ProfileLookup profiles,
    Function<Instant, AgentReports> agents) {
  private static final Duration WHILE_LOADING = Duration.ofSeconds(1);

  /**
   * A status, and when to look again if no event comes.
   *
   * @param failed executor pods whose failures are in the status
   * @param abandoned executor pods that shall end, and whose nodes will not end them
   * @param again empty if only events matter
   */
  record Followed(
      SparkApplicationStatus status,
      List<Pod> failed,
      List<Pod> abandoned,
      Optional<Duration> again) {}

  /** The status of an attempt whose driver has not ended; it waits for what the driver is asked. */
  Followed follow(SparkApplication application, Pod driver, Instant now) {
    List<Pod> failed = pods.failedExecutors(ApplicationIdentity.of(application));
    Collection<Pod> executorPods = executorPods(application, failed);
    AgentReports agentReports = agents.apply(now);
    boolean pinned = application.getSpec().nodeProfile() != null;
    List<Pod> running = executorPods.stream().filter(pod -> pinned && isRunning(pod)).toList();
    Report report = report(application, driver, agentReports, running, now);
    Optional<Duration> again =
        Stream.concat(
                Stream.of(report.next(), agentReports.until(running)).flatMap(Optional::stream),
                executorPods.stream()
                    .flatMap(pod -> NodeSilence.abandonedFrom(pod).stream())
                    .filter(from -> from.isAfter(now)))
            .min(Instant::compareTo)
            .map(next -> Duration.between(now, next).plusMillis(1));
    if (report.isAsked()) {
      return new Followed(application.getStatus(), List.of(), List.of(), again);
    }
    Executors executors = observe(application, executorPods, agentReports, report.executors());
    return new Followed(
        new ApplicationStatusAssembler(application, now).observed(driver, executors),
        failed,
        abandoned(executorPods, now),
        again);
  }

  /** Those of these pods that shall have ended by now, and whose nodes will not end them. */
  static List<Pod> abandoned(Collection<Pod> pods, Instant now) {
    return pods.stream()
        .filter(
            pod -> NodeSilence.abandonedFrom(pod).filter(from -> !from.isAfter(now)).isPresent())
        .toList();
  }

  /**
   * The status of an attempt that has ended.
   *
   * @param driver empty if its pod is gone
   */
  SparkApplicationStatus finished(
      SparkApplication application, Finish finish, Optional<Pod> driver, Instant now) {
    List<Pod> failed = pods.failedExecutors(ApplicationIdentity.of(application));
    Executors executors =
        observe(
            application,
            executorPods(application, failed),
            agents.apply(now),
            new NoAnswer("the driver has ended"));
    Diagnosis why =
        driver
            .map(
                pod ->
                    DriverDiagnosis.ofEnded(
                        pod, () -> logs.apply(pod), application.getSpec(), executors.all()))
            .orElseGet(() -> lost(application));
    return new ApplicationStatusAssembler(application, now)
        .finished(finish, why, driver, executors);
  }

  /** An attempt has ended, or its application is gone. */
  void forget(String namespace, String sparkAppId) {
    reports.forget(namespace, sparkAppId);
    pods.forget(namespace, sparkAppId);
  }

  private static Diagnosis lost(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    return DriverDiagnosis.ofLost(
        status.applicationState().state() == State.UNKNOWN, status.driverInfo().node());
  }

  private Executors observe(
      SparkApplication application,
      Collection<Pod> executorPods,
      AgentReports agentReports,
      ReportedExecutors reported) {
    String profile = application.getSpec().nodeProfile();
    Map<String, Machine> machines = profile == null ? Map.of() : profiles.machines(profile);
    return new ExecutorObservation(machines, agentReports, application.getStatus())
        .observe(executorPods, reported);
  }

  /** Those that exist, and those that failed and whose pods are gone. */
  private Collection<Pod> executorPods(SparkApplication application, List<Pod> failed) {
    ApplicationIdentity attempt = ApplicationIdentity.of(application);
    Map<String, Pod> byName = new LinkedHashMap<>();
    failed.forEach(pod -> byName.put(pod.getMetadata().getName(), pod));
    pods.executors(attempt).forEach(pod -> byName.putIfAbsent(pod.getMetadata().getName(), pod));
    return byName.values();
  }

  /** The driver's word; it is not asked for what the agents of the nodes know. */
  private Report report(
      SparkApplication application,
      Pod driver,
      AgentReports agentReports,
      List<Pod> running,
      Instant now) {
    if (application.getSpec().nodeProfile() == null) {
      return Report.notAsked("an unpinned application is not asked", Optional.empty());
    }
    if (!agentReports.isLoaded()) {
      return Report.notAsked("the operator has just started", Optional.of(now.plus(WHILE_LOADING)));
    }
    if (!running.isEmpty() && agentReports.cover(running)) {
      return Report.notAsked("the nodes' agents report", Optional.empty());
    }
    String why = whyNotAsked(application, driver);
    if (why != null) {
      return Report.notAsked(why, Optional.empty());
    }
    Set<String> ids =
        running.stream()
            .map(pod -> pod.getMetadata().getLabels().get(Labels.SPARK_EXECUTOR_ID))
            .filter(id -> id != null)
            .collect(Collectors.toSet());
    int port = DriverUi.port(application.getSpec());
    Driver asked =
        new Driver(
            application.getMetadata().getNamespace(),
            application.getMetadata().getName(),
            application.getStatus().sparkApplicationId(),
            driver.getStatus().getPodIP(),
            port);
    return reports.report(asked, ids, now);
  }

  private static boolean isRunning(Pod pod) {
    return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
  }

  private static String whyNotAsked(SparkApplication application, Pod driver) {
    if (!"Running".equals(driver.getStatus().getPhase()) || driver.getStatus().getPodIP() == null) {
      return "the driver is not running";
    }
    return DriverUi.isEnabled(application.getSpec())
        ? null
        : "spark.ui.enabled is false: the driver's REST API, which reports where executors run, is"
            + " off";
  }
}
