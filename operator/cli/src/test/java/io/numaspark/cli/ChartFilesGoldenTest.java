package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds what the chart says of itself in three places to the first of them: the comments in
 * values.yaml, the descriptions in values.schema.json, the tables in its README.
 */
class ChartFilesGoldenTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path CHART = REPOSITORY.resolve("charts/numaspark");
  private static final Path SCHEMA = CHART.resolve("values.schema.json");
  private static final Path README = CHART.resolve("README.md");
  private static final String GENERATED =
      "<!-- Everything below is generated from values.yaml and values.schema.json: `make generate`. -->\n";

  private static final Set<String> ABOUT_THE_CHART =
      Set.of("install.md", "agent.md", "metrics.md", "dashboards.md", "kube-state-metrics.md");
  private static final Pattern SET = Pattern.compile("--set '?([A-Za-z]+(?:[.][A-Za-z]+)*)=");
  private static final Pattern QUOTED =
      Pattern.compile(
          "`((?:agent|networkPolicy|dashboards|log|serviceAccount|sharedPages|podSecurityContext"
              + "|kubeStateMetrics"
              + "|metrics[.](?:serviceMonitor|podMonitor|driverPodMonitor|prometheusRule|annotations|port|service))"
              + "(?:[.][A-Za-z]+)*)(?:[:=] ?[^`]*)?`");

  /** Objects whose keys are others' business: parents of the chart, and sources of volumes. */
  private static final String[] OPEN = {
    "/properties/global",
    "/properties/extraVolumes/items/properties/configMap",
    "/properties/extraVolumes/items/properties/csi",
    "/properties/extraVolumes/items/properties/downwardAPI",
    "/properties/extraVolumes/items/properties/emptyDir",
    "/properties/extraVolumes/items/properties/ephemeral",
    "/properties/extraVolumes/items/properties/image",
    "/properties/extraVolumes/items/properties/persistentVolumeClaim",
    "/properties/extraVolumes/items/properties/projected",
    "/properties/extraVolumes/items/properties/secret"
  };

  private final List<ChartValue> values;
  private final ChartSchema schema;

  ChartFilesGoldenTest() throws IOException {
    values = ChartValue.read(CHART.resolve("values.yaml"));
    schema = ChartSchema.read(SCHEMA);
  }

  @Test
  void everyValueHasACommentAndASchema() {
    assertThat(values).isNotEmpty();
    assertThat(values)
        .allSatisfy(value -> assertThat(value.comment()).as(value.name()).isNotEmpty());
    assertThat(values)
        .allSatisfy(
            value ->
                assertThat(schema.of(value.path()).isMissingNode()).as(value.name()).isFalse());
  }

  /** So that values.yaml, and with it the README, shows everything that can be set. */
  @Test
  void everySchemaHasAValue() {
    List<String> missing = new ArrayList<>();
    for (ChartValue group : groups()) {
      for (String key : keys(schema.resolved(schema.of(group.path())))) {
        List<String> path = new ArrayList<>(group.path());
        path.add(key);
        if (values.stream().noneMatch(value -> value.path().equals(path))) {
          missing.add(String.join(".", path));
        }
      }
    }
    assertThat(missing)
        .as("in values.schema.json, but not in values.yaml")
        .containsExactly("global");
  }

  private List<ChartValue> groups() {
    List<ChartValue> groups = new ArrayList<>();
    groups.add(new ChartValue(List.of(), "", "", true));
    values.stream().filter(ChartValue::group).forEach(groups::add);
    return groups;
  }

  private static List<String> keys(JsonNode schema) {
    List<String> keys = new ArrayList<>();
    schema.path("properties").fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  @Test
  void aMisspeltKeyIsRefusedWhereverItStands() {
    assertThat(schema.open()).containsExactlyInAnyOrder(OPEN);
  }

  @Test
  void theSchemaHasTheCommentsAndWhatIsRequired() throws IOException {
    schema.describe(values);
    schema.require(values);
    GoldenFile.hold(SCHEMA, schema.toString());
  }

  @Test
  void theReadmeHasTheValues() throws IOException {
    String text = Files.readString(README);
    assertThat(text).contains(GENERATED);
    String byHand = text.substring(0, text.indexOf(GENERATED) + GENERATED.length());
    GoldenFile.hold(README, byHand + tables());
  }

  private String tables() {
    StringBuilder out = new StringBuilder();
    table("General", values.stream().filter(value -> value.path().size() == 1).toList(), out);
    for (ChartValue group : values.stream().filter(value -> value.group()).toList()) {
      if (group.path().size() == 1) {
        out.append("\n### `").append(group.name()).append("`\n\n").append(group.comment());
        out.append("\n");
        String prefix = group.name() + ".";
        rows(values.stream().filter(value -> value.name().startsWith(prefix)).toList(), out);
      }
    }
    return out.toString();
  }

  private void table(String title, List<ChartValue> rows, StringBuilder out) {
    out.append("\n### ").append(title).append("\n");
    rows(rows.stream().filter(value -> !value.group()).toList(), out);
  }

  private void rows(List<ChartValue> rows, StringBuilder out) {
    out.append("\n| value | type | default | meaning |\n| --- | --- | --- | --- |\n");
    for (ChartValue row : rows) {
      out.append("| `").append(row.name()).append("` | ");
      out.append(row.group() ? "" : schema.type(row.path())).append(" | ");
      out.append(row.group() ? "" : "`" + row.absent() + "`").append(" | ");
      out.append(row.comment().replace("|", "\\|")).append(" |\n");
    }
  }

  /** What the documentation tells readers to set can be set. */
  @Test
  void docsNameValuesThatExist() throws IOException {
    List<String> unknown = new ArrayList<>();
    int seen = 0;
    for (Path file : documentation()) {
      String text = Files.readString(file);
      Matcher named = SET.matcher(text);
      while (named.find()) {
        seen++;
        check(file, named.group(1), unknown);
      }
      if (ABOUT_THE_CHART.contains(file.getFileName().toString())) {
        Matcher quoted = QUOTED.matcher(text);
        while (quoted.find()) {
          seen++;
          check(file, quoted.group(1), unknown);
        }
      }
    }
    assertThat(seen).isGreaterThan(20);
    assertThat(unknown).as("named in the documentation, but not in values.yaml").isEmpty();
  }

  private void check(Path file, String name, List<String> unknown) {
    List<String> path = List.of(name.split("[.]"));
    if (schema.of(path).isMissingNode() && values.stream().noneMatch(value -> holds(value, path))) {
      unknown.add(file.getFileName() + ": " + name);
    }
  }

  /** Below an object whose keys are free there may be anything. */
  private static boolean holds(ChartValue value, List<String> path) {
    return value.absent().startsWith("{")
        && path.size() > value.path().size()
        && path.subList(0, value.path().size()).equals(value.path());
  }

  private static List<Path> documentation() throws IOException {
    List<Path> files = new ArrayList<>(List.of(REPOSITORY.resolve("README.md"), README));
    try (Stream<Path> docs = Files.list(REPOSITORY.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(files::add);
    }
    return files;
  }

  /** Helm packages what is below the chart's own folder only. */
  @Test
  void theDashboardsAreThoseOfTheRepository() throws IOException {
    Path copies = CHART.resolve("files/dashboards");
    List<String> names = jsonFiles(REPOSITORY.resolve("dashboards"));
    assertThat(names).isNotEmpty();
    if (System.getProperty("golden.update") != null) {
      for (String old : jsonFiles(copies)) {
        Files.delete(copies.resolve(old));
      }
    }
    for (String name : names) {
      String text = Files.readString(REPOSITORY.resolve("dashboards").resolve(name));
      GoldenFile.hold(copies.resolve(name), text);
    }
    assertThat(jsonFiles(copies)).as("run `make generate`").isEqualTo(names);
  }

  private static List<String> jsonFiles(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .sorted()
          .toList();
    }
  }
}
