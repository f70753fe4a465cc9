package io.numaspark.cli.trial;

import io.numaspark.cli.InputException;
import io.numaspark.cli.TextColumns;
import io.numaspark.planner.sysfs.SysfsTopologyReader;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.trial.design.TrialDesign;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
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
      required = true,
      paramLabel = "WHAT",
      description =
          "What the application writes, as it runs many times: nothing; elsewhere (an argument has the placeholder {{run}}, so that each"
              + " run has a place of its own); repeatable (you know that it does no harm).")
  private Writes writes;

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

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description =
          "Heap of all executors of an arm together, in MiB (default: half of the memory that is available).")
  private Integer heap;

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description = "Spark (default: that of spark-submit, or SPARK_HOME).")
  private Path sparkHome;

  @Option(
      names = "--jdk",
      paramLabel = "DIR",
      description = "Another JDK to compare, for the study jdk. May be given several times.")
  private List<Path> jdks = List.of();

  @Option(
      names = "--plugin-jar",
      paramLabel = "FILE",
      description = "numaspark-spark-plugin.jar, for the studies shuffle and adaptive.")
  private Path plugin;

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
      arity = "1..*",
      description = "spark-submit with its options, after --.")
  private List<String> command;

  @Override
  public Integer call() throws IOException {
    SparkSubmit application = SparkSubmit.parse(command);
    if (writes == Writes.ELSEWHERE && !application.hasPlaceholder()) {
      throw new InputException(
          "--writes elsewhere: no argument of the command has the placeholder {{run}}; add it to the path that is written");
    }
    if (budget < 1) {
      throw new InputException("--budget: give 1 minute or more");
    }
    SparkHome spark = SparkHome.find(sparkHome, application.program());
    Setting setting = setting();
    StudyPlan plan = study.plan(setting, delay / 100);
    TrialDesign design = design(plan);
    PrintWriter err = spec.commandLine().getErr();
    application
        .replaced()
        .forEach(option -> err.println("numaspark: the trial sets " + option + " itself"));
    if (dryRun) {
      print(plan, design);
      return 0;
    }
    LocalTrial trial = new LocalTrial(study, plan, design, setting, application, spark, command);
    return trial.run(output, spec.commandLine().getOut(), err);
  }

  private TrialDesign design(StudyPlan plan) {
    boolean comparesSomething =
        plan.arms().stream().anyMatch(arm -> arm.arm().role() == io.numaspark.trial.design.Role.CANDIDATE);
    if (!comparesSomething) {
      throw new InputException(
          "--study %s compares nothing here. %s"
              .formatted(study.name().toLowerCase(java.util.Locale.ROOT), String.join(" ", plan.omitted())));
    }
    try {
      return new TrialDesign(
          seed,
          plan.arms().stream().map(LocalArm::arm).toList(),
          rounds,
          minimumEffect / 100,
          delay / 100,
          Duration.ofMinutes(budget));
    } catch (IllegalArgumentException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private Setting setting() {
    NodeTopology topology;
    try {
      topology = SysfsTopologyReader.read(Path.of("/")).topology();
    } catch (IOException e) {
      throw new InputException(e.getMessage(), e);
    }
    for (Path jdk : jdks) {
      if (!Files.isExecutable(jdk.resolve("bin/java"))) {
        throw new InputException("--jdk " + jdk + ": there is no bin/java in it");
      }
    }
    if (plugin != null && !Files.isRegularFile(plugin)) {
      throw new InputException("--plugin-jar " + plugin + ": there is no such file");
    }
    int mebibytes = heap == null ? availableMebibytes() / 2 : heap;
    if (mebibytes < 2 * Setting.LEAST_EXECUTOR_MEBIBYTES) {
      throw new InputException(
          "--heap: %d MiB are not enough; give %d or more"
              .formatted(mebibytes, 2 * Setting.LEAST_EXECUTOR_MEBIBYTES));
    }
    return new Setting(
        topology,
        mebibytes,
        isInPath("numactl"),
        jdks.stream().map(jdk -> jdk.toAbsolutePath().toString()).toList(),
        Optional.ofNullable(plugin).map(jar -> jar.toAbsolutePath().toString()));
  }

  private static int availableMebibytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .map(line -> (int) (Long.parseLong(line.replaceAll("\\D", "")) >> 10))
          .findFirst()
          .orElseThrow(() -> new InputException("the kernel does not say how much memory is free: give --heap"));
    } catch (IOException e) {
      throw new InputException("the free memory cannot be read: give --heap", e);
    }
  }

  private static boolean isInPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
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
