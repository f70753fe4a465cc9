package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NodeClassStatus;
import io.numaspark.cli.DoctorDocument;
import io.numaspark.cli.DoctorDocument.Entry;
import io.numaspark.cli.DoctorTable;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.CpuSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is wrong in a cluster, from the statuses that the operator has written.
 *
 * <p>Limit: what the operator has not seen is not told. Of a new profile without a status it is
 * told that no operator looks at it.
 */
final class ClusterFindings {
  private static final Set<State> WRONG =
      EnumSet.of(State.FAILED, State.SUBMISSION_FAILED, State.UNKNOWN);

  /** Conditions of a profile that are a finding when they are False; Planned is told by Ready. */
  private static final Map<String, Severity> CONDITIONS =
      Map.of(
          "Ready", Severity.ERROR,
          "PinnersConnected", Severity.ERROR,
          "AgentsReporting", Severity.WARNING,
          "SystemdAgrees", Severity.WARNING,
          "KnobsApplied", Severity.WARNING);

  private final List<Entry> entries = new ArrayList<>();

  private ClusterFindings() {}

  /** The findings, the worst first. */
  static DoctorDocument of(List<SparkNodeProfile> profiles, List<SparkApplication> applications) {
    ClusterFindings findings = new ClusterFindings();
    profiles.forEach(findings::addProfile);
    applications.forEach(findings::addApplication);
    Set<String> awaited =
        profiles.stream()
            .filter(AwaitedNodes::of)
            .map(profile -> profile.getMetadata().getName())
            .collect(Collectors.toSet());
    applications.stream()
        .filter(application -> awaited.contains(application.getSpec().nodeProfile()))
        .forEach(findings::addAwaitedNode);
    List<Entry> sorted = findings.entries.stream().sorted(Entry.WORST_FIRST).toList();
    return new DoctorDocument(
        DoctorTable.count(profiles.size(), "profile")
            + " and "
            + DoctorTable.count(applications.size(), "application"),
        number(sorted, Severity.ERROR),
        number(sorted, Severity.WARNING),
        number(sorted, Severity.INFO),
        sorted);
  }

  private void addProfile(SparkNodeProfile profile) {
    String subject = "SparkNodeProfile " + profile.getMetadata().getName();
    SparkNodeProfileStatus status = profile.getStatus();
    if (status == null) {
      add(
          Severity.ERROR,
          "NoStatus",
          subject,
          "no operator has read it",
          "check that the operator runs: kubectl get pods -A -l app.kubernetes.io/name=numaspark",
          List.of());
      return;
    }
    for (Condition condition : orNone(status.conditions())) {
      Severity severity = CONDITIONS.get(condition.getType());
      if (severity != null && "False".equals(condition.getStatus())) {
        boolean isUsual = condition.getType().equals("Ready") && AwaitedNodes.ofNoneAtAll(profile);
        add(
            isUsual ? Severity.INFO : severity,
            condition.getReason(),
            subject,
            condition.getMessage(),
            "",
            List.of());
      }
    }
    for (NodeClassStatus nodeClass : orNone(status.nodeClasses())) {
      String nodes =
          nodeClass.nodes() == 1
              ? ""
              : " (and on %d more like it)".formatted(nodeClass.nodes() - 1);
      orNone(nodeClass.findings())
          .forEach(
              finding ->
                  entries.add(
                      new Entry(
                          finding.severity(),
                          finding.reason(),
                          "Node",
                          finding.message() + nodes,
                          finding.remedy(),
                          List.of(nodeClass.name()),
                          times(nodeClass.cpus(), nodeClass),
                          times(stranded(nodeClass), nodeClass),
                          Severity.ERROR.displayName().equals(finding.severity())
                              ? times(nodeClass.slotsLacking(), nodeClass)
                              : null)));
    }
    orNone(status.unusableNodes())
        .forEach(
            node ->
                add(
                    Severity.ERROR,
                    node.reason(),
                    subject,
                    node.message(),
                    "",
                    List.of(node.name())));
    orNone(status.withheldNodes())
        .forEach(
            node ->
                add(
                    Severity.WARNING,
                    node.reason(),
                    subject,
                    "its free slots are withheld since %s: %d executors were rejected"
                        .formatted(node.since(), node.rejections()),
                    "look for pods with CPUs of their own on the node; see docs/slots.md",
                    List.of(node.name())));
  }

  /** Over all nodes of a class; null if an older operator has not written it. */
  private static Integer times(Integer ofOneNode, NodeClassStatus nodeClass) {
    return ofOneNode == null ? null : ofOneNode * nodeClass.nodes();
  }

  private static Integer stranded(NodeClassStatus nodeClass) {
    return nodeClass.strandedCpus() == null ? null : CpuSet.parse(nodeClass.strandedCpus()).size();
  }

  /** Executors that wait for the first node of their profile. */
  private void addAwaitedNode(SparkApplication application) {
    List<ExecutorInfo> waiting =
        application.getStatus() == null
            ? List.of()
            : orNone(application.getStatus().executors()).stream()
                .filter(info -> "Pending".equals(info.phase()))
                .toList();
    if (!waiting.isEmpty()) {
      add(
          Severity.INFO,
          "NoNodeYet",
          subject(application),
          "%s, such as %s: profile %s has no usable node yet"
              .formatted(
                  waiting.size() == 1 ? "1 executor waits" : waiting.size() + " executors wait",
                  waiting.get(0).pod(),
                  application.getSpec().nodeProfile()),
          AwaitedNodes.REMEDY,
          List.of());
    }
  }

  private static String subject(SparkApplication application) {
    return "SparkApplication %s/%s"
        .formatted(application.getMetadata().getNamespace(), application.getMetadata().getName());
  }

  private void addApplication(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    String subject = subject(application);
    if (status == null || status.applicationState() == null) {
      return; // it has just been created
    }
    State state = status.applicationState().state();
    String error = status.applicationState().errorMessage();
    if (WRONG.contains(state) || error != null) {
      add(
          WRONG.contains(state) ? Severity.ERROR : Severity.WARNING,
          readyReason(status, state),
          subject,
          (SparkApplicationStatus.waits(status) ? "it waits: " : "it is " + state + ": ")
              + Objects.requireNonNullElse(error, "no reason was reported"),
          "",
          List.of());
    }
    Map<String, List<ExecutorInfo>> notPinned = new LinkedHashMap<>();
    orNone(status.executors()).stream()
        .filter(info -> "Running".equals(info.phase()) && info.pinned() == Pinned.False)
        .forEach(
            info -> notPinned.computeIfAbsent(info.reason(), key -> new ArrayList<>()).add(info));
    notPinned.forEach(
        (reason, executors) ->
            add(
                Severity.ERROR,
                String.valueOf(reason),
                subject,
                "%s not pinned, such as %s: %s"
                    .formatted(
                        executors.size() == 1
                            ? "1 executor is"
                            : executors.size() + " executors are",
                        executors.get(0).pod(),
                        executors.get(0).message()),
                "",
                executors.stream().map(ExecutorInfo::node).distinct().sorted().toList()));
  }

  private static String readyReason(SparkApplicationStatus status, State state) {
    return orNone(status.conditions()).stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .map(Condition::getReason)
        .findFirst()
        .orElse(state.name());
  }

  private void add(
      Severity severity,
      String reason,
      String subject,
      String message,
      String remedy,
      List<String> nodes) {
    entries.add(
        new Entry(
            severity.displayName(), reason, subject, message, remedy, nodes, null, null, null));
  }

  private static long number(List<Entry> entries, Severity severity) {
    return entries.stream()
        .filter(entry -> entry.severity().equals(severity.displayName()))
        .count();
  }

  private static <T> List<T> orNone(List<T> list) {
    return Objects.requireNonNullElse(list, List.of());
  }
}
