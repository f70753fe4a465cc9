package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import io.numaspark.cli.trial.TrialSetting.Sizes;
import io.numaspark.planner.sysfs.NodeReading;
import io.numaspark.planner.sysfs.SysfsTopologyReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options that say what of this machine a trial uses. */
final class MachineOptions {
  private static final int MOST = 1024;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description =
          "Heap of all executors of an arm together, in MiB (default: half of the memory that is available).")
  private Integer heap;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description =
          "Memory limit of all processes of a run together, page cache included, in MiB; needs root (default: none).")
  private Integer memory;

  @Option(
      names = "--task-slots",
      paramLabel = "N",
      description =
          "Tasks that all executors of an arm run at once; more than CPUs for tasks that wait (default: the hardware threads).")
  private Integer taskSlots;

  @Option(
      names = "--executors",
      paramLabel = "N",
      split = ",",
      defaultValue = "2,4,6,8,12,24",
      description =
          "Numbers of executors to compare with one, for the study executors (default: ${DEFAULT-VALUE}).")
  private List<Integer> executors;

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
      names = "--counters",
      description =
          "Count instructions, cache misses and switches of each run with perf, which has to be installed. It costs all arms some time.")
  private boolean counters;

  /**
   * @param program spark-submit, as the user's command has it
   * @throws InputException if there is no Spark
   */
  SparkHome spark(String program) {
    return SparkHome.find(sparkHome, program);
  }

  /**
   * @throws InputException naming the option that this machine cannot do
   */
  TrialSetting setting() {
    for (String program : List.of("bash", "setpriv", "setsid", "taskset")) {
      if (!isInPath(program)) {
        throw new InputException(
            program + " is not in PATH: install util-linux and bash on this machine");
      }
    }
    NodeReading machine;
    try {
      machine = SysfsTopologyReader.read(Path.of("/"));
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
    if (mebibytes < 2 * TrialSetting.LEAST_EXECUTOR_MEBIBYTES) {
      throw new InputException(
          "--heap: %d MiB are not enough; give %d or more"
              .formatted(mebibytes, 2 * TrialSetting.LEAST_EXECUTOR_MEBIBYTES));
    }
    if (memory != null && memory < mebibytes) {
      throw new InputException(
          "--memory: %d MiB are less than the heap of %d MiB; give more, or a smaller --heap"
              .formatted(memory, mebibytes));
    }
    return new TrialSetting(
        machine.topology(),
        TrialSetting.words(machine.cpu(), machine.system()),
        sizes(mebibytes),
        isInPath("numactl"),
        jdks.stream().map(jdk -> jdk.toAbsolutePath().toString()).toList(),
        Optional.ofNullable(plugin).map(jar -> jar.toAbsolutePath().toString()),
        counters);
  }

  private Sizes sizes(int mebibytes) {
    if (taskSlots != null && (taskSlots < 1 || taskSlots > MOST)) {
      throw new InputException("--task-slots: 1 to %d, not %d".formatted(MOST, taskSlots));
    }
    executors.stream()
        .filter(count -> count < 1 || count > MOST)
        .findFirst()
        .ifPresent(
            count -> {
              throw new InputException("--executors: 1 to %d, not %d".formatted(MOST, count));
            });
    return new Sizes(
        mebibytes,
        optional(memory),
        optional(taskSlots),
        // One is the baseline.
        executors.stream().filter(count -> count > 1).distinct().sorted().toList());
  }

  private static OptionalInt optional(Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private static int availableMebibytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .map(line -> (int) (Long.parseLong(line.replaceAll("\\D", "")) >> 10))
          .findFirst()
          .orElseThrow(
              () ->
                  new InputException(
                      "the kernel does not say how much memory is free: give --heap"));
    } catch (IOException e) {
      throw new InputException("the free memory cannot be read: give --heap", e);
    }
  }

  private static boolean isInPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
