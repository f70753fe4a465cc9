package io.numaspark.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every link of a page leads somewhere, and so does every page that code, chart or alerts name.
 *
 * <p>Limit: links into the web are not followed.
 */
class LinksTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path DOCS = REPOSITORY.resolve("docs");
  private static final Pattern WEB = Pattern.compile("[a-z]+:.*");
  private static final Pattern NAMED =
      Pattern.compile("docs/([a-z0-9-]+/)*[a-z0-9-]+[.](?:md|svg|yaml)(?:#[a-z0-9_-]+)?");

  private final Map<Path, Page> pages;

  LinksTest() throws IOException {
    pages = Page.all().stream().collect(Collectors.toMap(Page::file, Function.identity()));
  }

  @Test
  void everyLinkOfAPageLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    for (Page page : pages.values()) {
      for (String link : page.links()) {
        if (!WEB.matcher(link).matches() && !leadsSomewhere(page.file(), link)) {
          broken.add(page + ": " + link);
        }
      }
    }
    assertThat(pages).hasSizeGreaterThan(30);
    assertThat(broken).isEmpty();
  }

  private boolean leadsSomewhere(Path from, String link) {
    String[] parts = link.split("#", 2);
    Path to = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
    if (parts.length == 1 || !pages.containsKey(to)) {
      return Files.exists(to);
    }
    return pages.get(to).anchors().contains(parts[1]);
  }

  @Test
  void everyPageIsInTheIndex() {
    Page index = pages.get(DOCS.resolve("README.md"));
    Set<Path> linked =
        index.links().stream()
            .map(link -> index.file().resolveSibling(link).normalize())
            .collect(Collectors.toSet());
    assertThat(pages.keySet().stream().filter(file -> file.startsWith(DOCS)))
        .filteredOn(file -> !file.startsWith(DOCS.resolve("decisions")) && file != index.file())
        .isSubsetOf(linked);
  }

  /** Messages, comments and runbooks name pages, too. */
  @Test
  void everyPageThatASourceNamesIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    int seen = 0;
    for (Path source : sources()) {
      Matcher named = NAMED.matcher(Files.readString(source));
      while (named.find()) {
        seen++;
        if (!leadsSomewhere(REPOSITORY.resolve("README.md"), named.group())) {
          broken.add(REPOSITORY.relativize(source) + ": " + named.group());
        }
      }
    }
    assertThat(seen).isGreaterThan(50);
    assertThat(broken).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder :
        List.of(
            "operator", "spark-plugin", "bench", "build", "charts", "dashboards", "e2e", "lab")) {
      try (Stream<Path> found = Files.walk(REPOSITORY.resolve(folder))) {
        found
            .filter(
                file ->
                    file.toString().matches(".*/(src|bench|build|charts|dashboards|e2e|lab)/.*"))
            .filter(file -> file.toString().matches(".*[.](java|ya?ml|json|sh|tpl|txt)"))
            .filter(file -> !file.toString().contains("/target/"))
            .filter(Files::isRegularFile)
            .forEach(sources::add);
      }
    }
    return sources;
  }
}
