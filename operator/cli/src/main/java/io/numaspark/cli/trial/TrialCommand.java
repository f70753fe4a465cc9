package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import io.numaspark.cli.text.TextColumns;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures on this machine whether a user's Spark application runs faster in another way. */
@Command(
    name = "trial",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures whether a Spark application runs faster bound to NUMA nodes, in smaller executors, with other JVM settings.",
      "",
      "Runs the application in variants side by side, in rounds of random order, each time with fresh JVMs. Changes nothing on the"
          + " machine. Needs no cluster and no root. Interrupted, it continues from its folder.",
      "",
      "The result is DIR/report.html, and an answer on standard output: an arm that pays, or that no difference could be shown."
    },
    footer = {
      "",
      "Exit codes: 0 the trial can be trusted (also if it shows no difference), 1 it cannot, or the application fails, 2 wrong usage.",
      "",
      "Examples:",
      "  numaspark trial --study binding --writes nothing -- spark-submit --class org.example.Job job.jar",
      "  numaspark trial --study executors --workload kmeans --size 2",
      "  numaspark trial --study executors --writes elsewhere --budget 120 -- spark-submit job.py --output '/tmp/out/{{run}}'",
    })
public final class TrialCommand implements Callable<Integer> {

  /** What repeated runs do to the data of others. */
  enum Writes {
    /** The application writes nothing, or to Spark's noop source only. */
    NOTHING,
    /** Each run writes to a place of its own: the command has the placeholder {{run}}. */
    ELSEWHERE,
    /** The user knows that repeating it is safe. */
    REPEATABLE
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--study",
      required = true,
      paramLabel = "STUDY",
      description = "What to compare: ${COMPLETION-CANDIDATES}.")
  private Study study;

  @Option(
      names = "--writes",
      paramLabel = "WHAT",
      description =
          "What the application writes, as it runs many times: nothing; elsewhere (an argument has the placeholder {{run}}, so that each"
              + " run has a place of its own); repeatable (you know that it does no harm).")
  private Writes writes;

  @Option(
      names = "--metric",
      paramLabel = "METRIC",
      defaultValue = "duration",
      description =
          "What arms are compared by: ${COMPLETION-CANDIDATES}. cpu is the CPU time of all processes; it has no arm that is slowed"
              + " (default: ${DEFAULT-VALUE}).")
  private LocalMetric metric;

  @Option(
      names = "--budget",
      paramLabel = "MINUTES",
      defaultValue = "60",
      description = "No round begins that would end later (default: ${DEFAULT-VALUE}).")
  private int budget;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Rounds that count, 5 to 50 (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--minimum-effect",
      paramLabel = "PERCENT",
      defaultValue = "3",
      description =
          "The smallest difference that matters to you, 0.1 to 50 (default: ${DEFAULT-VALUE}).")
  private double minimumEffect;

  @Option(
      names = "--delay",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "How much one arm is slowed on purpose, to see that the trial would notice; 0 for no such arm (default: ${DEFAULT-VALUE}).")
  private double delay;

  @Mixin private MachineOptions machine;

  @Mixin private WorkloadOptions workload;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the random order within rounds (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      defaultValue = "numaspark-trial",
      description =
          "Folder of the trial. If it holds an interrupted one, this continues it (default: ${DEFAULT-VALUE}).")
  private Path output;

  @Option(
      names = "--dry-run",
      description = "Print the arms and how long the application may take, and run nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "spark-submit with its options, after --.")
  private List<String> command = List.of();

  @Override
  public Integer call() throws IOException {
    List<String> measured = workload.command(output).orElse(command);
    if (workload.isGiven() && !command.isEmpty()) {
      throw new InputException("give --workload or a command, not both");
    }
    if (!workload.isGiven() && writes == null) {
      throw new InputException(
          "--writes: say what repeated runs of the application write: nothing, elsewhere or repeatable");
    }
    SparkSubmit application = SparkSubmit.parse(measured);
    if (writes == Writes.ELSEWHERE && !application.hasPlaceholder()) {
      throw new InputException(
          "--writes elsewhere: no argument of the command has the placeholder {{run}}; add it to the path that is written");
    }
    if (budget < 1) {
      throw new InputException("--budget: give 1 minute or more");
    }
    SparkHome spark = machine.spark(application.program());
    TrialSetting setting = machine.setting();
    StudyPlan plan = study.plan(setting, delay() / 100);
    TrialDesign design = design(plan);
    PrintWriter err = spec.commandLine().getErr();
    application
        .replaced()
        .forEach(option -> err.println("numaspark: the trial sets " + option + " itself"));
    if (dryRun) {
      print(plan, design);
      return 0;
    }
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    LocalTrial trial =
        new LocalTrial(
            study,
            plan,
            design,
            setting,
            application,
            spark,
            new TrialRequest(measured, arguments));
    return trial.run(output, spec.commandLine().getOut(), err);
  }

  private TrialDesign design(StudyPlan plan) {
    boolean comparesSomething =
        plan.arms().stream().anyMatch(arm -> arm.arm().role() == Role.CANDIDATE);
    if (!comparesSomething) {
      throw new InputException(
          "--study %s compares nothing here. %s"
              .formatted(study.name().toLowerCase(Locale.ROOT), String.join(" ", plan.omitted())));
    }
    try {
      return new TrialDesign(
          seed,
          plan.arms().stream().map(LocalArm::arm).toList(),
          metric.metric(),
          rounds,
          minimumEffect / 100,
          delay() / 100,
          Duration.ofMinutes(budget));
    } catch (IllegalArgumentException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private double delay() {
    return metric.metric().growsByWaiting() ? delay : 0;
  }

  private void print(StudyPlan plan, TrialDesign design) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ARM", "EXECUTORS", "TASK SLOTS", "WHAT"));
    for (LocalArm arm : plan.arms()) {
      rows.add(
          List.of(
              arm.arm().name(),
              Integer.toString(arm.executors()),
              Integer.toString(arm.taskSlots()),
              arm.what()));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(TextColumns.print(rows));
    plan.omitted().forEach(sentence -> out.println("Not compared: " + sentence));
    int runs = plan.arms().size() * (1 + design.rounds());
    if (design.screens()) {
      runs += plan.arms().size() * TrialDesign.SCREENING_ROUNDS;
    }
    out.printf(
        "%d rounds of %d arms, at most %d runs. In %d minutes the application may take %d s on average.%n",
        design.rounds(),
        plan.arms().size(),
        runs,
        design.budget().toMinutes(),
        design.budget().toSeconds() / runs);
    out.flush();
  }
}
