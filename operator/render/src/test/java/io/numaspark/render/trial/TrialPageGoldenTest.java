package io.numaspark.render.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Phase;
import io.numaspark.trial.engine.RoundId;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.verdict.Judge;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/** The page of a trial whose times are invented: what is drawn, not what is true. */
class TrialPageGoldenTest {
  private static final List<Arm> ARMS =
      List.of(
          new Arm("free", Role.BASELINE),
          new Arm("same", Role.SAME),
          new Arm("delayed", Role.DELAYED),
          new Arm("cpus", Role.CANDIDATE),
          new Arm("pinned", Role.CANDIDATE));
  private static final TrialDesign DESIGN =
      new TrialDesign(1, ARMS, Metric.DURATION, 7, 0.03, 0.2, Duration.ofHours(1));
  private static final Map<String, Double> SHARES =
      Map.of("free", 1.0, "same", 1.0, "delayed", 1.2, "cpus", 0.99, "pinned", 0.9);

  @Test
  void drawsAnswerTrustPlotsAndTables() throws IOException {
    GoldenFile.hold(
        Path.of("src/test/resources/trial/report.html"), page("spark-submit job.jar", runs(7)));
  }

  @Test
  void saysWhyATrialCannotBeTrusted() throws IOException {
    GoldenFile.hold(
        Path.of("src/test/resources/trial/doubts.html"), page("spark-submit job.jar", runs(3)));
  }

  /** Commands and remarks are the user's, and what an application printed. */
  @Test
  void whatOthersWroteIsText() {
    List<Run> runs = new ArrayList<>(runs(7));
    Run first = runs.get(0);
    runs.set(
        0,
        new Run(
            first.round(),
            first.session(),
            first.arm(),
            Outcome.FAILED,
            first.seconds(),
            first.measures(),
            List.of("</p><script>alert(1)</script>\u0000"),
            false));
    String page = page("job \"'><script>alert(2)</script>", runs);
    assertThat(page).doesNotContain("<script>");
    assertThatCode(
            () ->
                DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(
                        new ByteArrayInputStream(
                            page.substring(page.indexOf("<html"))
                                .getBytes(StandardCharsets.UTF_8))))
        .doesNotThrowAnyException();
  }

  private static String page(String command, List<Run> runs) {
    return TrialPage.of(
        new TrialReport(
            "Executors bound or not",
            command,
            "2 NUMA nodes of 12 cores",
            Judge.result(DESIGN, runs, Ending.COMPLETE),
            runs,
            Map.of("free", "executors are not bound", "pinned", "executors are bound"),
            List.of("Memory can be bound with numactl only."),
            List.of("A study found 10 %."),
            "numaspark trial --study binding"));
  }

  private static List<Run> runs(int rounds) {
    Random random = new Random(1);
    List<Run> runs = new ArrayList<>();
    ARMS.forEach(arm -> runs.add(run(new RoundId(Phase.CALIBRATION, 0), arm, random)));
    for (int round = 0; round < rounds; round++) {
      for (Arm arm : ARMS) {
        runs.add(run(new RoundId(Phase.CONFIRMATION, round), arm, random));
      }
    }
    return runs;
  }

  private static Run run(RoundId round, Arm arm, Random random) {
    double seconds =
        Math.round((SHARES.get(arm.name()) + random.nextDouble() / 100) * 60_000) / 1e3;
    return new Run(
        round,
        1,
        arm.name(),
        Outcome.OK,
        seconds,
        new TreeMap<>(Map.of("cpuSeconds", seconds * 10, "gcSeconds", seconds / 10)),
        List.of(),
        false);
  }
}
