package io.numaspark.render.picture;

import java.util.List;

/**
 * One page: node classes or nodes, and what is to be said of all of them.
 *
 * @param title its heading
 * @param lead sentences below the heading
 * @param notes what concerns no single node
 * @param links to other pages
 */
public record Picture(
    String title, List<String> lead, List<NodePicture> nodes, List<Note> notes, List<Link> links) {
  public Picture {
    lead = List.copyOf(lead);
    nodes = List.copyOf(nodes);
    notes = List.copyOf(notes);
    links = List.copyOf(links);
  }

  /** All holders of all nodes. */
  List<CpuHolder> holders() {
    return nodes.stream().flatMap(node -> node.holders().stream()).toList();
  }
}
