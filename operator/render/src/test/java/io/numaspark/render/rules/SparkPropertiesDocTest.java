package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Specs.application;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the table of docs/spark-properties.md to what rendering does with each property that is
 * written out in full.
 */
class SparkPropertiesDocTest {
  private static final Path PAGE = Path.of("../../docs/spark-properties.md");
  private static final Pattern PROPERTY = Pattern.compile("`(spark\\.[A-Za-z0-9.]+)`");

  /** One property and the word that its row starts with. */
  record Row(String property, String verdict) {}

  static Stream<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      String[] cells = line.split("\\|");
      if (cells.length < 4 || !cells[1].strip().startsWith("`spark.")) {
        continue;
      }
      Matcher matcher = PROPERTY.matcher(cells[1]);
      while (matcher.find()) {
        rows.add(new Row(matcher.group(1), cells[2].strip().split("[ :;,]")[0]));
      }
    }
    return rows.stream();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isRefusedIfAndOnlyIfThePageSaysSo(Row row) {
    // 2 is a number, a size, a factor and a text, so only the property itself can be refused.
    RenderResult result =
        new ApplicationRenderer("spark")
            .render(application("sparkConf: {'" + row.property() + "': '2'}"), Optional.empty());
    boolean refused = result instanceof Refusal;
    assertThat(refused)
        .as(row.property() + ": " + result)
        .isEqualTo(row.verdict().equals("refused"));
  }
}
