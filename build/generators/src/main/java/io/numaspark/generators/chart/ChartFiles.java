package io.numaspark.generators.chart;

import io.numaspark.generators.GeneratedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the chart says of its values in two further places: the descriptions in values.schema.json,
 * and the tables in its README. The comments in values.yaml are where they are written.
 *
 * <p>Limit: types and bounds in the schema, and the README down to its tables, are written by hand.
 */
public final class ChartFiles {
  private static final String CHART = "charts/numaspark/";
  private static final String SCHEMA = CHART + "values.schema.json";
  private static final String README = CHART + "README.md";
  private static final String GENERATED =
      "<!-- Everything below is generated from values.yaml and values.schema.json: `make generate`. -->\n";

  private ChartFiles() {}

  /** From the files as they are: what is written by hand in them stays. */
  public static List<GeneratedFile> of(Path repository) throws IOException {
    List<ChartValue> values = ChartValue.read(repository.resolve(CHART + "values.yaml"));
    ChartSchema schema = ChartSchema.read(repository.resolve(SCHEMA));
    schema.describe(values);
    schema.require(values);
    String readme = Files.readString(repository.resolve(README));
    int begin = readme.indexOf(GENERATED);
    if (begin < 0) {
      throw new IllegalStateException(README + " lacks the line " + GENERATED.strip());
    }
    return List.of(
        new GeneratedFile(SCHEMA, schema.toString()),
        new GeneratedFile(README, readme.substring(0, begin) + GENERATED + tables(values, schema)));
  }

  private static String tables(List<ChartValue> values, ChartSchema schema) {
    StringBuilder out = new StringBuilder();
    out.append("\n### General\n");
    rows(
        values.stream().filter(value -> value.path().size() == 1 && !value.group()).toList(),
        schema,
        out);
    for (ChartValue group : values.stream().filter(value -> value.group()).toList()) {
      if (group.path().size() == 1) {
        out.append("\n### `").append(group.name()).append("`\n\n").append(group.comment());
        out.append("\n");
        String prefix = group.name() + ".";
        rows(
            values.stream().filter(value -> value.name().startsWith(prefix)).toList(), schema, out);
      }
    }
    return out.toString();
  }

  private static void rows(List<ChartValue> rows, ChartSchema schema, StringBuilder out) {
    out.append("\n| value | type | default | meaning |\n| --- | --- | --- | --- |\n");
    for (ChartValue row : rows) {
      out.append("| `").append(row.name()).append("` | ");
      out.append(row.group() ? "" : schema.type(row.path())).append(" | ");
      out.append(row.group() ? "" : "`" + row.absent() + "`").append(" | ");
      out.append(row.comment().replace("|", "\\|")).append(" |\n");
    }
  }
}
