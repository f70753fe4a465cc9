package io.numaspark.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.render.fixture.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/kubeflow-fields.md to our schema and to kubeflow's fields. */
class KubeflowFieldsTest {
  private static final Path DOCUMENT = Path.of("../../docs/kubeflow-fields.md");
  private static final Path CRD = Path.of("../../crds/sparkapplications.numaspark.io.yaml");
  private static final Path KUBEFLOW = Path.of("src/test/resources/kubeflow-v1beta2-fields.txt");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** Parts of the schema whose own fields are ours; everything below others is Kubernetes'. */
  private static final Set<String> PARTS =
      Set.of(
          "deps",
          "driver",
          "executor",
          "driver.gpu",
          "executor.gpu",
          "restartPolicy",
          "dynamicAllocation",
          "monitoring",
          "monitoring.prometheus",
          "sparkUIOptions",
          "driverIngressOptions",
          "batchSchedulerOptions");

  @Test
  void everyFieldOfTheSchemaIsInTheDocumentOnce() throws IOException {
    List<String> documented = fields("");
    assertThat(documented).doesNotHaveDuplicates();
    assertThat(documented).containsExactlyInAnyOrderElementsOf(schema());
  }

  @Test
  void everyFieldOfKubeflowsIsInItsTables() throws IOException {
    Set<String> kubeflows = kubeflow();
    List<String> ours = fields("## Only in numaspark");
    Set<String> compared = new TreeSet<>(fields(""));
    compared.removeAll(ours);
    assertThat(compared).isEqualTo(kubeflows);
  }

  @Test
  void everyRowSaysWhetherTheFieldIsSupportedAndWhy() throws IOException {
    assertThat(rows("")).hasSizeGreaterThan(50);
    for (String row : rows("")) {
      List<String> cells = List.of(row.split("\\|", -1));
      if (cells.size() == 5) {
        assertThat(cells.get(2).strip()).as(row).isIn("yes", "in part", "no");
        assertThat(cells.get(3)).as(row).isNotBlank();
      }
    }
  }

  /** Field names in the first column, from a heading on. */
  private static List<String> fields(String heading) throws IOException {
    List<String> fields = new ArrayList<>();
    for (String row : rows(heading)) {
      Matcher names = NAME.matcher(row.split("\\|", -1)[1]);
      while (names.find()) {
        fields.add(names.group(1));
      }
    }
    return fields;
  }

  private static List<String> rows(String heading) throws IOException {
    String text = Files.readString(DOCUMENT);
    return text.substring(text.indexOf(heading))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .toList();
  }

  private static Set<String> schema() throws IOException {
    Set<String> fields = new TreeSet<>();
    add(
        fields,
        "",
        Resources.tree(Files.readString(CRD))
            .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"));
    return fields;
  }

  private static void add(Set<String> fields, String prefix, JsonNode properties) {
    properties
        .properties()
        .forEach(
            property -> {
              String name = prefix + property.getKey();
              fields.add(name);
              if (PARTS.contains(name)) {
                boolean list = property.getValue().has("items");
                add(
                    fields,
                    name + (list ? "[]." : "."),
                    property.getValue().at(list ? "/items/properties" : "/properties"));
              }
            });
  }

  private static Set<String> kubeflow() throws IOException {
    Set<String> fields = new TreeSet<>();
    for (String line : Files.readAllLines(KUBEFLOW)) {
      if (!line.startsWith("#")) {
        String prefix = line.substring(0, line.indexOf(':'));
        for (String name : line.substring(line.indexOf(':') + 1).strip().split(" ")) {
          fields.add(prefix + name);
        }
      }
    }
    return fields;
  }
}
