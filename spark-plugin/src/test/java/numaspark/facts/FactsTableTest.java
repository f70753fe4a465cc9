package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import numaspark.facts.ExecutorFacts.Placement;
import org.junit.jupiter.api.Test;

class FactsTableTest {

  @Test
  void aRowForEachExecutor() {
    ExecutorFacts facts = FactsBoardTest.known("4", new Placement("2-3", "1", "1", false), 0.25);
    assertThat(FactsTable.html(List.of(facts)))
        .contains(
            "<td>4</td><td>host-4</td><td>2-3</td><td>1</td><td>1</td><td>yes</td><td>25.0 %</td>"
                + "<td>0.25 s</td><td>25.0 %</td><td>25.0 %</td><td>0.25</td><td>1.0, 4</td>");
  }

  @Test
  void whatIsUnknownIsAQuestion() {
    assertThat(FactsTable.html(List.of(FactsBoardTest.unknown("4"))))
        .contains("<tr title=\"x: y\"><td>4</td><td>host</td>" + "<td>?</td>".repeat(10));
  }

  @Test
  void textOfOthersIsNoHtml() {
    ExecutorFacts facts =
        FactsBoardTest.known("\"><script>", new Placement("<b>&", "'", "0", false), 0);
    assertThat(FactsTable.html(List.of(facts)))
        .doesNotContain("<script", "<b>", "&'")
        .contains("&quot;&gt;&lt;script&gt;", "&lt;b&gt;&amp;", "&#39;");
    assertThat(FactsTable.escape("\u0000a\nb")).isEqualTo("?a\nb");
  }

  @Test
  void aPageHasAnEnd() {
    List<ExecutorFacts> many =
        IntStream.range(0, 1500).mapToObj(id -> FactsBoardTest.unknown("" + id)).toList();
    assertThat(FactsTable.html(many))
        .contains("The first 1000 of 1500", "<td>999</td>")
        .doesNotContain("<td>1000</td>");
    assertThat(FactsTable.html(List.of())).contains("No executor");
  }
}
