package io.numaspark.cli.trial;

import io.numaspark.cli.trial.ProcessFacts.Busy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.trial.engine.Action.Start;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs one arm of a trial as processes of this machine, and watches that it is what the arm says.
 *
 * <p>Limit: one run at a time.
 */
final class LocalRunner {
  /** Between two looks at the executors. */
  private static final Duration LOOK = Duration.ofMillis(500);

  /** Share of the machine's CPU time that others, or the hypervisor, may take during a run. */
  static final double MOST_FOREIGN = 0.05;

  private final SparkSubmit application;
  private final SparkHome spark;
  private final Setting setting;
  private final Path folder;
  private final ProcessFacts facts = new ProcessFacts(Path.of("/proc"));
  private volatile long group;

  /**
   * @param folder of the trial, for logs and files of runs
   */
  LocalRunner(SparkSubmit application, SparkHome spark, Setting setting, Path folder) {
    this.application = application;
    this.spark = spark;
    this.setting = setting;
    this.folder = folder;
  }

  /**
   * @param timeout after which the run is ended
   */
  Run run(Start start, LocalArm arm, int session, Duration timeout) throws IOException {
    String name =
        "%s-%d-%s-%d"
            .formatted(
                start.round().phase().name().toLowerCase(Locale.ROOT),
                start.round().number(),
                arm.arm().name(),
                session);
    Path own = folder.resolve("work").resolve(name);
    delete(own);
    Files.createDirectories(own);
    List<Place> places = places(arm);
    Path home =
        JavaWrapper.write(
            own.toAbsolutePath(), java(arm), arm, places, setting.places());
    Path linked = spark.linked(own.resolve("spark").toAbsolutePath());
    SortedMap<String, String> properties =
        SparkSubmit.properties(arm, setting.heapMebibytes(), home.toString());
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(
        application.command(
            linked.resolve("bin/spark-submit").toString(),
            properties,
            Map.of(
                "arm", arm.arm().name(),
                "round", Integer.toString(start.round().number()),
                "run", name)));
    Path log = Files.createDirectories(folder.resolve("logs")).resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("SPARK_HOME", linked.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    ExecutorWatch watch = new ExecutorWatch(JavaWrapper.pids(own.toAbsolutePath()), facts);
    try {
      return watched(builder, start, arm, session, timeout, watch);
    } finally {
      delete(own);
    }
  }

  private List<Place> places(LocalArm arm) {
    return arm.binding().setsCpus()
        ? setting.places().of(arm.executors()).orElseThrow()
        : List.of();
  }

  private static Path java(LocalArm arm) {
    String home = arm.javaHome() == null ? System.getenv("JAVA_HOME") : arm.javaHome();
    return home == null
        ? Path.of(System.getProperty("java.home"), "bin/java")
        : Path.of(home, "bin/java");
  }

  private Run watched(
      ProcessBuilder builder,
      Start start,
      LocalArm arm,
      int session,
      Duration timeout,
      ExecutorWatch watch)
      throws IOException {
    long self = ProcessHandle.current().pid();
    Busy before = facts.machine();
    double children = facts.childrenCpuSeconds(self);
    long begin = System.nanoTime();
    Process process = builder.start();
    group = process.pid();
    boolean ended;
    Optional<Slowdown> slowdown = Slowdown.start(group, arm.slowdown());
    try {
      ended = waitFor(process, timeout, watch);
    } finally {
      slowdown.ifPresent(Slowdown::close);
      endGroup();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpu = facts.childrenCpuSeconds(self) - children;
    Busy busy = facts.machine().minus(before);
    List<String> remarks = new ArrayList<>();
    Outcome outcome = Outcome.OK;
    if (!ended) {
      outcome = Outcome.TIMED_OUT;
      remarks.add("It did not end within %d s.".formatted(timeout.toSeconds()));
    } else if (process.exitValue() != 0) {
      outcome = Outcome.FAILED;
      remarks.add("It ended with exit code %d.".formatted(process.exitValue()));
    } else {
      remarks.addAll(
          Proof.faults(arm, watch.executors(), allowedToUs(self), setting.places()));
      outcome = remarks.isEmpty() ? Outcome.OK : Outcome.INVALID;
    }
    SortedMap<String, Double> measures = new TreeMap<>();
    measures.put("cpuSeconds", rounded(cpu));
    measures.put("foreignCpuSeconds", rounded(Math.max(0, busy.busySeconds() - cpu)));
    measures.put("stolenCpuSeconds", rounded(busy.stolenSeconds()));
    boolean disturbed = isDisturbed(measures, seconds, remarks);
    return new Run(
        start.round(),
        session,
        arm.arm().name(),
        outcome,
        rounded(seconds),
        measures,
        remarks,
        disturbed);
  }

  /** The thresholds are the same for all arms, and do not look at the measured time of the run. */
  private boolean isDisturbed(
      SortedMap<String, Double> measures, double seconds, List<String> remarks) {
    double capacity = seconds * setting.threads();
    double foreign = measures.get("foreignCpuSeconds") / capacity;
    double stolen = measures.get("stolenCpuSeconds") / capacity;
    if (foreign <= MOST_FOREIGN && stolen <= MOST_FOREIGN) {
      return false;
    }
    remarks.add(
        String.format(
            Locale.ROOT,
            "Disturbed: others used %.1f %% of the CPU time, the hypervisor took %.1f %%.",
            foreign * 100,
            stolen * 100));
    return true;
  }

  private CpuSet allowedToUs(long self) {
    return facts
        .allowed(self)
        .map(allowed -> CpuSet.parse(allowed.cpus()))
        .orElse(setting.topology().cpus());
  }

  private static boolean waitFor(Process process, Duration timeout, ExecutorWatch watch) {
    long end = System.nanoTime() + timeout.toNanos();
    try {
      while (!process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        watch.look();
        if (System.nanoTime() > end) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends what is left of the run that goes on now: also what has been stopped, or lost its parent. */
  void endGroup() {
    long running = group;
    if (running == 0) {
      return;
    }
    group = 0;
    try {
      new ProcessBuilder("kill", "-KILL", "--", "-" + running)
          .redirectErrorStream(true)
          .redirectOutput(Path.of("/dev/null").toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double rounded(double number) {
    return Math.round(number * 1000) / 1000.0;
  }

  /** Without following links: the home of a run consists of links. */
  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
