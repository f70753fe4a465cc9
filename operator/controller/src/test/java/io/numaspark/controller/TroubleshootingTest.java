package io.numaspark.controller;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.numaspark.api.v1alpha1.StatusReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds docs/troubleshooting.md to the code: its reasons, what it quotes, and who shows it. */
@AnalyzeClasses(packages = "io.numaspark", importOptions = DoNotIncludeTests.class)
class TroubleshootingTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));

  /** Heading of the table that has the reasons of an enum; a new enum needs one. */
  private static final Map<String, String> TABLES =
      Map.ofEntries(
          Map.entry("ApplicationReason", "### Of an application"),
          Map.entry("SubmissionReason", "### Of an application"),
          Map.entry("WaitingReason", "### Of an application"),
          Map.entry("RefusalReason", "### Of an application"),
          Map.entry("ExecutorReason", "### Of an executor"),
          Map.entry("ProfileReason", "### Of a profile"),
          Map.entry("NodeReason", "### Of a profile"),
          Map.entry("Kind", "### Of a profile"),
          Map.entry("EventReason", "### Of events"),
          Map.entry("ConnectReason", "### Of a Connect server"),
          Map.entry("TrialReason", "### Of a trial"),
          Map.entry("ScheduleReason", "## Status"));

  /** Tests that bring each symptom about; those of *E2E run with a real kubelet. */
  private static final Map<String, Set<String>> SHOWN_BY =
      Map.ofEntries(
          Map.entry("The application waits", Set.of("ApplicationIT", "AllOrNothingIT")),
          Map.entry("The application is SUBMISSION_FAILED", Set.of("ApplicationIT")),
          Map.entry("The application stays SUBMITTED", Set.of("DriverDiagnosisTest")),
          Map.entry(
              "The application fails, or is run again and again",
              Set.of("ApplicationLifecycleIT", "DriverDiagnosisTest")),
          Map.entry("The application is UNKNOWN", Set.of("ObservedDriverTest", "LifecycleTest")),
          Map.entry("The application was stopped", Set.of("ApplicationLifecycleIT")),
          Map.entry("A schedule starts nothing", Set.of("ScheduleIT")),
          Map.entry("A Connect server is not Ready", Set.of("ConnectIT")),
          Map.entry("A trial measures nothing", Set.of("TrialIT", "TrialLifecycleTest")),
          Map.entry("Executors are Pending", Set.of("ForeignPodsE2E")),
          Map.entry("Executors are rejected or fail", Set.of("SlotsIT", "ExecutorFailureTest")),
          Map.entry("Executors are not pinned", Set.of("AgentIT", "PinningJudgeTest")),
          Map.entry("Whether executors are pinned is Unknown", Set.of("ExecutorObservationTest")),
          Map.entry("The shuffle is on disk, not in pages", Set.of("PagesShuffleIT")),
          Map.entry("A profile is not Ready", Set.of("ProfileIT", "ProfileStatusAssemblerTest")),
          Map.entry("A node has no slots", Set.of("ProfileIT", "ProfilePlannerTest")),
          Map.entry("Slots are withheld", Set.of("SlotsIT")),
          Map.entry("Agents do not report", Set.of("KnobReportTest")),
          Map.entry("Knobs do not have their values", Set.of("AgentIT", "KnobReportTest")),
          Map.entry("The operator is not ready", Set.of("LeadershipIT", "FaultsIT")));

  /** No test of this kind shows these; for Helm see charts/tests/unit. */
  private static final Set<String> SHOWN_ELSEWHERE =
      Set.of(
          "The application has no state",
          "helm install or upgrade is refused",
          "kubectl numaspark fails");

  private static Set<Class<?>> reasons(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.isAssignableTo(StatusReason.class) && !type.isInterface())
        .map(JavaClass::reflect)
        .collect(toCollection(() -> new TreeSet<>(TroubleshootingTest::byName)));
  }

  private static int byName(Class<?> one, Class<?> other) {
    return one.getName().compareTo(other.getName());
  }

  @ArchTest
  static void everyReasonHasAnEntryAndEveryEntryIsAReason(JavaClasses classes) {
    Map<String, Set<String>> known = new TreeMap<>();
    for (Class<?> type : reasons(classes)) {
      assertThat(type.isEnum()).as("%s is a set of known reasons", type).isTrue();
      assertThat(TABLES)
          .as("the table of docs/ that explains %s", type)
          .containsKey(type.getSimpleName());
      Arrays.stream(type.getEnumConstants())
          .map(reason -> ((StatusReason) reason).displayName())
          .forEach(
              known.computeIfAbsent(TABLES.get(type.getSimpleName()), table -> new TreeSet<>())
                  ::add);
    }
    known.forEach(
        (heading, names) ->
            assertThat(documented(heading)).as(heading).containsExactlyInAnyOrderElementsOf(names));
  }

  /** {@link ArchitectureTest} says who may pass on what others say; none of them makes it up. */
  @Test
  void nothingIsPassedOnThatIsKnownHere() {
    assertThat(code()).doesNotContainPattern("passedOn\\(\\s*(true,|false,)?\\s*\"(?!ExitCode)");
  }

  /** The first cells of the table below a heading. */
  private static List<String> documented(String heading) {
    String file = heading.equals("## Status") ? "schedules.md" : "troubleshooting.md";
    return text("docs/" + file)
        .lines()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.matches("[|] `\\w+` [|].*"))
        .map(line -> line.split("`")[1])
        .toList();
  }

  @Test
  void whatItQuotesIsWhatTheCodeSays() {
    String code = code();
    List<String> quotes =
        Pattern.compile("```text\n(.*?)```", Pattern.DOTALL)
            .matcher(text("docs/troubleshooting.md"))
            .results()
            .map(result -> result.group(1))
            .flatMap(String::lines)
            .toList();
    assertThat(quotes).hasSizeGreaterThan(30);
    for (String quote : quotes) {
      for (String part : quote.split("…")) {
        assertThat(code.contains(part.strip())).as("'%s' of: %s", part.strip(), quote).isTrue();
      }
    }
  }

  /** All sources, with texts that go over several lines as one. */
  private static String code() {
    return Stream.of("operator", "spark-plugin/src/main", "charts/numaspark/templates")
        .map(REPOSITORY::resolve)
        .flatMap(TroubleshootingTest::files)
        .filter(file -> !file.toString().contains("/src/test/"))
        .filter(file -> file.toString().matches(".*\\.(java|tpl)"))
        .map(TroubleshootingTest::text)
        .map(source -> source.replaceAll("\"\\s*[+]\\s*\"", ""))
        .collect(joining("\n"));
  }

  private static Stream<Path> files(Path folder) {
    try {
      return Files.walk(folder).filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everySymptomIsShownByATestOrSaidNotToBe() {
    Set<String> tests =
        Stream.of("operator", "spark-plugin", "e2e")
            .map(REPOSITORY::resolve)
            .flatMap(TroubleshootingTest::files)
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .map(name -> name.replace(".java", ""))
            .collect(toCollection(TreeSet::new));
    assertThat(tests).containsAll(SHOWN_BY.values().stream().flatMap(Set::stream).toList());
    String symptoms = text("docs/troubleshooting.md").split("\n## Reasons\n")[0];
    assertThat(
            Pattern.compile("(?m)^### (.*)$")
                .matcher(symptoms)
                .results()
                .map(TroubleshootingTest::heading))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(SHOWN_BY.keySet().stream(), SHOWN_ELSEWHERE.stream()).toList());
  }

  private static String heading(MatchResult line) {
    return line.group(1);
  }

  private static String text(String file) {
    return text(REPOSITORY.resolve(file));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
