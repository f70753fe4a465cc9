package io.numaspark.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.cli.docs.PlainEnglish.Fault;
import io.numaspark.planner.fixture.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages and messages are in plain English: "How we write" in CONTRIBUTING.md, as far as {@link
 * PlainEnglish} knows it.
 *
 * <p>Limit: it does not read headings, because other pages link to them, or generated and quoted
 * text.
 */
class WordsTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));

  /** History, generated pages, pages of other folders; CONTRIBUTING quotes what it forbids. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("C[A-Z]+[.]md|docs/(decisions|reference)/.*|(?!docs/|README).*/.*");

  /** Its cells are lists of names, not sentences. */
  private static final String LISTS_OF_NAMES = "docs/appendix/converted-examples.md";

  /** Generated parts, blocks, comments, headings, targets of links, code, quotes. */
  private static final List<Pattern> NOT_PROSE =
      Stream.of(
              "(?sm)^<!-- Generated .*?^<!-- End of what is generated[.] -->$",
              "(?sm)^ *```.*?^ *```$",
              "(?s)<!--.*?-->",
              "(?<=\\n\\n)(?: {4}(?! *[-*] ).*\\n)+",
              "(?m)^#.*$",
              "(?<=\\])\\([^)\\s]+\\)",
              "`[^`\\n]+`",
              "\"[^\"\\n]*(?:\\n[^\"\\n]+)?\"")
          .map(Pattern::compile)
          .toList();

  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile(
          "(?s)//[^\\n]*|/[*].*?[*]/|'(?:\\\\.|[^'\\\\])+'|\"\"\"(?<lines>.*?)\"\"\""
              + "|\"(?<line>(?:\\\\.|[^\"\\\\\\n])*)\"");

  private static final Pattern PRODUCT_SOURCE =
      Pattern.compile(".*/src/main/java/.*[.]java|agent/.*(?<!_test)[.]go");

  private static final Pattern PLUS = Pattern.compile("\\s*[+]\\s*");

  /** A file, and its text with blanks for everything that is not prose: offsets stay. */
  private record Prose(String file, String text) {
    String at(Fault fault) {
      long line = 1 + text.substring(0, fault.offset()).chars().filter(c -> c == '\n').count();
      return file + ":" + line + ": " + fault.remark();
    }

    List<String> phrases() {
      return PlainEnglish.phrases(text).stream().map(this::at).toList();
    }

    List<String> faults() {
      List<String> faults = new ArrayList<>(phrases());
      if (!file.equals(LISTS_OF_NAMES)) {
        PlainEnglish.longSentences(text).stream().map(this::at).forEach(faults::add);
      }
      return faults;
    }
  }

  private static List<Prose> pages() throws IOException {
    return Page.all().stream()
        .filter(page -> !LEFT_OUT.matcher(page.toString()).matches())
        .map(page -> new Prose(page.toString(), prose(page.text())))
        .toList();
  }

  private static String prose(String text) {
    for (Pattern pattern : NOT_PROSE) {
      text = pattern.matcher(text).replaceAll(part -> blank(part.group()));
    }
    return text;
  }

  /** Blanks, with the same lines; code and quotes count as a word. */
  private static String blank(String text) {
    String first = text.matches("(?s)[`\"].*") ? "X" : text.substring(0, 1).replaceAll(".", " ");
    return first + text.substring(1).replaceAll("[^\\n]", " ");
  }

  /** The literals of a source, with a mark between those that are not added up. */
  private static String literals(String source) {
    StringBuilder text = new StringBuilder();
    Matcher matcher = LITERAL_OR_COMMENT.matcher(source);
    while (matcher.find()) {
      String group = matcher.group("line") == null ? "lines" : "line";
      if (matcher.group(group) != null) {
        String between = source.substring(text.length(), matcher.start(group));
        boolean sum = PLUS.matcher(between.replace("\"", "")).matches();
        text.append(sum ? " " : "|").append(between.substring(1).replaceAll("[^\\n]", " "));
        text.append(matcher.group(group));
      }
    }
    return text.toString();
  }

  @Test
  void pagesAreInPlainEnglish() throws IOException {
    List<Prose> pages = pages();
    assertThat(pages).hasSizeGreaterThan(35);
    assertThat(pages.stream().flatMap(page -> page.faults().stream())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "operator", "spark-plugin"})
  void messagesAreInPlainEnglish(String folder) throws IOException {
    List<String> faults = new ArrayList<>();
    try (Stream<Path> files = Files.walk(REPOSITORY.resolve(folder))) {
      for (Path file : files.sorted().toList()) {
        String name = REPOSITORY.relativize(file).toString();
        if (PRODUCT_SOURCE.matcher(name).matches()) {
          faults.addAll(new Prose(name, literals(Files.readString(file))).phrases());
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Unknown where no agent has told",
        "the label goes when the profile goes.",
        "a value that is\n  no number",
        "Not counted are executors that were deleted",
        "x. Where the node has no agent, y",
        "seed 004 starts at 2",
        "the knob is put back and planned anew"
      })
  void findsPhrases(String text) {
    assertThat(PlainEnglish.phrases(text)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "There is no profile, and the old one is no longer used.",
        "Agents report where executors run. Different call sites are told apart.",
        "The traffic goes to the driver.",
        "Nor all pods go on a node; the slots come back."
      })
  void takesPlainSentences(String text) {
    assertThat(PlainEnglish.phrases(text)).isEmpty();
  }

  @Test
  void countsWordsOfASentence() {
    String sentence = "a word ".repeat(PlainEnglish.LONGEST / 2);
    assertThat(PlainEnglish.longSentences(sentence + ". " + sentence)).isEmpty();
    assertThat(PlainEnglish.longSentences(sentence + "\n- " + sentence)).isEmpty();
    assertThat(PlainEnglish.longSentences("| " + sentence + "| " + sentence)).isEmpty();
    assertThat(PlainEnglish.longSentences(sentence + "\nmore\n")).hasSize(1);
  }

  @Test
  void readsTextsOfSources() {
    String source = "f('\"'); // told\ng(\"is \"\n    + \"no number\", \"the label\", \"goes\");";
    assertThat(new Prose("F.java", literals(source)).phrases())
        .singleElement()
        .asString()
        .startsWith("F.java:2: \"is no\": write ");
  }
}
