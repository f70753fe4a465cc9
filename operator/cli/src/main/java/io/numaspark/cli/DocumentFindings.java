package io.numaspark.cli;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.text.InputException;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Findings;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.plan.Reason;
import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.doctor.PodJudge;
import io.numaspark.render.profile.PinningPolicy;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import io.numaspark.render.profile.ProfileTranslator;
import io.numaspark.render.profile.TopologyTranslator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Collects the findings of a set of documents: of nodes, of a profile that uses them, and of what
 * is to run there.
 */
final class DocumentFindings {
  private final Documents documents;
  private final Map<String, Machine> machines = new TreeMap<>();

  /** The nodes of each finding, so that equal findings of many nodes are told once. */
  private final Map<Key, List<String>> found = new LinkedHashMap<>();

  /** What is told once. */
  private record Key(
      Severity severity, String reason, String subject, String message, String remedy) {}

  private DocumentFindings(Documents documents) {
    this.documents = documents;
    for (SparkNodeTopology topology : documents.topologies()) {
      String name = topology.getMetadata().getName();
      if (machines.put(name, TopologyTranslator.machine(topology.getSpec())) != null) {
        throw new InputException(
            "two SparkNodeTopology objects are named " + name + "; each is one node");
      }
    }
  }

  /**
   * The findings.
   *
   * @throws InputException if there is no node to judge, or nothing by which an application could
   *     be judged
   */
  static DoctorDocument of(Documents documents) {
    if (documents.topologies().isEmpty()) {
      throw new InputException("no SparkNodeTopology in the files; add one with -f");
    }
    if (documents.profiles().size() > 1) {
      throw new InputException("more than one SparkNodeProfile in the files; give one");
    }
    return new DocumentFindings(documents).run();
  }

  private DoctorDocument run() {
    String holds = "";
    // Without a profile it says what the findings of nodes cost, and adds none of its own.
    SparkNodeProfile profile =
        documents.profiles().isEmpty() ? DefaultProfile.make() : documents.profiles().get(0);
    ProfilePlan plan = PlanCommand.plan(profile, documents);
    PinningPolicy pinning = ProfileTranslator.pinning(profile.getSpec());
    machines.replaceAll((node, machine) -> pinning.applyTo(machine, true));
    if (documents.profiles().isEmpty()) {
      documents.topologies().stream()
          .sorted(Comparator.comparing(topology -> topology.getMetadata().getName()))
          .forEach(this::addNode);
    } else {
      addProfile(profile, plan);
      holds = slots(profile, plan);
    }
    for (SparkApplication application : documents.applications()) {
      addApplication(application, plan);
    }
    for (Pod pod : documents.pods()) {
      addPod(pod);
    }
    List<DoctorDocument.Entry> entries =
        found.entrySet().stream()
            .map(entry -> entry(entry.getKey(), entry.getValue(), plan))
            .sorted(DoctorDocument.Entry.WORST_FIRST)
            .toList();
    long kinds = machines.values().stream().distinct().count();
    return new DoctorDocument(
        "%s of %s%s"
            .formatted(
                DoctorTable.count(machines.size(), "node"),
                DoctorTable.count(kinds, "kind"),
                holds),
        number(Severity.ERROR),
        number(Severity.WARNING),
        number(Severity.INFO),
        entries);
  }

  private void addNode(SparkNodeTopology topology) {
    String node = topology.getMetadata().getName();
    Machine machine = machines.get(node);
    List<Hardware> known = TopologyTranslator.hardware(topology.getSpec()).stream().toList();
    Findings.of(machine).forEach(finding -> add(finding, "Node", List.of(node)));
    Findings.advice(known).forEach(finding -> add(finding, "Node", List.of(node)));
  }

  private void addProfile(SparkNodeProfile profile, ProfilePlan plan) {
    String subject = "SparkNodeProfile " + profile.getMetadata().getName();
    plan.layoutByNode()
        .forEach(
            (node, layout) ->
                layout.findings().forEach(finding -> add(finding, "Node", List.of(node))));
    if (plan.result() instanceof Shortfall shortfall
        && shortfall.reason() != Reason.NO_USABLE_NODE) {
      add(
          new Finding(Severity.ERROR, shortfall.reason(), shortfall.message(), shortfall.remedy()),
          subject,
          List.of());
    }
    for (Unusable unusable : plan.unusable()) {
      boolean told =
          plan.layoutByNode().containsKey(unusable.node())
              && (plan.result() instanceof Shortfall
                  || !plan.layoutByNode().get(unusable.node()).isUsable());
      if (!told) {
        found
            .computeIfAbsent(
                new Key(Severity.ERROR, unusable.reason(), subject, unusable.message(), ""),
                key -> new ArrayList<>())
            .add(unusable.node());
      }
    }
  }

  private static String slots(SparkNodeProfile profile, ProfilePlan plan) {
    return plan.result() instanceof Plan found
        ? ", with %s of profile %s"
            .formatted(
                DoctorTable.count(found.totalSlots(), "executor slot"),
                profile.getMetadata().getName())
        : "";
  }

  private void addApplication(SparkApplication application, ProfilePlan plan) {
    String subject = "SparkApplication " + application.getMetadata().getName();
    String wanted = application.getSpec().nodeProfile();
    if (wanted == null) {
      add(
          new Finding(
              Severity.WARNING,
              Reason.APPLICATION_NOT_PINNED,
              "spec.nodeProfile is absent: its executors are not pinned",
              "name the SparkNodeProfile whose nodes it should run on in spec.nodeProfile"),
          subject,
          List.of());
      return;
    }
    if (documents.profiles().isEmpty()
        || !wanted.equals(documents.profiles().get(0).getMetadata().getName())) {
      throw new InputException(
          "%s: spec.nodeProfile is %s, which is not in the files; add it with -f"
              .formatted(subject, wanted));
    }
    SparkNodeProfile profile = documents.profiles().get(0);
    if (plan.result() instanceof Plan usable) {
      ProfileContext context =
          ProfileContext.onNodes(wanted, profile.getSpec(), plan.policy(), usable);
      if (new ApplicationRenderer("spark", UiPolicy.AS_ASKED, PluginPolicy.ASSUMED, Grants.AS_ASKED)
              .render(application, Optional.of(context))
          instanceof Refusal refusal) {
        add(
            new Finding(
                Severity.ERROR,
                Reason.APPLICATION_REFUSED,
                refusal.message(),
                "correct the field; " + refusal.reason() + " is the condition's reason"),
            subject,
            List.of());
      }
    }
  }

  private void addPod(Pod pod) {
    String subject = "Pod " + pod.getMetadata().getName();
    try {
      machines.forEach(
          (node, machine) ->
              PodJudge.judge(pod, machine)
                  .forEach(finding -> add(finding, subject, List.of(node))));
    } catch (IllegalArgumentException e) {
      throw new InputException(subject + ": " + e.getMessage(), e);
    }
  }

  private void add(Finding finding, String subject, List<String> nodes) {
    found
        .computeIfAbsent(
            new Key(
                finding.severity(),
                finding.reason().displayName(),
                subject,
                finding.message(),
                finding.remedy()),
            key -> new ArrayList<>())
        .addAll(nodes);
  }

  private long number(Severity severity) {
    return found.keySet().stream().filter(key -> key.severity() == severity).count();
  }

  private int cpus(List<String> nodes) {
    return nodes.stream()
        .map(machines::get)
        .filter(Objects::nonNull)
        .mapToInt(machine -> machine.topology().cpus().size())
        .sum();
  }

  /** A sum over the nodes that have a layout. */
  private static int sum(List<String> nodes, ProfilePlan plan, ToIntFunction<Layout> ofNode) {
    return nodes.stream()
        .map(plan.layoutByNode()::get)
        .filter(Objects::nonNull)
        .mapToInt(ofNode)
        .sum();
  }

  private DoctorDocument.Entry entry(Key key, List<String> nodes, ProfilePlan plan) {
    return new DoctorDocument.Entry(
        key.severity().displayName(),
        key.reason(),
        key.subject(),
        key.message(),
        key.remedy(),
        List.copyOf(nodes),
        nodes.isEmpty() ? null : cpus(nodes),
        nodes.isEmpty() ? null : sum(nodes, plan, layout -> layout.strandedCpus().size()),
        nodes.isEmpty() || key.severity() != Severity.ERROR
            ? null
            : sum(nodes, plan, plan.whatIf()::lacking));
  }
}
