package io.numaspark.sparkbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The Sparks, the device and the data of one suite. */
final class Laboratory implements AutoCloseable {

  /**
   * Page cache that a Spark on an emulated device has, and its class data and compiled code that
   * are not there after the warm-up: little, as on machines whose data is larger than their memory.
   */
  private static final int CACHE_MEBIBYTES = 128;

  /** Loads classes and compiles the shuffle without a file of the suite. */
  private static final String WARM_UP = "range/20/16";

  private static final Set<String> NOT_TOTALS = Set.of("nanos");

  private final Suite suite;
  private final Shape shape;
  private final RunFolders places;
  private final Device device;
  private final Map<String, SparkProcess> alive = new LinkedHashMap<>();
  private int started;

  Laboratory(Suite suite, Shape shape, RunFolders places) throws IOException {
    this.suite = suite;
    this.shape = shape;
    this.places = places;
    makeData();
    device =
        suite.device() == DeviceKind.NONE
            ? null
            : Device.start(
                places.device(),
                suite.device(),
                shape.slowdown(),
                places.scratch().resolve("device"));
    if (device != null) {
      for (Dataset dataset : datasets()) {
        Folders.copy(places.dataset(dataset), device.mount().resolve(dataset.name()));
      }
    }
  }

  private List<Dataset> datasets() {
    return suite.workloads().stream()
        .map(BenchmarkQuery::dataset)
        .filter(d -> d != null)
        .distinct()
        .toList();
  }

  /** Into the cache, by a Spark of its own; a folder is renamed when it is complete. */
  private void makeData() throws IOException {
    for (Dataset dataset : datasets()) {
      Path folder = places.dataset(dataset);
      if (Files.exists(folder)) {
        continue;
      }
      Path unfinished = places.cache().resolve(dataset.name() + ".unfinished");
      Folders.delete(unfinished);
      Files.createDirectories(places.cache());
      Variant plain = Variant.named("data");
      try (SparkProcess spark = start(plain, null)) {
        spark.run(dataset.maker(), Map.of("output", unfinished.toString()));
      }
      Files.move(unfinished, folder);
    }
  }

  private SparkProcess start(Variant variant, MemoryLimit limit) throws IOException {
    Path home = Files.createDirectories(places.scratch().resolve(suite.name() + "-" + started++));
    Path work = device == null ? home : Files.createDirectories(device.mount().resolve("work"));
    Path memory = Files.createDirectories(places.tmpfs().resolve(home.getFileName()));
    SparkSettings settings =
        SparkSettings.of(suite, variant, shape, places.classPath(), work, memory);
    try {
      return SparkProcess.start(places.spark(), settings, home, limit);
    } catch (IOException e) {
      throw new IOException(
          "variant \"" + variant.name() + "\" did not start: " + e.getMessage(), e);
    }
  }

  Measurement measure(BenchmarkQuery workload, Variant variant, int round, Path rows)
      throws IOException {
    if (!suite.freshSessions()) {
      if (!alive.containsKey(variant.name())) {
        alive.put(variant.name(), start(variant, null));
      }
      return measure(alive.get(variant.name()), workload, variant, round, rows);
    }
    device.fast();
    String group = "numaspark-bench-" + ProcessHandle.current().pid();
    try (MemoryLimit limit = limited(variant, MemoryLimit.create(group));
        SparkProcess spark = start(variant, limit)) {
      spark.run(WARM_UP, Map.of());
      device.drop();
      if (variant.memory().isEmpty()) {
        limit.leave(CACHE_MEBIBYTES);
      }
      device.timed();
      return measure(spark, workload, variant, round, rows);
    } finally {
      device.fast();
    }
  }

  /** A pod's limit holds from the start. */
  private static MemoryLimit limited(Variant variant, MemoryLimit limit) throws IOException {
    if (variant.memory().isPresent()) {
      limit.set((long) variant.memory().get().limitMebibytes() << 20);
    }
    return limit;
  }

  private Measurement measure(
      SparkProcess spark, BenchmarkQuery workload, Variant variant, int round, Path rows)
      throws IOException {
    Path data = device == null ? places.cache() : device.mount();
    Path output = (device == null ? places.scratch() : device.mount()).resolve("output");
    Map<String, String> arguments = new HashMap<>();
    arguments.put("scale", Double.toString(shape.scale()));
    if (workload.dataset() != null) {
      arguments.put("data", data.resolve(workload.dataset().name()).toString());
    }
    if (workload.writes()) {
      Folders.delete(output);
      arguments.put("output", output.toString());
    }
    double before = spark.tree().cpuSeconds();
    Map<String, String> answer = spark.run(workload.query(), arguments);
    double cpu = spark.tree().cpuSeconds() - before;
    double memory = spark.tree().memoryMebibytes();
    if (device != null) {
      device.fast();
    }
    spark.run("rows", Map.of("file", rows.toString(), "output", output.toString()));
    spark.run("rest", Map.of());
    Folders.delete(output);
    Map<String, Long> totals = new HashMap<>();
    answer.forEach(
        (key, value) -> {
          if (!NOT_TOTALS.contains(key)) {
            totals.put(key, Long.valueOf(value));
          }
        });
    double seconds = Long.parseLong(answer.get("nanos")) / 1e9;
    return new Measurement(
        suite.name(), workload.query(), variant.name(), round, seconds, cpu, memory, totals);
  }

  @Override
  public void close() throws IOException {
    for (SparkProcess spark : alive.values()) {
      spark.close();
    }
    if (device != null) {
      device.close();
    }
  }
}
