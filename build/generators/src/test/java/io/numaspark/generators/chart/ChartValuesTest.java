package io.numaspark.generators.chart;

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

/** Holds the chart's values, its schema and what the documentation says of them to one another. */
class ChartValuesTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path CHART = REPOSITORY.resolve("charts/numaspark");
  private static final Path SCHEMA = CHART.resolve("values.schema.json");
  private static final Path README = CHART.resolve("README.md");
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

  ChartValuesTest() throws IOException {
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
}
