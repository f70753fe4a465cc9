package io.numaspark.generators.dashboard;

import java.util.ArrayList;
import java.util.List;

/**
 * One panel of a Grafana dashboard.
 *
 * @param says what it shows, what a bad value means, and what to do
 * @param unit one of Grafana's
 * @param whole whether values have no decimals
 * @param stacked whether the lines of a time series are stacked
 * @param steps from which value on which colour holds; the first has no value
 */
record Panel(
    Kind kind,
    String title,
    String says,
    String unit,
    boolean whole,
    boolean stacked,
    List<Step> steps,
    List<Query> queries) {

  /** How it draws. */
  enum Kind {
    STAT,
    /** A stat that shows the names of its series instead of their values. */
    NAMES,
    GAUGE,
    TIME_SERIES
  }

  /** A colour from a value on; null for the first. */
  record Step(String colour, Double from) {}

  /** What is asked of Prometheus, and how its series are called. */
  record Query(String legend, String expression) {}

  Panel {
    steps = List.copyOf(steps);
    queries = List.copyOf(queries);
  }

  private static Panel of(Kind kind, String title, String unit) {
    return new Panel(
        kind, title, "", unit, false, false, List.of(new Step("green", null)), List.of());
  }

  /** One number. */
  static Panel stat(String title, String unit) {
    return of(Kind.STAT, title, unit);
  }

  /** The names of series. */
  static Panel names(String title) {
    return of(Kind.NAMES, title, "none");
  }

  /** A share of one. */
  static Panel gauge(String title) {
    return of(Kind.GAUGE, title, "percentunit");
  }

  /** Lines over time. */
  static Panel series(String title, String unit) {
    return of(Kind.TIME_SERIES, title, unit);
  }

  Panel says(String text) {
    return new Panel(kind, title, text.strip(), unit, whole, stacked, steps, queries);
  }

  /** Shows whole numbers. */
  Panel counted() {
    return new Panel(kind, title, says, unit, true, stacked, steps, queries);
  }

  Panel stack() {
    return new Panel(kind, title, says, unit, whole, true, steps, queries);
  }

  /** Sets the colour of the smallest values. */
  Panel at(String colour) {
    return new Panel(
        kind, title, says, unit, whole, stacked, List.of(new Step(colour, null)), queries);
  }

  /** Adds a colour from a value on. */
  Panel from(double value, String colour) {
    List<Step> more = new ArrayList<>(steps);
    more.add(new Step(colour, value));
    return new Panel(kind, title, says, unit, whole, stacked, more, queries);
  }

  Panel asks(String legend, String expression) {
    List<Query> more = new ArrayList<>(queries);
    more.add(new Query(legend, expression));
    return new Panel(kind, title, says, unit, whole, stacked, steps, more);
  }
}
