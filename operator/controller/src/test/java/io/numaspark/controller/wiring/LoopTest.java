package io.numaspark.controller.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the tables of the run-time loop in docs/architecture.md to the code. */
class LoopTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path CONTROLLER =
      REPOSITORY.resolve("operator/controller/src/main/java/io/numaspark/controller");

  private static final Pattern EDGE =
      Pattern.compile(
          "(\\w+)\\s*\\.(\\w+)\\(\\)\\s*\\.listen\\((\\w+)(?:\\.(trigger)\\(\\))?::(\\w+)\\);");
  private static final Pattern OWN_KIND = Pattern.compile("trigger\\(\\)\\s*\\.(\\w+)\\(");
  private static final Pattern ROW =
      Pattern.compile("^\\| (\\d+) `([\\w.]+)` \\| `([\\w.]+)` \\|", Pattern.MULTILINE);

  private static final Map<String, String> CLASSES =
      Arrays.stream(OperatorAssembly.class.getDeclaredFields())
          .collect(
              Collectors.toMap(field -> field.getName(), field -> field.getType().getSimpleName()));

  @Test
  void theTableHasTheLinesOfConnectInTheirOrder() throws IOException {
    String source = read(CONTROLLER.resolve("wiring/OperatorAssembly.java"));
    List<String> edges = matches(EDGE, source, LoopTest::edge);
    assertThat(edges).as("calls of listen that this test can read").hasSize(count(source));
    assertThat(edges).isNotEmpty().isEqualTo(rows().subList(0, edges.size()));
  }

  @Test
  void theSecondTableHasTheReconcilersThatTriggerTheirOwnKind() throws IOException {
    List<String> calls = new ArrayList<>();
    for (Path file : reconcilers()) {
      String name = file.getFileName().toString().replace(".java", "");
      calls.addAll(matches(OWN_KIND, read(file), call -> name + " -> " + call.group(1)));
    }
    assertThat(rows()).endsWith(calls.stream().distinct().sorted().toArray(String[]::new));
    assertThat(rows())
        .hasSize(count(read(CONTROLLER.resolve("wiring/OperatorAssembly.java"))) + calls.size());
  }

  @Test
  void theDrawingHasEachNumberOfTheFirstTable() throws IOException {
    String section = section();
    String drawing = section.substring(0, section.indexOf("| signal |"));
    assertThat(IntStream.rangeClosed(1, 12).mapToObj(number -> "(?s).*[ -]" + number + "[ \\n].*"))
        .allSatisfy(number -> assertThat(drawing).matches(number));
    List<Integer> numbers = matches(ROW, section, row -> Integer.valueOf(row.group(1)));
    assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList());
  }

  private static String edge(MatchResult call) {
    String listener =
        call.group(3).equals("this") ? "OperatorAssembly" : CLASSES.get(call.group(3));
    String heard = call.group(4) == null ? call.group(5) : call.group(4);
    return CLASSES.get(call.group(1)) + "." + call.group(2) + " -> " + listener + "." + heard;
  }

  private static List<String> rows() throws IOException {
    return matches(ROW, section(), row -> row.group(2) + " -> " + row.group(3));
  }

  private static String section() throws IOException {
    String page = read(REPOSITORY.resolve("docs/architecture.md"));
    int start = page.indexOf("## The run-time loop");
    return page.substring(start, page.indexOf("\n## ", start));
  }

  private static int count(String source) {
    return source.split("[.]listen[(]", -1).length - 1;
  }

  private static List<Path> reconcilers() throws IOException {
    try (Stream<Path> files = Files.list(CONTROLLER.resolve("reconcile"))) {
      return files.sorted().toList();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }

  private static <T> List<T> matches(Pattern pattern, String text, Function<MatchResult, T> as) {
    return pattern.matcher(text).results().map(as).toList();
  }
}
