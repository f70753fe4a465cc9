package io.numaspark.controller.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Holds the files of {@code dashboards/} to what is written here, and their queries to the metrics
 * of docs/metrics.md, which are those that are registered.
 */
class DashboardsGoldenTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final List<Dashboard> DASHBOARDS =
      List.of(FleetDashboard.dashboard(), OperatorDashboard.dashboard());
  private static final Pattern METRIC = Pattern.compile("numaspark_[a-z_]+");

  @Test
  void theFilesAreWhatIsWrittenHere() throws IOException {
    for (Dashboard dashboard : DASHBOARDS) {
      Path file = REPOSITORY.resolve("dashboards").resolve(dashboard.name() + ".json");
      String text = GrafanaJson.of(dashboard);
      if (System.getProperty("golden.update") != null) {
        Files.writeString(file, text);
      }
      assertThat(file)
          .as("if the change is wanted, run `make generate` and commit the result")
          .hasContent(text);
    }
  }

  @Test
  void noOtherFileLiesThere() throws IOException {
    try (var files = Files.list(REPOSITORY.resolve("dashboards"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              DASHBOARDS.stream().map(dashboard -> dashboard.name() + ".json").toList());
    }
  }

  @Test
  void everyMetricIsShownAndExists() throws IOException {
    Set<String> shown =
        DASHBOARDS.stream()
            .flatMap(dashboard -> dashboard.panels().stream())
            .flatMap(panel -> panel.queries().stream())
            .flatMap(query -> metrics(query.expression()).stream())
            .map(name -> name.replaceFirst("_(bucket|count|sum)$", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    String docs = Files.readString(REPOSITORY.resolve("docs/metrics.md"));
    Set<String> documented =
        Pattern.compile("^\\| `(numaspark_[a-z_]+)` ", Pattern.MULTILINE)
            .matcher(docs)
            .results()
            .map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(shown).isEqualTo(documented);
  }

  private static List<String> metrics(String expression) {
    return METRIC.matcher(expression).results().map(MatchResult::group).toList();
  }
}
