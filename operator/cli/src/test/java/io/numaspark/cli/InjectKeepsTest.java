package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.cli.inject.ManifestFile;
import io.numaspark.cli.inject.ManifestFile.Outcome;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.inject.Injection;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a user writes between and behind the lines survives, and no text makes it throw. */
class InjectKeepsTest {
  private static final List<String> NOISE =
      List.of(
          "# a remark",
          "#",
          "",
          "   ",
          "          # far in: the 'quotes' \"stay\" {too}",
          "# 火花 🔥");
  private static final int SEEDS = 150;
  private static final String FRAGMENTS = " \n\t:-#{}[],&*|>'\"%!?~=\\ae1🔥";

  /** Settings that inject changes where they stand, so that their lines cannot survive. */
  private static final String CHANGED =
      "(['\"]?(spark[.]executor[.](instances|cores|memory|memoryOverhead)"
          + "|spark[.]kubernetes[.]executor[.]limit[.]cores|spark[.]kubernetes[.]executor[.]podTemplateFile|spark[.]dynamicAllocation[.]maxExecutors"
          + "|instances|cores|coreLimit|memory|initExecutors|maxExecutors)['\"]?[ :=]"
          + "|metadata: \\{|nodeSelector: \\{|dynamicAllocation: \\{).*";

  static List<String> blockStyle() throws IOException {
    List<String> names = new ArrayList<>(InjectGoldenTest.manifests());
    // Between the lines of these there is no room for comments or line ends of this kind.
    names.removeIf(name -> name.equals("application.json") || name.startsWith("windows"));
    return names;
  }

  @ParameterizedTest
  @MethodSource("blockStyle")
  void allOtherLinesSurviveInTheirOrder(String name) throws IOException {
    Injection injection = injection();
    for (int seed = 0; seed < 60; seed++) {
      String before = withNoise(text(name), new Random(seed), name.endsWith(".yaml"));
      Outcome outcome = file(name, before).inject(injection);
      assertThat(outcome.refusals()).isEmpty();
      List<String> lines = before.lines().filter(line -> !isChanged(line)).toList();
      assertThat(outcome.text().lines().toList())
          .as("seed %d of\n%s", seed, before)
          .containsSubsequence(lines);
      assertThat(outcome.text().split("# behind", -1))
          .as("comments behind values, seed %d", seed)
          .hasSameSizeAs(before.split("# behind", -1));
      assertThat(file(name, outcome.text()).inject(injection).text())
          .as("a second run, seed %d", seed)
          .isEqualTo(outcome.text());
    }
  }

  static List<String> all() throws IOException {
    return InjectGoldenTest.manifests();
  }

  @ParameterizedTest
  @MethodSource("all")
  void brokenTextsAreRefusedOrInjectedButNeverThrow(String name) throws IOException {
    Injection injection = injection();
    int understood = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      String broken = broken(text(name), new Random(seed));
      try {
        Outcome outcome = file(name, broken).inject(injection);
        understood++;
        if (outcome.refusals().isEmpty()) {
          Outcome again = file(name, outcome.text()).inject(injection);
          assertThat(again.text()).as("seed %d", seed).isEqualTo(outcome.text());
        }
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed %d of\n%s", seed, broken).isNotBlank();
      }
    }
    assertThat(understood).as("some texts must get as far as the injection").isPositive();
  }

  private static String text(String name) throws IOException {
    return Files.readString(InjectGoldenTest.GOLDEN.resolve("before").resolve(name));
  }

  private static boolean isChanged(String line) {
    return line.strip().matches(CHANGED);
  }

  /** Comments and blank lines between the lines, and comments behind values. */
  private static String withNoise(String text, Random random, boolean behind) {
    List<String> result = new ArrayList<>();
    boolean inText = false;
    for (String line : text.lines().toList()) {
      boolean continued = !result.isEmpty() && result.get(result.size() - 1).endsWith("\\");
      inText = line.endsWith("|") || line.endsWith(">-") || (inText && line.startsWith("    "));
      boolean free = !inText && !continued && !line.equals("...");
      if (free && random.nextInt(3) == 0) {
        result.add(NOISE.get(random.nextInt(NOISE.size())));
      }
      boolean room = free && behind && !line.isBlank() && !line.contains("#");
      result.add(room && random.nextInt(3) == 0 ? line + "  # behind" : line);
    }
    return result.stream().collect(Collectors.joining("\n", "", random.nextBoolean() ? "\n" : ""));
  }

  private static String broken(String text, Random random) {
    StringBuilder broken = new StringBuilder(text);
    IntStream.rangeClosed(0, random.nextInt(4))
        .forEach(
            i -> {
              int at = random.nextInt(Math.max(1, broken.length() - 1));
              switch (random.nextInt(4)) {
                case 0 -> broken.delete(at, at + 1);
                case 1 -> broken.setLength(Math.max(1, at));
                default -> {
                  int fragment = random.nextInt(FRAGMENTS.length());
                  broken.insert(at, FRAGMENTS.charAt(fragment));
                }
              }
            });
    return broken.toString();
  }

  private static ManifestFile file(String name, String text) {
    return name.matches(".*\\.(conf|properties)")
        ? ManifestFile.properties(text, "/etc/pinned-executor.yaml")
        : ManifestFile.yaml(text).orElseThrow(() -> new IllegalArgumentException("no manifest"));
  }

  private static Injection injection() {
    Documents documents =
        Documents.read(List.of(InjectGoldenTest.NODES.toString()), InputStream.nullInputStream());
    SparkNodeProfile profile = documents.profiles().get(0);
    ProfilePlan plan = PlanCommand.plan(profile, documents);
    return new Injection(
        PlanReport.context(profile, plan, (Plan) plan.result()),
        profile.getSpec().nodeSelector(),
        true);
  }
}
