package io.numaspark.controller.dashboard;

import java.util.List;

/**
 * A Grafana dashboard.
 *
 * @param name of its file, and behind {@code numaspark-} its uid
 */
record Dashboard(String name, String title, String description, List<Row> rows) {

  /**
   * A row under a heading.
   *
   * @param lines of panels that share the width
   */
  record Row(String title, List<List<Panel>> lines) {}

  static List<Panel> line(Panel... panels) {
    return List.of(panels);
  }

  /** All panels in their order. */
  List<Panel> panels() {
    return rows.stream().flatMap(row -> row.lines().stream()).flatMap(List::stream).toList();
  }
}
