package io.numaspark.cli;

import io.numaspark.cli.text.TextColumns;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What was weighed for a plan, as a person reads it. */
final class ExplainTable {
  /** Node classes of one line; more are in the JSON. */
  private static final int MOST_CLASSES = 3;

  private final ExplainDocument explain;

  ExplainTable(ExplainDocument explain) {
    this.explain = explain;
  }

  String print() {
    return candidates() + reasons() + reservations() + compromises();
  }

  private String candidates() {
    if (explain.candidates().isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "CORES",
            "EXECUTORS",
            "PER NUMA NODE",
            "HEAP",
            "OVERHEAD",
            "PAGE CACHE",
            "STRANDED CPUS",
            "STRANDED MEMORY",
            "CACHES",
            "STRADDLING",
            "VERDICT"));
    for (ExplainDocument.Shape shape : explain.candidates()) {
      rows.add(
          List.of(
              String.valueOf(shape.cores()),
              String.valueOf(shape.executors()),
              perNumaNode(shape),
              MemorySize.toQuantity(shape.heapBytes()),
              MemorySize.toQuantity(shape.memoryOverheadBytes()),
              shape.pageCacheBytes() == 0 ? "-" : MemorySize.toQuantity(shape.pageCacheBytes()),
              String.valueOf(shape.strandedCpus()),
              MemorySize.toQuantity(shape.strandedMemoryBytes()),
              String.valueOf(shape.cacheDomains()),
              String.valueOf(shape.straddling()),
              shape.lost() == null ? "chosen" : shape.lost()));
    }
    return "\nShapes considered, best first:\n" + TextColumns.print(rows);
  }

  /** Executors on each NUMA node of one node, by class if there are several. */
  private static String perNumaNode(ExplainDocument.Shape shape) {
    List<ExplainDocument.ClassSlots> classes = shape.classes();
    String text =
        classes.stream()
            .limit(MOST_CLASSES)
            .map(one -> (classes.size() == 1 ? "" : one.nodeClass() + ": ") + slots(one))
            .collect(Collectors.joining("; "));
    return classes.size() > MOST_CLASSES ? text + "; …" : text;
  }

  private static String slots(ExplainDocument.ClassSlots slots) {
    return slots.executorsPerNumaNode().stream()
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  private String reasons() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("OPTION OR PROPERTY", "WHY"));
    explain.jvmOptions().forEach(option -> rows.add(List.of(option.text(), option.why())));
    explain
        .sparkProperties()
        .forEach(
            property -> rows.add(List.of(property.key() + "=" + property.value(), property.why())));
    return rows.size() == 1 ? "" : "\nWhat executors are given:\n" + TextColumns.print(rows);
  }

  private String reservations() {
    return explain.reservations().isEmpty()
        ? ""
        : "\nOther reservations, with the same executors:\n"
            + explain.reservations().stream()
                .map(advice -> "  %s: %s%n".formatted(advice.nodeClass(), advice.text()))
                .collect(Collectors.joining());
  }

  private String compromises() {
    if (explain.compromises().isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "NODE CLASS",
            "NODES",
            "EXECUTORS A NODE",
            "CPUS IN EXECUTORS",
            "ALONE: CORES",
            "ALONE: HEAP",
            "ALONE: EXECUTORS A NODE",
            "ALONE: CPUS IN EXECUTORS"));
    for (ExplainDocument.ClassCost cost : explain.compromises()) {
      rows.add(
          List.of(
              cost.nodeClass(),
              String.valueOf(cost.nodes()),
              String.valueOf(cost.executors()),
              String.valueOf(cost.cpus()),
              String.valueOf(cost.ownCores()),
              MemorySize.toQuantity(cost.ownHeapBytes()),
              String.valueOf(cost.ownExecutors()),
              String.valueOf(cost.ownCpus())));
    }
    return "\nCost of one shared shape, and each class with its own profile:\n"
        + TextColumns.print(rows);
  }
}
