package io.numaspark.controller.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the walks of docs/architecture.md to the files that exist, and to their own numbers. */
class WalksTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Pattern WALK =
      Pattern.compile("\\*\\*[^:*]+: (\\d+) files\\*\\*[^:]+:\n\n((?:    [\\w ]+\n)+)");

  @Test
  void eachWalkHasItsNumberOfFilesAndEachFileExists() throws IOException {
    Set<String> files;
    try (Stream<Path> tree = Files.walk(REPOSITORY.resolve("operator"))) {
      files =
          tree.filter(file -> file.toString().contains("/src/main/java/"))
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
    }
    List<MatchResult> walks =
        WALK.matcher(Files.readString(REPOSITORY.resolve("docs/architecture.md")))
            .results()
            .toList();
    assertThat(walks).hasSize(3);
    for (MatchResult walk : walks) {
      List<String> names = List.of(walk.group(2).trim().split("\\s+"));
      assertThat(names).hasSize(Integer.parseInt(walk.group(1))).doesNotHaveDuplicates();
      assertThat(files).containsAll(names);
    }
  }
}
