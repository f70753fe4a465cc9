package io.numaspark.cli.trial;

import io.numaspark.cli.trial.TrialFolder.Plan;
import io.numaspark.cli.trial.TrialFolder.Side;
import io.numaspark.render.trial.TrialPage;
import io.numaspark.render.trial.TrialReport;
import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Engine;
import io.numaspark.trial.engine.Phase;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.verdict.ArmResult;
import io.numaspark.trial.verdict.Judge;
import io.numaspark.trial.verdict.TrialResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs a trial on this machine until its engine says that it is over. */
final class LocalTrial {
  private static final int PLAN_VERSION = 1;

  /** A run that takes longer than the baseline by this factor is ended. */
  private static final int TIMEOUT_FACTOR = 3;

  private static final Duration LEAST_TIMEOUT = Duration.ofMinutes(1);

  private final Study study;
  private final StudyPlan plan;
  private final TrialDesign design;
  private final TrialSetting setting;
  private final SparkSubmit application;
  private final SparkHome spark;
  private final TrialRequest request;

  LocalTrial(
      Study study,
      StudyPlan plan,
      TrialDesign design,
      TrialSetting setting,
      SparkSubmit application,
      SparkHome spark,
      TrialRequest request) {
    this.study = study;
    this.plan = plan;
    this.design = design;
    this.setting = setting;
    this.application = application;
    this.spark = spark;
    this.request = request;
  }

  /**
   * @return the exit code: 1 if the trial cannot be trusted
   */
  int run(Path output, PrintWriter out, PrintWriter err) throws IOException {
    try (TrialFolder folder = TrialFolder.open(output)) {
      folder.begin(written());
      LocalRunner runner = new LocalRunner(application, spark, setting, output);
      runner.cleanUp();
      runner
          .uncounted()
          .ifPresent(events -> err.println("numaspark: not counted on this machine: " + events));
      Thread end = new Thread(runner::stop);
      Runtime.getRuntime().addShutdownHook(end);
      List<Run> runs = new ArrayList<>(folder.journal().read());
      Ending ending = measure(folder, runner, runs, err);
      Runtime.getRuntime().removeShutdownHook(end);
      TrialResult result = Judge.result(design, runs, ending);
      report(folder, runs, result);
      print(result, folder.path(), out);
      return result.isTrustworthy() ? 0 : 1;
    }
  }

  private Ending measure(TrialFolder folder, LocalRunner runner, List<Run> runs, PrintWriter err)
      throws IOException {
    int session = 1 + runs.stream().mapToInt(Run::session).max().orElse(0);
    double before = runs.stream().mapToDouble(Run::seconds).sum();
    long begin = System.nanoTime();
    Engine engine = new Engine(design);
    Map<String, LocalArm> arms =
        plan.arms().stream().collect(Collectors.toMap(arm -> arm.arm().name(), arm -> arm));
    if (!runs.isEmpty()) {
      err.printf("numaspark: continues a trial of %d runs%n", runs.size());
    }
    while (true) {
      double seconds = before + (System.nanoTime() - begin) / 1e9;
      Action action = engine.next(runs, session, Duration.ofMillis((long) (seconds * 1000)));
      if (action instanceof Action.Finish finish) {
        return finish.ending();
      }
      Action.Start start = (Action.Start) action;
      err.printf("numaspark: %s, %s ... ", phase(start), start.arm().name());
      err.flush();
      Run run = held(runner.run(start, arms.get(start.arm().name()), session, timeout(runs)), runs);
      folder.journal().append(run);
      runs.add(run);
      err.printf(
          Locale.ROOT,
          "%.1f s%s%s%n",
          run.seconds(),
          run.remarks().isEmpty() ? "" : "; " + String.join(" ", run.remarks()),
          remaining(engine.remainingSeconds(runs)));
      err.flush();
    }
  }

  /**
   * A run whose result differs from the first one's did something else, so its time says nothing.
   */
  private static Run held(Run run, List<Run> runs) {
    Double result = run.measures().get(RunJudge.RESULT);
    Optional<Run> first =
        runs.stream()
            .filter(other -> other.isOk() && other.measures().containsKey(RunJudge.RESULT))
            .findFirst();
    if (!run.isOk()
        || first.isEmpty()
        || first.get().measures().get(RunJudge.RESULT).equals(result)) {
      return run;
    }
    return run.invalid(
        "Its %s lines differ from those of the first run, which was of %s."
            .formatted(RunLog.RESULT, first.get().arm()));
  }

  private String phase(Action.Start start) {
    return switch (start.round().phase()) {
      case CALIBRATION -> "calibration";
      case SCREENING ->
          "screening, round %d of %d"
              .formatted(start.round().number() + 1, TrialDesign.SCREENING_ROUNDS);
      case CONFIRMATION ->
          // Rounds that were disturbed do not count, so there may be more than were planned.
          "round %d, of which %d are to count"
              .formatted(start.round().number() + 1, design.rounds());
    };
  }

  private static String remaining(double seconds) {
    return Double.isNaN(seconds)
        ? ""
        : "; about %d min remain".formatted((long) (seconds / 60) + 1);
  }

  /** The first run of the baseline has all of the budget: nobody knows how long it takes. */
  private Duration timeout(List<Run> runs) {
    Optional<Run> baseline =
        runs.stream()
            .filter(run -> run.round().phase() == Phase.CALIBRATION && run.isOk())
            .filter(run -> run.arm().equals(design.baseline().name()))
            .findFirst();
    return baseline
        .map(run -> Duration.ofSeconds((long) (TIMEOUT_FACTOR * run.seconds())))
        .map(limit -> limit.compareTo(LEAST_TIMEOUT) < 0 ? LEAST_TIMEOUT : limit)
        .orElse(design.budget());
  }

  private Plan written() {
    return new Plan(
        PLAN_VERSION,
        study.name().toLowerCase(Locale.ROOT),
        request.measured(),
        machine(),
        setting.heapMebibytes(),
        design.seed(),
        design.metric().name(),
        design.rounds(),
        design.minimumEffect(),
        design.delay(),
        setting.counters(),
        plan.arms().stream()
            .map(
                arm ->
                    new Side(
                        arm.arm().name(),
                        arm.arm().role().name(),
                        arm.what(),
                        arm.executors(),
                        arm.taskSlots(),
                        arm.binding().words(),
                        arm.jvmOptions(),
                        arm.properties()))
            .toList());
  }

  private String machine() {
    return setting.topology().describe()
        + "; %s; %d MiB of heap in all, %s"
            .formatted(
                setting.processor(),
                setting.heapMebibytes(),
                setting.memoryMebibytes().isPresent()
                    ? setting.memoryMebibytes().getAsInt() + " MiB of memory"
                    : "no limit of memory");
  }

  private void report(TrialFolder folder, List<Run> runs, TrialResult result) throws IOException {
    folder.write(
        "report.html",
        TrialPage.of(
            new TrialReport(
                study.title(),
                String.join(" ", request.measured()),
                machine(),
                result,
                runs,
                plan.arms().stream()
                    .collect(Collectors.toMap(arm -> arm.arm().name(), LocalArm::what)),
                plan.omitted(),
                plan.published(),
                request.repeat(setting.heapMebibytes()))));
    Optional<String> profile =
        result
            .recommended()
            .flatMap(arm -> RecommendedProfile.of(local(arm), setting, result.of(arm)));
    if (profile.isPresent()) {
      folder.write("profile.yaml", profile.get());
    }
  }

  private LocalArm local(Arm arm) {
    return plan.arms().stream().filter(local -> local.arm().equals(arm)).findFirst().orElseThrow();
  }

  private void print(TrialResult result, Path folder, PrintWriter out) {
    out.println(result.summary());
    // A trial that ended at once has nothing to say of its arms.
    for (ArmResult arm : result.rounds() > 0 ? result.arms() : List.<ArmResult>of()) {
      out.printf(
          "  %-16s %s: %s%n", arm.arm().name(), arm.verdict().words(design.metric()), arm.reason());
    }
    out.println("The trial ended because " + result.ending().words() + ".");
    out.println("Report: " + folder.resolve("report.html"));
    out.flush();
  }
}
