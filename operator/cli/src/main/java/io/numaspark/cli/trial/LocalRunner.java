package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import io.numaspark.cli.trial.ProcessFacts.Busy;
import io.numaspark.cli.trial.RunJudge.Traces;
import io.numaspark.trial.engine.Action.Start;
import io.numaspark.trial.engine.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs one arm of a trial as processes of this machine, and watches that it is what the arm says.
 *
 * <p>Limit: one run at a time.
 */
final class LocalRunner {
  /** Between two looks at the executors, at least and at most. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /**
   * The same as a multiple of what a look takes. The kernel walks the page tables of each executor
   * for it: with twelve of them and a look each half second that took 6 % of two CPUs.
   */
  private static final int LOOKS_APART = 100;

  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  private final SparkSubmit application;
  private final SparkHome spark;
  private final TrialSetting setting;
  private final Path folder;
  private final Optional<PerfStat> perf;
  private final ProcessFacts facts = new ProcessFacts(Path.of("/proc"));
  private volatile long group;

  /**
   * @param folder of the trial, for logs and files of runs
   */
  LocalRunner(SparkSubmit application, SparkHome spark, TrialSetting setting, Path folder) {
    this.application = application;
    this.spark = spark;
    this.setting = setting;
    this.folder = folder;
    this.perf = setting.counters() ? Optional.of(new PerfStat("perf")) : Optional.empty();
  }

  /**
   * Tries what is to be counted.
   *
   * @return the events that this machine does not count; empty if all are, or nothing is to be
   * @throws InputException if perf cannot count anything
   */
  Optional<String> uncounted() throws IOException {
    if (perf.isEmpty()) {
      return Optional.empty();
    }
    Path file = Files.createDirectories(folder.resolve("work")).resolve("perf");
    List<String> events = perf.get().probe(file);
    return events.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", events));
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
    Path own = folder.resolve("work").resolve(name).toAbsolutePath();
    delete(own);
    Path events = Files.createDirectories(own.resolve("events"));
    Path home = JavaWrapper.write(own, java(arm), arm, shares(arm), setting.shares());
    Path linked = spark.linked(own.resolve("spark"));
    // A group of its own to end all of it; the signal, should this process be killed.
    List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", "setsid"));
    Path counts = own.resolve("perf");
    perf.ifPresent(counter -> command.addAll(counter.around(counts)));
    command.addAll(
        application.command(
            linked.resolve("bin/spark-submit").toString(),
            SparkSubmit.properties(arm, setting.heapMebibytes(), home, events),
            Map.of(
                "arm", arm.arm().name(),
                "round", Integer.toString(start.round().number()),
                "run", name)));
    Path log = Files.createDirectories(folder.resolve("logs")).resolve(name + ".log");
    try (Limited limited = limited(name, command)) {
      ProcessBuilder builder =
          new ProcessBuilder(limited.command())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("SPARK_HOME", linked.toString());
      builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
      SeenRun seen =
          watched(builder, arm, timeout, new ExecutorWatch(JavaWrapper.pids(own), facts));
      return new RunJudge(arm, setting, facts)
          .run(start, session, seen, new Traces(events, counts, new RunLog(log), limited.cgroup()));
    } finally {
      delete(own);
    }
  }

  /** A command, and the memory limit that it runs in, if there is one. */
  private record Limited(List<String> command, Optional<MemoryCgroup> cgroup)
      implements AutoCloseable {
    @Override
    public void close() {
      cgroup.ifPresent(MemoryCgroup::close);
    }
  }

  private Limited limited(String name, List<String> command) {
    if (setting.memoryMebibytes().isEmpty()) {
      return new Limited(command, Optional.empty());
    }
    MemoryCgroup cgroup =
        MemoryCgroup.create(CGROUPS, cgroupPrefix() + name, setting.memoryMebibytes().getAsInt());
    return new Limited(cgroup.around(command), Optional.of(cgroup));
  }

  private String cgroupPrefix() {
    return "numaspark-trial-%08x-".formatted(folder.toAbsolutePath().hashCode());
  }

  /** Removes what a killed trial has left. */
  void cleanUp() throws IOException {
    delete(folder.resolve("work"));
    MemoryCgroup.removeEmpty(CGROUPS, cgroupPrefix());
  }

  /** Ends the run that goes on now, when this process is asked to end: nothing of it stays. */
  void stop() {
    endGroup();
    try {
      for (int i = 0; i < 20 && !MemoryCgroup.removeEmpty(CGROUPS, cgroupPrefix()); i++) {
        Thread.sleep(100);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<CoreShare> shares(LocalArm arm) {
    return arm.binding().setsCpus()
        ? setting.shares().of(arm.executors()).orElseThrow()
        : List.of();
  }

  private static Path java(LocalArm arm) {
    String home = arm.javaHome() == null ? System.getenv("JAVA_HOME") : arm.javaHome();
    return home == null
        ? Path.of(System.getProperty("java.home"), "bin/java")
        : Path.of(home, "bin/java");
  }

  private SeenRun watched(
      ProcessBuilder builder, LocalArm arm, Duration timeout, ExecutorWatch watch)
      throws IOException {
    long self = ProcessHandle.current().pid();
    Busy before = facts.machine();
    double children = facts.childrenCpuSeconds(self);
    long begin = System.nanoTime();
    Process process = builder.start();
    group = process.pid();
    boolean ended;
    double stopped = 0;
    double orphans = 0;
    Optional<Slowdown> slowdown = Slowdown.start(group, arm.slowdown());
    try {
      ended = waitFor(process, timeout, watch);
      orphans = ended ? watch.cpuSecondsOfLiving() : 0;
    } finally {
      stopped = slowdown.map(Slowdown::end).orElse(0.0);
      endGroup();
    }
    return new SeenRun(
        (System.nanoTime() - begin) / 1e9,
        facts.childrenCpuSeconds(self) - children + orphans,
        facts.machine().minus(before),
        ended ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(),
        watch,
        stopped);
  }

  private static boolean waitFor(Process process, Duration timeout, ExecutorWatch watch) {
    long end = System.nanoTime() + timeout.toNanos();
    try {
      Duration pause = LOOK;
      while (!process.waitFor(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        long begin = System.nanoTime();
        watch.look();
        pause = pauseAfter(Duration.ofNanos(System.nanoTime() - begin));
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

  static Duration pauseAfter(Duration look) {
    Duration apart = look.multipliedBy(LOOKS_APART);
    if (apart.compareTo(LONGEST_PAUSE) > 0) {
      return LONGEST_PAUSE;
    }
    return apart.compareTo(LOOK) > 0 ? apart : LOOK;
  }

  /**
   * Ends what is left of the run that goes on now: also what has been stopped, or lost its parent.
   */
  private void endGroup() {
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
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
