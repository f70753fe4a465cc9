package io.numaspark.render.picture;

import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.picture.NodePicture.SocketBox;
import io.numaspark.render.picture.Rows.Size;
import java.util.ArrayList;
import java.util.List;

/** Draws a node into an SVG file: its sockets, what is beside its CPUs, and the notes. */
final class NodeDrawing {
  static final int GAP = 12;
  private static final int PADDING = 8;
  private static final int SOCKET_HEADING = 22;
  private static final int HEADING_LINE = 17;
  private static final int NOTES_WIDTH = 340;
  private static final int LEAST_NOTES_BELOW = 640;
  private static final int FONT = 11;

  /** Columns of threads in a row: the first with which no NUMA node is higher than this. */
  private static final List<Integer> COLUMNS = List.of(12, 26, 40);

  private static final int HIGH = 460;

  private final NodePicture node;
  private final int maxWidth;
  private final List<SocketDrawing> sockets = new ArrayList<>();
  private final Rows rows;
  private final BesideDrawing beside;
  private final List<String> description;
  private final NotesDrawing notes;
  private final boolean notesBeside;

  /** A socket with its NUMA nodes. */
  private record SocketDrawing(int id, List<NumaDrawing> numaNodes, Rows rows) {
    int width() {
      return rows.width() + 2 * PADDING;
    }

    int height() {
      return SOCKET_HEADING + rows.height() + PADDING;
    }
  }

  NodeDrawing(NodePicture node, ApplicationColours colours, int maxWidth) {
    this.node = node;
    this.maxWidth = maxWidth;
    int columns = columns(node, colours);
    int width = widthOfNumaNodes(node, columns);
    for (SocketBox socket : node.sockets()) {
      List<NumaDrawing> drawings =
          socket.numaNodes().stream().map(box -> new NumaDrawing(box, colours, width)).toList();
      sockets.add(
          new SocketDrawing(
              socket.id(),
              drawings,
              Rows.of(
                  drawings.stream().map(d -> new Size(d.width(), d.height())).toList(),
                  maxWidth - 2 * PADDING,
                  PADDING)));
    }
    this.rows =
        Rows.of(sockets.stream().map(s -> new Size(s.width(), s.height())).toList(), maxWidth, GAP);
    this.beside = new BesideDrawing(node.beside(), colours, rows.width());
    this.notesBeside = rows.width() + GAP + NOTES_WIDTH <= maxWidth;
    int notesWidth =
        notesBeside ? NOTES_WIDTH : Math.min(maxWidth, Math.max(rows.width(), LEAST_NOTES_BELOW));
    this.notes = new NotesDrawing("Findings", node.notes(), notesWidth);
    this.description = TextLines.wrap(node.description(), width(), FONT);
  }

  /** The columns that make a drawing neither high nor wide; all pages use the first if they can. */
  static int columns(NodePicture node, ApplicationColours colours) {
    for (int columns : COLUMNS) {
      int width = widthOfNumaNodes(node, columns);
      if (node.numaNodes().stream()
          .allMatch(box -> new NumaDrawing(box, colours, width).height() <= HIGH)) {
        return columns;
      }
    }
    return COLUMNS.get(COLUMNS.size() - 1);
  }

  /** The width that all NUMA nodes of a node are drawn with. */
  static int widthOfNumaNodes(NodePicture node, int columns) {
    return node.numaNodes().stream()
        .mapToInt((NumaBox box) -> NumaDrawing.widthOf(box, columns))
        .max()
        .orElse(0);
  }

  int width() {
    if (node.notes().isEmpty()) {
      return rows.width();
    }
    return notesBeside
        ? rows.width() + GAP + NOTES_WIDTH
        : Math.min(maxWidth, Math.max(rows.width(), LEAST_NOTES_BELOW));
  }

  int height() {
    int boxes = boxesHeight();
    int below = notesBeside ? Math.max(boxes, notes.height()) : boxes + GAP + notes.height();
    return top() + below;
  }

  private int boxesHeight() {
    return rows.height() + (node.beside().isEmpty() ? 0 : GAP + beside.height());
  }

  private int top() {
    return 24 + description.size() * HEADING_LINE;
  }

  /** Draws it with its upper left corner at 0, 0. */
  void write(Markup out) {
    Shapes shapes = new Shapes(out);
    out.open("g", "role", "group", "aria-label", "Node " + node.name());
    shapes.text("h2", TextLines.fitting(List.of(node.name()), maxWidth, 17), 0, 16);
    for (int i = 0; i < description.size(); i++) {
      shapes.text("muted", description.get(i), 0, 34 + i * HEADING_LINE);
    }
    shapes.openAt(0, top());
    for (int i = 0; i < sockets.size(); i++) {
      write(out, sockets.get(i), rows.boxes().get(i));
    }
    if (!node.beside().isEmpty()) {
      out.open(
          "g",
          "role",
          "group",
          "aria-label",
          BesideDrawing.heading(),
          "transform",
          "translate(0 " + (rows.height() + GAP) + ")");
      beside.write(out);
      out.close();
    }
    if (notesBeside) {
      shapes.openAt(rows.width() + GAP, 0);
    } else {
      shapes.openAt(0, boxesHeight() + GAP);
    }
    notes.write(out);
    out.close();
    out.close();
    out.close();
  }

  private static void write(Markup out, SocketDrawing socket, Rect at) {
    Shapes shapes = new Shapes(out);
    out.open(
        "g",
        "role",
        "group",
        "aria-label",
        "Socket " + socket.id(),
        "transform",
        "translate(" + at.x() + " " + at.y() + ")");
    shapes.rect("socket", new Rect(0, 0, socket.width(), socket.height()), 6);
    shapes.text("h3 muted", "Socket " + socket.id(), PADDING, 16);
    for (int i = 0; i < socket.numaNodes().size(); i++) {
      NumaDrawing numa = socket.numaNodes().get(i);
      Rect place = socket.rows().boxes().get(i);
      out.open(
          "g",
          "role",
          "group",
          "aria-label",
          numa.spoken(),
          "transform",
          "translate(" + (PADDING + place.x()) + " " + (SOCKET_HEADING + place.y()) + ")");
      numa.write(out);
      out.close();
    }
    out.close();
  }
}
