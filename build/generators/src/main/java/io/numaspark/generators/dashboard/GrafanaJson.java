package io.numaspark.generators.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.generators.dashboard.Dashboard.Row;
import io.numaspark.generators.dashboard.Dashboard.Variable;
import io.numaspark.generators.dashboard.Panel.Kind;
import io.numaspark.generators.dashboard.Panel.Query;
import io.numaspark.generators.dashboard.Panel.Step;
import java.util.List;
import java.util.Locale;

/**
 * Writes dashboards as Grafana 10 imports them, with the data source as an input and as a variable.
 *
 * <p>Limit: only what these dashboards use of Grafana's schema.
 */
final class GrafanaJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int WIDTH = 24;
  private static final String SOURCE = "${datasource}";

  private int nextId = 1;
  private int y;

  private GrafanaJson() {}

  /** The text of a dashboard's file. */
  static String of(Dashboard dashboard) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter()
            .withArrayIndenter(new DefaultIndenter("  ", "\n"))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"));
    try {
      return new ObjectMapper()
              .writer(printer)
              .writeValueAsString(new GrafanaJson().node(dashboard))
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private ObjectNode node(Dashboard dashboard) {
    ObjectNode json = NODES.objectNode();
    json.withArray("__inputs")
        .addObject()
        .put("name", "DS_PROMETHEUS")
        .put("label", "Prometheus")
        .put("description", "The Prometheus that scrapes the operator.")
        .put("type", "datasource")
        .put("pluginId", "prometheus")
        .put("pluginName", "Prometheus");
    ArrayNode requires = json.withArray("__requires");
    require(requires, "grafana", "grafana", "Grafana", "10.0.0");
    require(requires, "datasource", "prometheus", "Prometheus", "1.0.0");
    dashboard.panels().stream()
        .map(panel -> type(panel.kind()))
        .distinct()
        .sorted()
        .forEach(type -> require(requires, "panel", type, type, ""));
    json.put("title", dashboard.title());
    json.put("uid", "numaspark-" + dashboard.name());
    json.put("description", dashboard.description());
    json.withArray("tags").add("numaspark").add("spark");
    json.put("schemaVersion", 38).put("version", 1).put("editable", true).put("graphTooltip", 1);
    json.put("refresh", "30s");
    json.withObject("/time").put("from", "now-1h").put("to", "now");
    json.withObject("/annotations").putArray("list");
    json.putArray("links")
        .addObject()
        .put("type", "dashboards")
        .put("title", "numaspark")
        .put("icon", "external link")
        .put("tooltip", "")
        .put("asDropdown", true)
        .put("includeVars", true)
        .put("keepTime", true)
        .putArray("tags")
        .add("numaspark");
    ArrayNode variables = json.withObject("/templating").putArray("list").add(dataSource());
    dashboard.variables().forEach(variable -> variables.add(choice(variable)));
    ArrayNode panels = json.putArray("panels");
    dashboard.rows().forEach(row -> add(panels, row));
    return json;
  }

  private static void require(
      ArrayNode requires, String type, String id, String name, String version) {
    requires.addObject().put("type", type).put("id", id).put("name", name).put("version", version);
  }

  private static ObjectNode dataSource() {
    ObjectNode variable = NODES.objectNode();
    variable
        .put("name", "datasource")
        .put("label", "Data source")
        .put("type", "datasource")
        .put("query", "prometheus");
    variable
        .putObject("current")
        .put("selected", false)
        .put("text", "${DS_PROMETHEUS}")
        .put("value", "${DS_PROMETHEUS}");
    variable.putArray("options");
    return variable.put("refresh", 1).put("hide", 0).put("includeAll", false).put("multi", false);
  }

  private static ObjectNode choice(Variable variable) {
    String query = "label_values(%s, %s)".formatted(variable.metric(), variable.name());
    ObjectNode json = NODES.objectNode().put("name", variable.name());
    json.put("label", variable.title()).put("type", "query").put("definition", query);
    json.set("datasource", source());
    json.putObject("query").put("query", query).put("refId", "PrometheusVariableQueryEditor");
    json.putObject("current").put("selected", true).put("text", "All").put("value", "$__all");
    json.putArray("options");
    // Asked anew when the time range changes; by name; all means any value.
    json.put("refresh", 2).put("sort", 1).put("hide", 0).put("allValue", ".*");
    return json.put("includeAll", true).put("multi", true);
  }

  private void add(ArrayNode panels, Row row) {
    ObjectNode heading = panels.addObject().put("id", nextId++).put("type", "row");
    heading.put("title", row.title()).put("collapsed", false);
    heading.set("gridPos", place(0, WIDTH, 1));
    heading.putArray("panels");
    y++;
    for (List<Panel> line : row.lines()) {
      int width = WIDTH / line.size();
      int height = line.stream().anyMatch(panel -> panel.kind() == Kind.TIME_SERIES) ? 8 : 4;
      for (int i = 0; i < line.size(); i++) {
        panels.add(node(line.get(i), place(i * width, width, height)));
      }
      y += height;
    }
  }

  private ObjectNode place(int x, int width, int height) {
    return NODES.objectNode().put("h", height).put("w", width).put("x", x).put("y", y);
  }

  private ObjectNode node(Panel panel, ObjectNode place) {
    ObjectNode json = NODES.objectNode().put("id", nextId++).put("type", type(panel.kind()));
    json.put("title", panel.title()).put("description", panel.says());
    json.set("datasource", source());
    json.set("gridPos", place);
    ObjectNode fieldConfig = json.putObject("fieldConfig");
    fieldConfig.set("defaults", defaults(panel));
    fieldConfig.putArray("overrides");
    json.set("options", options(panel.kind()));
    ArrayNode targets = json.putArray("targets");
    boolean overTime = panel.kind() == Kind.TIME_SERIES;
    char ref = 'A';
    for (Query query : panel.queries()) {
      ObjectNode target = targets.addObject().put("refId", String.valueOf(ref++));
      target.set("datasource", source());
      target
          .put("editorMode", "code")
          .put("expr", query.expression())
          .put("legendFormat", query.legend())
          .put("instant", !overTime)
          .put("range", overTime);
    }
    return json;
  }

  private static String type(Kind kind) {
    return kind == Kind.TIME_SERIES
        ? "timeseries"
        : kind == Kind.NAMES ? "stat" : kind.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode source() {
    return NODES.objectNode().put("type", "prometheus").put("uid", SOURCE);
  }

  private static ObjectNode defaults(Panel panel) {
    boolean overTime = panel.kind() == Kind.TIME_SERIES;
    ObjectNode defaults = NODES.objectNode().put("unit", panel.unit());
    defaults.putObject("color").put("mode", overTime ? "palette-classic" : "thresholds");
    defaults.putArray("mappings");
    ArrayNode steps = defaults.putObject("thresholds").put("mode", "absolute").putArray("steps");
    for (Step step : panel.steps()) {
      steps.addObject().put("color", step.colour()).put("value", step.from());
    }
    if (panel.whole()) {
      defaults.put("decimals", 0);
    }
    if (panel.kind() == Kind.GAUGE) {
      defaults.put("min", 0).put("max", 1);
    }
    if (overTime) {
      ObjectNode custom = defaults.put("min", 0).putObject("custom");
      custom
          .put("drawStyle", "line")
          .put("lineInterpolation", panel.stacked() ? "stepAfter" : "linear")
          .put("lineWidth", 1)
          .put("fillOpacity", panel.stacked() ? 40 : 10)
          .put("showPoints", "never")
          .put("spanNulls", false);
      custom
          .putObject("stacking")
          .put("mode", panel.stacked() ? "normal" : "none")
          .put("group", "A");
    }
    return defaults;
  }

  private static ObjectNode options(Kind kind) {
    ObjectNode options = NODES.objectNode();
    if (kind == Kind.TIME_SERIES) {
      ObjectNode legend =
          options
              .putObject("legend")
              .put("displayMode", "table")
              .put("placement", "bottom")
              .put("showLegend", true);
      legend.putArray("calcs").add("lastNotNull").add("max");
      options.putObject("tooltip").put("mode", "multi").put("sort", "desc");
      return options;
    }
    ObjectNode reduce = options.putObject("reduceOptions");
    reduce.putArray("calcs").add("lastNotNull");
    reduce.put("fields", "").put("values", false);
    options.put("orientation", "auto");
    if (kind == Kind.GAUGE) {
      return options.put("showThresholdLabels", false).put("showThresholdMarkers", true);
    }
    return options
        .put("colorMode", "value")
        .put("graphMode", "none")
        .put("justifyMode", "auto")
        .put("textMode", kind == Kind.NAMES ? "name" : "auto");
  }
}
