package io.numaspark.sparkbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code make bench-spark}: measures variants of Spark side by side and writes table, plot and
 * numbers.
 */
@Command(
    name = "bench-spark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measures variants of Spark side by side on this machine. Writes REPORT.md, plots and measurements.jsonl.")
final class Main implements Callable<Integer> {

  @Option(
      names = "--suite",
      split = ",",
      description = "Only these suites; --list prints them. Default: all.")
  private List<String> suites = List.of();

  @Option(
      names = "--query",
      split = ",",
      description = "Only these queries, e.g. tpch/q09,terasort.")
  private List<String> queries = List.of();

  @Option(
      names = "--variant",
      split = ";",
      description =
          "Only these variants, separated by semicolons; the baseline is always measured.")
  private List<String> variants = List.of();

  @Option(names = "--list", description = "Print suites, queries and variants, and end.")
  private boolean list;

  @Option(
      names = "--quick",
      description = "Small input, fewer cases, 3 runs: to see that it works.")
  private boolean quick;

  @Option(names = "--runs", description = "Rounds that count. Default: 7, with --quick 3.")
  private Integer runs;

  @Option(
      names = "--warmups",
      description = "Rounds before, which do not count. Default: 2, with --quick 1.")
  private Integer warmups;

  @Option(
      names = "--scale",
      description = "Scale factor of TPC-H, 0.01 or more. Default: 1, with --quick 0.1.")
  private Double scale;

  @Option(
      names = "--memory",
      defaultValue = "2560",
      description = "Heap of all executors of a variant together, MiB. Default: ${DEFAULT-VALUE}.")
  private int memory;

  @Option(
      names = "--slots",
      defaultValue = "16",
      description = "Task slots on an emulated device, a power of two. Default: ${DEFAULT-VALUE}.")
  private int slots;

  @Option(
      names = "--slowdown",
      defaultValue = "1",
      description =
          "Factor on all times of an emulated device, at least 1. Default: ${DEFAULT-VALUE}.")
  private double slowdown;

  @Option(
      names = "--budget",
      description = "Minutes for each suite: no round begins that would end later. Default: none.")
  private Long budget;

  @Option(
      names = "--output",
      defaultValue = "bench-spark-results",
      description =
          "Folder for the results. A run goes on from what is in it. Default: ${DEFAULT-VALUE}.")
  private Path output;

  @Option(names = "--spark-home", required = true, hidden = true)
  private Path sparkHome;

  @Option(names = "--jars", required = true, hidden = true)
  private Path jars;

  @Option(names = "--plugin", required = true, hidden = true)
  private Path plugin;

  @Option(names = "--cache", required = true, hidden = true)
  private Path cache;

  @Option(names = "--scratch", required = true, hidden = true)
  private Path scratch;

  @Option(names = "--tmpfs", required = true, hidden = true)
  private Path tmpfs;

  @Option(names = "--device-program", required = true, hidden = true)
  private Path device;

  private final Progress progress = new Progress(System.out);

  public static void main(String[] arguments) {
    CommandLine line = new CommandLine(new Main());
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          command.getErr().println("error: " + failure.getMessage());
          return 1;
        });
    System.exit(line.execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    List<Suite> chosen = chosen();
    if (list) {
      chosen.forEach(this::describe);
      return 0;
    }
    for (Suite suite : chosen) {
      requireMemory(suite);
    }
    Files.createDirectories(output);
    return measure(chosen);
  }

  private int measure(List<Suite> chosen) throws IOException {
    String machine = MachineDescription.description(sparkHome);
    progress.say(machine);
    RunFolders places = new RunFolders(sparkHome, jars, plugin, cache, scratch, tmpfs, device);
    Store store = new Store(output.resolve("measurements.jsonl"));
    StringBuilder report =
        new StringBuilder("# Measurements of Spark\n\n" + machine + " before the run.\n\n");
    boolean same = true;
    for (Suite suite : chosen) {
      Instant deadline =
          budget == null ? Instant.MAX : Instant.now().plus(Duration.ofMinutes(budget));
      Campaign.Plan plan =
          new Campaign.Plan(or(warmups, quick ? 1 : 2), or(runs, quick ? 3 : 7), deadline);
      Map<String, String> differences;
      try (Laboratory laboratory = new Laboratory(suite, shape(), places)) {
        Campaign campaign = new Campaign(suite, plan, laboratory, store, output, progress);
        campaign.run();
        differences = campaign.differences();
      }
      same &= differences.isEmpty();
      Results results = new Results(suite, store.measurements());
      String plot = suite.name() + ".svg";
      Files.writeString(output.resolve(plot), Plot.of(results));
      report.append(Report.of(results, differences, plot));
      Files.writeString(
          output.resolve("REPORT.md"),
          report + "Load average " + MachineDescription.load() + " after the run.\n");
    }
    progress.say("\n" + Files.readString(output.resolve("REPORT.md")));
    return same ? 0 : 1;
  }

  private static int or(Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }

  private Shape shape() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new Shape(
        cores, slots, memory, scale == null ? (quick ? 0.1 : 1) : scale, slowdown, quick);
  }

  private List<Suite> chosen() {
    List<Suite> all = new Suites(shape()).all();
    requireKnown("--suite", suites, all.stream().map(Suite::name).toList());
    requireKnown(
        "--query",
        queries,
        all.stream().flatMap(s -> s.workloads().stream().map(BenchmarkQuery::query)).toList());
    requireKnown(
        "--variant",
        variants,
        all.stream().flatMap(s -> s.variants().stream().map(Variant::name)).toList());
    List<Suite> chosen = new ArrayList<>();
    for (Suite suite : all) {
      List<BenchmarkQuery> workloads =
          suite.workloads().stream()
              .filter(w -> queries.isEmpty() || queries.contains(w.query()))
              .toList();
      List<Variant> kept =
          suite.variants().stream().filter(v -> variants.isEmpty() || wanted(suite, v)).toList();
      if (!workloads.isEmpty() && (suites.isEmpty() || suites.contains(suite.name()))) {
        chosen.add(suite.only(workloads).onlyVariants(kept));
      }
    }
    return chosen;
  }

  private boolean wanted(Suite suite, Variant variant) {
    String name = variant.name();
    return variants.contains(name)
        || name.equals(suite.baseline())
        || variants.stream().anyMatch(other -> suite.baselineOf(other).equals(name));
  }

  private static void requireKnown(String option, List<String> names, List<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            option + " " + name + ": there is not one of that name; --list prints them all");
      }
    }
  }

  private void requireMemory(Suite suite) {
    int alive = suite.freshSessions() ? 1 : suite.variants().size();
    long needed = (long) alive * (suite.memoryMebibytes(shape()) + SparkSettings.DRIVER_MEBIBYTES);
    long available = MachineDescription.availableMebibytes();
    if (needed > available) {
      throw new IllegalArgumentException(
          "suite "
              + suite.name()
              + " keeps "
              + alive
              + " Sparks alive that may take "
              + needed
              + " MiB, but only "
              + available
              + " MiB are free: choose fewer with --variant, or a smaller --memory");
    }
  }

  private void describe(Suite suite) {
    Map<String, List<String>> parts = new LinkedHashMap<>();
    parts.put("queries", suite.workloads().stream().map(BenchmarkQuery::query).toList());
    parts.put("variants", suite.variants().stream().map(Variant::name).toList());
    progress.say(suite.name() + ": " + suite.title());
    parts.forEach((name, values) -> progress.say("  " + name + ": " + String.join("; ", values)));
  }
}
