package io.numaspark.sparkbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All suites, for a shape. */
final class Suites {

  /**
   * Spark's own default for {@code spark.sql.autoBroadcastJoinThreshold}, meant for data of any
   * size.
   */
  private static final long BROADCAST_BYTES = 10L << 20;

  private static final int FILES = 64;

  private static final String ONE_SORT = "sort, disk, 1 executor";
  private static final String TWO_SORT = "sort, disk, 2 executors";
  private static final String OFF = "off";
  private static final String HEAP_ALONE = "heap and overhead";

  /** Spark's least overhead of a pod. */
  private static final int OVERHEAD_MEBIBYTES = 384;

  private static final String PLUGIN = "numaspark.plugin.NumasparkPlugin";

  private final Shape shape;

  Suites(Shape shape) {
    this.shape = shape;
  }

  List<Suite> all() {
    return List.of(
        tpch("tpch", "TPC-H, plans as Spark makes them at this scale", BROADCAST_BYTES),
        tpch(
            "tpch-shuffled",
            "TPC-H, joins as at scale factor 100",
            Math.max(1024, (long) (BROADCAST_BYTES * shape.scale() / 100))),
        range(),
        adaptive("adaptive-hdd", DeviceKind.HDD, "an emulated hard disk", hardDiskGoals()),
        adaptive(
            "adaptive-ssd",
            DeviceKind.SSD,
            "an emulated solid-state drive",
            noLossGoals("terasort", "pagerank")),
        cpuBound(),
        executors(),
        compressedOops(),
        nursery(),
        podMemory());
  }

  private Suite tpch(String name, String title, long broadcastBytes) {
    return new Suite(
        name,
        title,
        DeviceKind.NONE,
        tpchQueries(),
        shuffleVariants(),
        ONE_SORT,
        Map.of("spark.sql.autoBroadcastJoinThreshold", Long.toString(broadcastBytes)),
        shuffleGoals());
  }

  private List<BenchmarkQuery> tpchQueries() {
    Dataset data = Dataset.tpch(shape.scale());
    return IntStream.rangeClosed(1, 22)
        .mapToObj(i -> BenchmarkQuery.reading(String.format(Locale.ROOT, "tpch/q%02d", i), data))
        .toList();
  }

  private Suite range() {
    List<Integer> exponents =
        shape.quick() ? List.of(20, 22, 24) : List.of(20, 21, 22, 23, 24, 25, 26, 27);
    List<BenchmarkQuery> workloads =
        Stream.of(1, 4 * shape.cores())
            .flatMap(
                partitions ->
                    exponents.stream()
                        .map(n -> BenchmarkQuery.computing("range/" + n + "/" + partitions)))
            .toList();
    return new Suite(
        "range",
        "range(2^n).repartition(k).sum",
        DeviceKind.NONE,
        workloads,
        shuffleVariants(),
        ONE_SORT,
        Map.of(),
        shuffleGoals());
  }

  private List<Variant> shuffleVariants() {
    return List.of(
        Variant.named(ONE_SORT),
        Variant.named("sort, tmpfs, 1 executor").onTmpfs(),
        pages(Variant.named("Pages, 1 executor")),
        // Pods have an address each, so that Spark never finds a neighbour's files on the same
        // host.
        Variant.named(TWO_SORT).executors(2).with("spark.shuffle.readHostLocalDisk", "false"),
        pages(Variant.named("Pages, 2 executors").executors(2).against(TWO_SORT)));
  }

  private Variant pages(Variant variant) {
    int mebibytesOfOne = shape.memoryMebibytes() / variant.executors();
    return variant
        .with("spark.plugins", PLUGIN)
        .with("spark.shuffle.manager", "numaspark.shuffle.PagesShuffleManager")
        .with("spark.memory.offHeap.size", mebibytesOfOne + "m");
  }

  private static List<Goal> shuffleGoals() {
    return List.of(
        new Goal.MedianOfShuffleHeavy("Pages, 1 executor", ONE_SORT, 0.69),
        new Goal.NoQuerySlower("Pages, 1 executor", ONE_SORT, 1.05),
        new Goal.MedianOfShuffleHeavy("Pages, 2 executors", TWO_SORT, 0.69),
        new Goal.NoQuerySlower("Pages, 2 executors", TWO_SORT, 1.05));
  }

  private Suite adaptive(String name, DeviceKind device, String title, List<Goal> goals) {
    long factor = shape.quick() ? 1 : 4;
    int files = shape.tasksOnDevice();
    List<BenchmarkQuery> workloads =
        List.of(
            BenchmarkQuery.writing("terasort", Dataset.terasort(256 * factor, files)),
            BenchmarkQuery.writing("pagerank", Dataset.pages(400_000 * factor, files)),
            BenchmarkQuery.writing("aggregation", Dataset.visits(500_000 * factor, files)),
            BenchmarkQuery.writing("join", Dataset.visits(500_000 * factor, files)));
    return new Suite(
        name,
        "Adaptive executors on " + title,
        device,
        workloads,
        adaptiveVariants(),
        OFF,
        rdd(),
        goals);
  }

  private Suite cpuBound() {
    return new Suite(
        "adaptive-cpu",
        "Adaptive executors, tasks that only compute",
        DeviceKind.NONE,
        List.of(BenchmarkQuery.computing("cpu/" + 8 * shape.slots())),
        adaptiveVariants(),
        OFF,
        Map.of(),
        noLossGoals("cpu/" + 8 * shape.slots()));
  }

  private List<Variant> adaptiveVariants() {
    List<Variant> variants = new ArrayList<>();
    variants.add(Variant.named(OFF).slots(shape.slots()));
    variants.add(
        adaptive("static")
            .with("spark.numaspark.adaptive.static.threads", Integer.toString(shape.slots() / 4)));
    variants.add(adaptive("dynamic"));
    for (int slots = 1; slots < shape.slots(); slots *= 2) {
      variants.add(Variant.named("fixed " + slots).slots(slots));
    }
    return variants;
  }

  private Variant adaptive(String mode) {
    return Variant.named(mode)
        .slots(shape.slots())
        .with("spark.plugins", PLUGIN)
        .with("spark.numaspark.adaptive.mode", mode);
  }

  private List<String> fixedCounts() {
    return adaptiveVariants().stream()
        .map(Variant::name)
        .filter(n -> n.equals(OFF) || n.startsWith("fixed"))
        .toList();
  }

  private List<Goal> hardDiskGoals() {
    return List.of(
        new Goal.OneQuery("terasort", "dynamic", OFF, 0.66),
        new Goal.OneQuery("pagerank", "dynamic", OFF, 0.46),
        new Goal.NearBest("terasort", "dynamic", fixedCounts(), 1.05),
        new Goal.NearBest("pagerank", "dynamic", fixedCounts(), 1.05),
        new Goal.NearBest("aggregation", "dynamic", fixedCounts(), 1.05),
        new Goal.NearBest("join", "dynamic", fixedCounts(), 1.05));
  }

  private static List<Goal> noLossGoals(String... queries) {
    return Stream.of(queries)
        .<Goal>map(query -> new Goal.OneQuery(query, "dynamic", OFF, 1.03))
        .toList();
  }

  /** As HiBench sets it for its programs on RDDs. */
  private static Map<String, String> rdd() {
    return Map.of("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
  }

  private Suite executors() {
    List<Variant> variants =
        Stream.of(1, 2, 4, 8)
            .map(
                count ->
                    Variant.named(count + (count == 1 ? " executor" : " executors"))
                        .executors(count)
                        .slots(8))
            .toList();
    return new Suite(
        "executors",
        "The same cores and memory in 1, 2, 4 and 8 executors; 8 task slots in all",
        DeviceKind.NONE,
        jvmQueries(),
        variants,
        "1 executor",
        Map.of(),
        List.of());
  }

  private Suite compressedOops() {
    return new Suite(
        "oops",
        "Heap with and without compressed references",
        DeviceKind.NONE,
        jvmQueries(),
        List.of(Variant.named("compressed"), jvm("not compressed", "-XX:-UseCompressedOops")),
        "compressed",
        Map.of(),
        List.of());
  }

  private Suite nursery() {
    return new Suite(
        "nursery",
        "Share of the heap for young objects, ParallelGC",
        DeviceKind.NONE,
        jvmQueries(),
        List.of(
            Variant.named("NewRatio=2 (default)"),
            jvm("NewRatio=1", "-XX:NewRatio=1"),
            jvm("NewRatio=3", "-XX:NewRatio=3"),
            jvm(
                "NewSize=70 %",
                "-XX:NewSize=%1$dm -XX:MaxNewSize=%1$dm"
                    .formatted(shape.memoryMebibytes() * 7 / 10))),
        "NewRatio=2 (default)",
        Map.of(),
        List.of());
  }

  /**
   * What memory beyond the heap is worth: a pod of heap and overhead, and four pods that have as
   * much again, inside one limit each. The driver counts in the limit, too.
   */
  private Suite podMemory() {
    int heap = shape.memoryMebibytes();
    int small = heap + OVERHEAD_MEBIBYTES + SparkSettings.DRIVER_MEBIBYTES + OVERHEAD_MEBIBYTES;
    Variant.Memory large = new Variant.Memory(heap, small + heap);
    String more = heap + "m";
    return new Suite(
        "pod-memory",
        "A pod of heap and overhead, and as much again for files, off-heap, heap or pages",
        DeviceKind.SSD,
        podMemoryQueries(),
        List.of(
            Variant.named(HEAP_ALONE).within(new Variant.Memory(heap, small)),
            Variant.named("page cache").within(large),
            Variant.named("off-heap")
                .within(large)
                .with("spark.memory.offHeap.enabled", "true")
                .with("spark.memory.offHeap.size", more),
            Variant.named("larger heap").within(new Variant.Memory(2 * heap, small + heap)),
            pages(Variant.named("pages").within(large))),
        HEAP_ALONE,
        Map.of(),
        List.of());
  }

  /** Work that reads much, shuffles much, and keeps much. */
  private List<BenchmarkQuery> podMemoryQueries() {
    Dataset tpch = Dataset.tpch(shape.scale());
    int files = shape.tasksOnDevice();
    return List.of(
        BenchmarkQuery.reading("tpch/q09", tpch),
        BenchmarkQuery.reading("tpch/q18", tpch),
        BenchmarkQuery.reading("tpch/q21", tpch),
        BenchmarkQuery.writing("terasort", Dataset.terasort(512, files)),
        BenchmarkQuery.writing("pagerank", Dataset.pages(400_000, files)));
  }

  private static Variant jvm(String name, String options) {
    return Variant.named(name).with("spark.executor.extraJavaOptions", options);
  }

  /**
   * Joins and aggregations over many rows, a sort, and a program on RDDs that makes many objects.
   */
  private List<BenchmarkQuery> jvmQueries() {
    Dataset tpch = Dataset.tpch(shape.scale());
    return List.of(
        BenchmarkQuery.reading("tpch/q01", tpch),
        BenchmarkQuery.reading("tpch/q09", tpch),
        BenchmarkQuery.reading("tpch/q13", tpch),
        BenchmarkQuery.reading("tpch/q18", tpch),
        BenchmarkQuery.reading("tpch/q21", tpch),
        BenchmarkQuery.writing("terasort", Dataset.terasort(256, FILES)),
        BenchmarkQuery.writing("pagerank", Dataset.pages(100_000, FILES)));
  }
}
