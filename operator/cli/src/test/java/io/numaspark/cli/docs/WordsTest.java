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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages and messages are in plain English: "How we write" in CONTRIBUTING.md, as far as {@link
 * PlainEnglish} knows it.
 *
 * <p>Limit: it does not read generated and quoted text.
 */
class WordsTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));

  /** History, generated pages, pages of other folders. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("CHANGELOG[.]md|docs/(decisions|reference)/.*|(?!docs/|README).*/.*");

  /** Its cells are lists of names, not sentences. */
  private static final String LISTS_OF_NAMES = "docs/appendix/converted-examples.md";

  /** Generated parts, blocks, comments, marks of headings, targets of links, code, quotes. */
  private static final List<Pattern> NOT_PROSE =
      Stream.of(
              "(?sm)^<!-- Generated .*?^<!-- End of what is generated[.] -->$",
              "(?sm)^ *```.*?^ *```$",
              "(?s)<!--.*?-->",
              "(?<=\\n\\n)(?: {4}(?! *[-*] ).*\\n)+",
              "(?m)^#+",
              "(?<=\\])\\([^)\\s]+\\)",
              "`[^`\\n]+`",
              "\"[^\"\\n]*(?:\\n[^\"\\n]+)?\"")
          .map(Pattern::compile)
          .toList();

  /** Possessive, because Java's matcher needs stack for each character that it could give back. */
  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile(
          "(?s)//[^\\n]*+|/[*].*?[*]/|'(?:\\\\.|[^'\\\\\\n])++'|\"\"\"(?<lines>.*?)\"\"\""
              + "|\"(?<line>(?:\\\\.|[^\"\\\\\\n])*+)\"|`(?<raw>[^`]*+)`");

  private static final List<String> LITERALS = List.of("line", "lines", "raw");

  /** In templates of the chart: messages of its checks and policies. */
  private static final Pattern QUOTED = Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*+\"");

  /** In other files of the chart. */
  private static final Pattern ACTION = Pattern.compile("[{]{2}.*?[}]{2}");

  private static final Pattern CHART_TEXT =
      Pattern.compile(
          "values[.]yaml|files/(?:rules|kube-state-metrics)/.*|templates/.*[.](?:tpl|txt|ya?ml)");

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
      for (String group : LITERALS) {
        if (matcher.group(group) != null) {
          String between = source.substring(text.length(), matcher.start(group));
          boolean sum = PLUS.matcher(between.replaceAll("[\"`]", "")).matches();
          text.append(sum ? " " : "|").append(between.substring(1).replaceAll("[^\\n]", " "));
          // A line of a text block that goes on.
          text.append(matcher.group(group).replace("\\\n", " \n"));
        }
      }
    }
    return text.toString();
  }

  /** What a file of the chart says to its users: comments of values, rules, messages. */
  private static String chartText(String file, String source) {
    if (file.equals("values.yaml")) {
      return source.lines().map(WordsTest::comment).collect(Collectors.joining("\n"));
    }
    if (file.startsWith("files/") || file.endsWith(".txt")) {
      return ACTION.matcher(source.replace('#', ' ')).replaceAll(part -> blank(part.group()));
    }
    StringBuilder text = new StringBuilder();
    Matcher quoted = QUOTED.matcher(source);
    while (quoted.find()) {
      text.append(source.substring(text.length(), quoted.start()).replaceAll("[^\\n]", "|"));
      text.append(quoted.group());
    }
    return text.toString();
  }

  private static String comment(String line) {
    return line.strip().startsWith("#") ? line.replace('#', ' ') : line.replaceAll(".", "|");
  }

  @Test
  void pagesAreInPlainEnglish() throws IOException {
    List<Prose> pages = pages();
    assertThat(pages).hasSizeGreaterThan(35);
    assertThat(pages.stream().flatMap(page -> page.faults().stream())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "operator", "spark-plugin", "build/generators"})
  void messagesAreInPlainEnglish(String folder) throws IOException {
    List<Prose> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(REPOSITORY.resolve(folder))) {
      for (Path file : files.sorted().toList()) {
        String name = REPOSITORY.relativize(file).toString();
        if (PRODUCT_SOURCE.matcher(name).matches()) {
          texts.add(new Prose(name, literals(Files.readString(file))));
        }
      }
    }
    assertThat(texts).hasSizeGreaterThan(10);
    assertThat(texts.stream().flatMap(text -> text.phrases().stream())).isEmpty();
  }

  @Test
  void theChartIsInPlainEnglish() throws IOException {
    Path chart = REPOSITORY.resolve("charts/numaspark");
    List<Prose> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(chart)) {
      for (Path file : files.sorted().toList()) {
        String name = chart.relativize(file).toString();
        if (CHART_TEXT.matcher(name).matches()) {
          texts.add(new Prose(name, chartText(name, Files.readString(file))));
        }
      }
    }
    assertThat(texts).hasSizeGreaterThan(10);
    assertThat(texts.stream().flatMap(text -> text.phrases().stream())).isEmpty();
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
        "the knob is put back and planned anew",
        "Tells what is wrong",
        "Told by: Agent",
        "whether its agent has put its knobs back",
        "a pod that asks a pinner for slots",
        "has to give its lease back",
        "free slots are kept back"
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
        "Nor all pods go on a node; the slots come back.",
        "It neither runs nor is it asked. Ask an administrator. It waits for a slot."
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

  @Test
  void readsTextBlocksAndRawStrings() {
    String block = "a(\"\"\"\n  as agents \\\n  tell\n  \"\"\");";
    assertThat(new Prose("F.java", literals(block)).phrases()).hasSize(1);
    String raw = "const usage = `until it is\ntold to end\n` // told\nconst tag = `json:\"a\"`";
    assertThat(new Prose("f.go", literals(raw)).phrases())
        .singleElement()
        .asString()
        .startsWith("f.go:2: \"told\": write ");
  }

  @Test
  void readsHeadings() {
    String page = "# Page\n\n## Beside another\n\nText.\n\n```sh\n# told\n```\n";
    assertThat(new Prose("p.md", prose(page)).faults())
        .singleElement()
        .asString()
        .startsWith("p.md:3: \"Beside\": write ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          values.yaml               | # If it is false, ask\\n# the kubelet for it.\\nkey: told
          files/rules/alerts.yaml   | summary: Nobody tells why
          templates/_checks.tpl     | {{/* told */}}{{ fail "a: there is nobody to tell it" }}
          templates/NOTES.txt       | {{ told }} Knobs are put back.
          """)
  void readsTextsOfTheChart(String file, String source) {
    String text = chartText(file, source.replace("\\n", "\n"));
    assertThat(new Prose(file, text).phrases()).hasSize(1);
  }
}
