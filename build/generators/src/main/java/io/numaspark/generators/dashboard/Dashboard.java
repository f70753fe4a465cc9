package io.numaspark.generators.dashboard;

import java.util.List;

/**
 * A Grafana dashboard.
 *
 * @param name of its file, and behind {@code numaspark-} its uid
 * @param variables what a reader chooses at its top
 */
record Dashboard(
    String name, String title, String description, List<Variable> variables, List<Row> rows) {

  /** One without variables. */
  Dashboard(String name, String title, String description, List<Row> rows) {
    this(name, title, description, List.of(), rows);
  }

  /**
   * Values of a label that the reader chooses from; queries match it as a regular expression.
   *
   * @param name of the variable, and of the label
   * @param metric that has the label, with what narrows it down
   */
  record Variable(String name, String title, String metric) {}

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
