package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.cli.text.TextColumns;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.NumaLayout;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A plan as a person reads it. */
final class PlanTable {
  /** Slots of one line; the JSON has all. */
  private static final int MOST_SLOTS = 4;

  private final PlanDocument document;
  private final ProfilePlan plan;

  PlanTable(PlanDocument document, ProfilePlan plan) {
    this.document = document;
    this.plan = plan;
  }

  String print() {
    StringBuilder text = new StringBuilder();
    if (document.shortfall() != null) {
      text.append("Profile ").append(document.profile()).append(": no executor fits\n");
      text.append("  ").append(document.shortfall().message()).append('\n');
      text.append("  Remedy: ").append(document.shortfall().remedy()).append('\n');
    } else {
      PlanDocument.Executor executor = document.executor();
      text.append(
          "Profile %s: executors of %s%n".formatted(document.profile(), executor.describe()));
      text.append("  ").append(document.why()).append('\n');
      text.append("  JVM: ").append(String.join(" ", executor.jvmOptions())).append('\n');
    }
    text.append('\n').append(layouts());
    if (document.whatIf() != null) {
      text.append('\n').append(whatIf(document.whatIf())).append('\n');
    }
    document
        .nodes()
        .forEach(
            node -> node.findings().forEach(finding -> text.append(line(node.name(), finding))));
    if (document.application() != null) {
      text.append('\n').append(application(document.application()));
    }
    if (document.application() != null && document.application().properties() != null) {
      text.append(PropertyDocument.table(document.application().properties()));
    }
    if (document.explain() != null) {
      text.append(new ExplainTable(document.explain()).print());
    }
    return text.toString();
  }

  private static String whatIf(List<PinningWay> alternatives) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "WHAT IF", "SLOTS", "CORES OF EACH", "CPUS OF EXECUTORS", "STRANDED", "WHAT TO DO"));
    for (PinningWay way : alternatives) {
      rows.add(
          List.of(
              way.way(),
              String.valueOf(way.slots()),
              way.cores() == 0 ? "-" : String.valueOf(way.cores()),
              "%d of %d".formatted(way.executorCpus(), way.cpus()),
              String.valueOf(way.strandedCpus()),
              way.todo()));
    }
    return TextColumns.print(rows);
  }

  private String layouts() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "NODE",
            "NUMA",
            "SLOTS",
            "CPUS OF EACH EXECUTOR",
            "RESERVED",
            "STRANDED",
            "NO MORE BECAUSE"));
    for (PlanDocument.Node node : document.nodes()) {
      Layout layout = plan.layoutByNode().get(node.name());
      if (layout != null) {
        addRows(rows, node.name(), layout);
      } else {
        rows.add(List.of(node.name(), "", "0", "", "", "", "see the findings below"));
      }
    }
    return TextColumns.print(rows);
  }

  private static void addRows(List<List<String>> rows, String node, Layout layout) {
    for (NumaLayout numaNode : layout.numaNodes()) {
      rows.add(
          List.of(
              node,
              String.valueOf(numaNode.numaNode()),
              String.valueOf(numaNode.slots().size()),
              slots(numaNode),
              numaNode.reservedCpus().toString(),
              numaNode.strandedCpus().toString(),
              numaNode.limitedBy()));
    }
  }

  private static String slots(NumaLayout numaNode) {
    int more = numaNode.slots().size() - MOST_SLOTS;
    String first =
        numaNode.slots().stream()
            .limit(more == 1 ? MOST_SLOTS + 1 : MOST_SLOTS)
            .map(slot -> slot.cpus().toString())
            .collect(Collectors.joining("  "));
    return more > 1 ? first + "  and " + more + " more" : first;
  }

  private static String line(String node, PlanDocument.Finding finding) {
    String remedy = finding.remedy().isEmpty() ? "" : "\n    Remedy: " + finding.remedy();
    return "%s %s on %s: %s%s%n"
        .formatted(finding.severity(), finding.reason(), node, finding.message(), remedy);
  }

  private static String application(PlanDocument.Application application) {
    if (application.refusal() != null) {
      return "Application %s is refused: %s%n".formatted(application.name(), application.refusal());
    }
    return "Application %s: %d executors, %d tasks at once%s%n%s"
        .formatted(
            application.name(),
            application.executors(),
            application.taskSlots(),
            application.pinned()
                ? ""
                : "; an ordinary application without spec.nodeProfile, its executors are not pinned",
            application.advice().stream()
                .map("  Advice: %s%n"::formatted)
                .collect(Collectors.joining()));
  }
}
