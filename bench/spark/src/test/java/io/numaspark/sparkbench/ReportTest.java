package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {

  @Test
  void tellsTimesAsMedianAndShares() {
    String report = Report.of(Examples.results(), Map.of(), "example.svg");

    assertThat(report)
        .contains("| query | old | new |")
        .contains("| heavy | 6.00 ± 2.00 s | 63 % (50 to 75) |")
        .contains("| GC, share of task time | 25.0 % | 25.0 % |")
        .contains("Results: the same rows in all variants.");
  }

  @Test
  void saysOfEachGoalWhetherItIsMet() {
    String report =
        Report.of(
            Examples.results(
                new Goal.OneQuery("heavy", "new", "old", 0.66),
                new Goal.OneQuery("heavy", "newer", "old", 0.66)),
            Map.of(),
            "example.svg");

    assertThat(report)
        .contains("than old: **met**")
        .contains("newer: at least 34 % less time than old: not measured");
  }

  @Test
  void namesRowsThatDiffer() {
    assertThat(
            Report.of(
                Examples.results(),
                Map.of("heavy, new", "1 rows expected, 0 found"),
                "example.svg"))
        .contains("**Results differ** from old:\n\n- heavy, new: 1 rows expected, 0 found");
  }

  @Test
  void drawsABarForEachRatio() throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(Plot.of(Examples.results()))));

    assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo("An <example>");
    // The page, one entry in the legend, and a bar for each of the two queries.
    assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(4);
  }
}
