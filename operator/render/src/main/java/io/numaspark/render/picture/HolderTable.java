package io.numaspark.render.picture;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.picture.CpuHolder.Kind;
import io.numaspark.render.picture.CpuHolder.Owner;
import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.picture.NodePicture.Unheld;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All that the picture of a node shows as a table, for those who do not see it. */
final class HolderTable {
  private static final List<String> HEADINGS =
      List.of("What", "Pod", "NUMA node", "CPUs", "Heap", "Pod memory", "Pinned");
  private static final String NONE = "–";

  private final NodePicture node;

  HolderTable(NodePicture node) {
    this.node = node;
  }

  /** Writes it, folded. */
  void write(Markup out) {
    out.open("details");
    out.element("summary", "Table of " + node.name());
    out.open("div", "class", "scroll");
    out.open("table");
    out.open("thead").open("tr");
    HEADINGS.forEach(heading -> out.element("th", heading, "scope", "col"));
    out.close().close();
    out.open("tbody");
    rows().forEach(row -> write(out, row));
    out.close().close().close().close();
  }

  private static void write(Markup out, List<String> row) {
    out.open("tr");
    out.element("th", row.get(0), "scope", "row");
    for (int i = 1; i < row.size(); i++) {
      if (HEADINGS.get(i).equals("CPUs")) {
        out.element("td", row.get(i), "class", "cpus");
      } else {
        out.element("td", row.get(i));
      }
    }
    out.close();
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    node.holders().forEach(holder -> rows.add(row(holder)));
    for (NumaBox box : node.numaNodes()) {
      for (Unheld unheld : Unheld.values()) {
        CpuSet cpus = box.held(unheld);
        if (!cpus.isEmpty()) {
          rows.add(
              List.of(
                  capital(unheld.word()),
                  NONE,
                  String.valueOf(box.id()),
                  cpus.toString(),
                  NONE,
                  NONE,
                  NONE));
        }
      }
    }
    return rows;
  }

  private List<String> row(CpuHolder holder) {
    return List.of(
        holder.title(),
        holder.kind() == Kind.POD ? holder.id() : holder.owner().flatMap(Owner::pod).orElse(NONE),
        numaNodes(holder),
        holder.cpus().isEmpty() ? "none of its own" : holder.cpus().toString(),
        holder.memory().map(memory -> MemorySize.toQuantity(memory.heapBytes())).orElse(NONE),
        holder.memory().map(memory -> MemorySize.toQuantity(memory.podBytes())).orElse(NONE),
        holder.kind() == Kind.POD ? NONE : capital(holder.pinning().text()));
  }

  private String numaNodes(CpuHolder holder) {
    String ids =
        node.numaNodes().stream()
            .filter(
                box -> box.cells().stream().anyMatch(cell -> holder.cpus().contains(cell.cpu())))
            .map(box -> String.valueOf(box.id()))
            .collect(Collectors.joining(","));
    return ids.isEmpty() ? NONE : ids;
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
