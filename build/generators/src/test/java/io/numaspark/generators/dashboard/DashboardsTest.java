package io.numaspark.generators.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the queries of the dashboards to what exists: the metrics of docs/metrics.md, which are
 * those that are registered, the Spark plugin's gauges, what kube-state-metrics is told to tell,
 * and what the rules record.
 */
class DashboardsTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path CHART_FILES = REPOSITORY.resolve("charts/numaspark/files");
  private static final String OF_PLUGIN = "numaspark_facts_";

  @Test
  void everyMetricOfTheOperatorIsShownAndExists() throws IOException {
    Set<String> shown =
        shown("\\bnumaspark_[A-Za-z_]+").stream()
            .filter(name -> !name.startsWith(OF_PLUGIN))
            .map(name -> name.replaceFirst("_(bucket|count|sum)$", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(shown).isEqualTo(found("docs/metrics.md", "^\\| `(numaspark_[a-z_]+)` "));
  }

  @Test
  void gaugesOfTheSparkPluginExist() throws IOException {
    assertThat(shown(OF_PLUGIN + "[A-Za-z]+"))
        .isNotEmpty()
        .allSatisfy(
            name ->
                assertThat(Files.readString(REPOSITORY.resolve("docs/spark-plugin.md")))
                    .contains("`" + name.substring(OF_PLUGIN.length()) + "`"));
  }

  @Test
  void whatKubeStateMetricsTellsOfOurObjectsIsConfigured() throws IOException {
    String configuration =
        Files.readString(CHART_FILES.resolve("kube-state-metrics/numaspark.yaml"));
    Set<String> configured = new TreeSet<>();
    String prefix = "";
    for (String line : configuration.lines().map(String::strip).toList()) {
      if (line.startsWith("metricNamePrefix: ")) {
        prefix = line.substring("metricNamePrefix: ".length());
      } else if (line.startsWith("- name: ")) {
        configured.add(prefix + "_" + line.substring("- name: ".length()));
      }
    }
    assertThat(configured)
        .containsAll(shown("kube_(spark|scheduledspark)[a-z_]+"))
        .isEqualTo(found("docs/kube-state-metrics.md", "^\\| `(kube_[a-z_]+)` "));
  }

  @Test
  void whatRulesRecordExists() throws IOException {
    assertThat(found("charts/numaspark/files/rules/comparison.yaml", "record: (numaspark:\\S+)"))
        .containsAll(shown("numaspark:[a-z0-9_:]+"));
  }

  /** What the queries of all dashboards, and what the variables ask for, name. */
  private static Set<String> shown(String metric) {
    return Stream.concat(
            Dashboards.ALL.stream()
                .flatMap(dashboard -> dashboard.panels().stream())
                .flatMap(panel -> panel.queries().stream())
                .map(Panel.Query::expression),
            Dashboards.ALL.stream()
                .flatMap(dashboard -> dashboard.variables().stream())
                .map(Dashboard.Variable::metric))
        .flatMap(text -> Pattern.compile(metric).matcher(text).results())
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> found(String file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(REPOSITORY.resolve(file)))
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
