package io.numaspark.controller.regex;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The regular expressions in the sources of what runs in a cluster or reads its objects.
 *
 * <p>Limit: an argument is read if it is made of literals and constants of its own file. RE2/J
 * takes linear time with any expression.
 */
final class RegularExpressions {
  private static final List<String> SOURCES =
      List.of(
          "operator/planner",
          "operator/api",
          "operator/render",
          "operator/schema",
          "operator/controller",
          "operator/cli",
          "spark-plugin");

  private static final Pattern USE =
      Pattern.compile("(Pattern\\.compile|\\.matches|\\.replaceAll|\\.replaceFirst|\\.split)\\(");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"");
  private static final Pattern NAME = Pattern.compile("[A-Z][A-Z_0-9]+");

  private RegularExpressions() {}

  /**
   * An expression.
   *
   * @param where for people
   * @param isSearched whether it is looked for anywhere in a text; else the whole text has to match
   */
  record Use(String where, String regex, boolean isSearched) {
    @Override
    public String toString() {
      return where + ": " + regex;
    }
  }

  /**
   * All of them.
   *
   * @throws AssertionError if there is a Pattern.compile that cannot be read
   */
  static Stream<Use> all(Path repository) {
    return SOURCES.stream()
        .map(module -> repository.resolve(module).resolve("src/main/java"))
        .flatMap(RegularExpressions::files)
        .flatMap(file -> uses(repository, file));
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Use> uses(Path repository, Path file) {
    String source;
    try {
      source = Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean searches =
        Stream.of(".find(", ".lookingAt(", ".results(", "asPredicate(").anyMatch(source::contains);
    List<Use> uses = new ArrayList<>();
    Matcher use = USE.matcher(source);
    while (use.find()) {
      Optional<String> regex = text(source, use.end());
      boolean isPattern = use.group(1).startsWith("Pattern");
      String where =
          repository.relativize(file) + ":" + source.substring(0, use.start()).lines().count();
      if (regex.isPresent()) {
        boolean isSearched = isPattern ? searches : !use.group(1).equals(".matches");
        uses.add(new Use(where, regex.get(), isSearched));
      } else if (isPattern && !source.contains("import com.google.re2j.Pattern;")) {
        throw new AssertionError(where + ": write the expression as literals and constants");
      }
    }
    return uses.stream();
  }

  /** Literals and constants with plus signs between them. */
  private static Optional<String> text(String source, int from) {
    StringBuilder text = new StringBuilder();
    int at = from;
    while (true) {
      at = afterSpace(source, at);
      Matcher literal = LITERAL.matcher(source).region(at, source.length());
      Matcher name = NAME.matcher(source).region(at, source.length());
      if (literal.lookingAt()) {
        text.append(literal.group(1).translateEscapes());
        at = literal.end();
      } else if (name.lookingAt()) {
        Matcher constant = Pattern.compile("String " + name.group() + "\\s*=").matcher(source);
        Optional<String> value = constant.find() ? text(source, constant.end()) : Optional.empty();
        if (value.isEmpty()) {
          return Optional.empty();
        }
        text.append(value.get());
        at = name.end();
      } else {
        return Optional.empty();
      }
      at = afterSpace(source, at);
      if (source.charAt(at) != '+') {
        return Optional.of(text.toString());
      }
      at++;
    }
  }

  private static int afterSpace(String source, int from) {
    int at = from;
    while (Character.isWhitespace(source.charAt(at))) {
      at++;
    }
    return at;
  }
}
