package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.planner.fixture.NamedMachines.NamedMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the console blocks in docs/ to what the command prints; {@code -Dgolden.update} writes them
 * anew.
 */
class ConsoleDocsGoldenTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path PLANS = REPOSITORY.resolve("docs/plans.md");
  private static final Pattern BLOCK =
      Pattern.compile("```console\n\\$ numaspark ([^\n]*)\n(.*?)```", Pattern.DOTALL);

  static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(REPOSITORY.resolve("docs"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void consoleBlocksAreWhatTheCommandPrints(Path page) throws IOException {
    String text = Files.readString(page);
    String current =
        BLOCK.matcher(text).replaceAll(block -> Matcher.quoteReplacement(printed(block)));
    GoldenFile.hold(page, current);
  }

  @ParameterizedTest
  @MethodSource("io.numaspark.planner.fixture.NamedMachines#all")
  void everyNamedMachineIsShownWithItsTopology(NamedMachine named) throws IOException {
    assertThat(Files.readString(PLANS))
        .contains("docs/examples/topologies/" + named.name() + ".yaml")
        .contains("\n" + named.machine().topology().describe());
  }

  private static String printed(MatchResult block) {
    List<Object> arguments = new ArrayList<>();
    Arrays.stream(block.group(1).split(" "))
        .map(word -> word.startsWith("docs/") ? REPOSITORY.resolve(word) : word)
        .forEach(arguments::add);
    Cli cli = Cli.run(arguments.toArray());
    assertThat(cli.err()).as(block.group(1)).isEmpty();
    return "```console\n$ numaspark %s\n%s```".formatted(block.group(1), cli.out());
  }
}
