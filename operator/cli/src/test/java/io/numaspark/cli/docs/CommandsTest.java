package io.numaspark.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.numaspark.cli.CommandLines;
import io.numaspark.cli.cluster.KubectlCommandLines;
import io.numaspark.planner.fixture.Page;
import io.numaspark.planner.fixture.Page.Block;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Every command that a page shows could be typed: our own parse, and run if what they read is in
 * the repository; of others, what they name of ours is there.
 *
 * <p>Limit: values of {@code helm --set} are held to the chart by ChartFilesGoldenTest, and what
 * {@code console} blocks print by ConsoleDocsGoldenTest.
 */
class CommandsTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Pattern TARGET = Pattern.compile("^([a-z0-9-]+):", Pattern.MULTILINE);
  private static final Pattern NAME_IN_CRD =
      Pattern.compile("^ +(?:name:|-) ([a-z]+(?:[.]numaspark[.]io)?)$", Pattern.MULTILINE);
  private static final Pattern OURS = Pattern.compile("((scheduled)?spark|ns|sn[pt])[a-z]+.*");
  private static final Pattern INLINE = Pattern.compile("`((?:kubectl )?numaspark [a-z-]+[^`]*)`");
  private static final Pattern LONG_OPTION = Pattern.compile("--[a-z]+(?:-[a-z]+)*");

  /** Programs of others, whose words are their own business. */
  private static final Set<String> OTHERS =
      Set.of(
          "awk",
          "docker",
          "echo",
          "eval",
          "export",
          "git",
          "grep",
          "lab",
          "rm",
          "spark-submit",
          "systemctl");

  static List<Block> blocks() throws IOException {
    return Page.all().stream()
        .flatMap(page -> page.blocks().stream())
        .filter(block -> Set.of("sh", "console").contains(block.language()))
        .filter(block -> block.notChecked().isEmpty())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void everyCommandCouldBeTyped(Block block) {
    List<ShellLine> commands = ShellLine.of(block);
    assertThat(commands).as("commands of the block").isNotEmpty();
    commands.forEach(CommandsTest::check);
  }

  private static void check(ShellLine command) {
    if (command.startsWith("kubectl", "numaspark")) {
      KubectlCommandLines.make().parseArgs(arguments(command, 2));
    } else if (command.program().equals("numaspark")) {
      CommandLines.make().parseArgs(arguments(command, 1));
      runIfItsFilesAreHere(command);
    } else if (command.program().equals("make")) {
      assertThat(targets()).contains(command.words().get(1));
    } else if (command.program().contains("/")) {
      assertThat(REPOSITORY.resolve(command.program())).isExecutable();
    } else if (Set.of("kubectl", "helm").contains(command.program())) {
      namesWhatIsThere(command);
    } else if (!OTHERS.contains(command.program())) {
      fail(
          "%s: what is this? Mark the block <!-- not checked: REASON -->, or teach this test",
          command);
    }
  }

  private static String[] arguments(ShellLine command, int from) {
    return command.words().subList(from, command.words().size()).toArray(String[]::new);
  }

  private static void runIfItsFilesAreHere(ShellLine command) {
    List<String> files = command.valuesOf("-f");
    if (files.isEmpty()
        || command.words().contains("--in-place")
        || !files.stream().allMatch(file -> Files.exists(REPOSITORY.resolve(file)))) {
      return;
    }
    Object[] words =
        Stream.of(arguments(command, 1))
            .map(word -> files.contains(word) ? REPOSITORY.resolve(word) : word)
            .toArray();
    assertThat(CommandLines.run(words)).as("exit code of %s", command).isZero();
  }

  private static void namesWhatIsThere(ShellLine command) {
    for (String word : command.words()) {
      if (word.matches("(bench|build|charts|crds|dashboards|docs|e2e|lab|oracles)/.*")) {
        assertThat(REPOSITORY.resolve(word)).exists();
      }
    }
    if (command.words().size() > 2 && command.words().get(1).matches("get|delete|describe")) {
      for (String resource : command.words().get(2).split(",")) {
        if (OURS.matcher(resource).matches()) {
          assertThat(namesInCrds()).as("names that no other operator has").contains(resource);
        }
      }
    }
  }

  private static Set<String> targets() {
    return names(TARGET, read(REPOSITORY.resolve("Makefile")));
  }

  private static Set<String> namesInCrds() {
    try (Stream<Path> crds = Files.list(REPOSITORY.resolve("crds"))) {
      return names(NAME_IN_CRD, crds.map(CommandsTest::read).collect(Collectors.joining()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult name) -> name.group(1))
        .collect(Collectors.toSet());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Within sentences there are placeholders, so only names of commands and options are held. */
  @Test
  void commandsInSentencesAndTablesExist() throws IOException {
    List<String> unknown = new ArrayList<>();
    int seen = 0;
    for (Page page : Page.all()) {
      Matcher inline = INLINE.matcher(page.prose());
      while (inline.find()) {
        seen++;
        String command = inline.group(1).split(" [|] ")[0];
        options(command).stream()
            .filter(name -> !name.isEmpty())
            .map(name -> page + ": " + command + ": " + name)
            .forEach(unknown::add);
      }
    }
    assertThat(seen).isGreaterThan(50);
    assertThat(unknown).as("no such command or option").isEmpty();
  }

  /** What the command line does not have of what a text names. */
  private static List<String> options(String text) {
    boolean kubectl = text.startsWith("kubectl");
    CommandLine all = kubectl ? KubectlCommandLines.make() : CommandLines.make();
    String name = text.split(" ")[kubectl ? 2 : 1];
    CommandLine command = all.getSubcommands().get(name);
    if (command == null) {
      return List.of(name);
    }
    Set<String> known = command.getCommandSpec().optionsMap().keySet();
    return LONG_OPTION
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(option -> !known.contains(option))
        .toList();
  }
}
