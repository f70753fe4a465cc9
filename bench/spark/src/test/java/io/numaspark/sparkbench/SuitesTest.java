package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuitesTest {

  private static final Shape SHAPE = new Shape(2, 16, 2048, 1, 8, false);
  private final List<Suite> suites = new Suites(SHAPE).all();

  private Suite suite(String name) {
    return suites.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void haveNamesOfTheirOwn() {
    assertThat(suites).extracting(Suite::name).doesNotHaveDuplicates();
    assertThat(suites)
        .allSatisfy(
            s -> assertThat(s.variants()).extracting(Variant::name).doesNotHaveDuplicates());
  }

  @Test
  void measureAllQueriesOfTpchAndAllSizesOfSeed003() {
    assertThat(suite("tpch").workloads()).hasSize(22);
    assertThat(suite("range").workloads())
        .extracting(BenchmarkQuery::query)
        .contains("range/20/1", "range/27/1", "range/27/8");
  }

  @Test
  void searchTheBestCountExhaustively() {
    assertThat(suite("adaptive-hdd").variants())
        .extracting(Variant::name)
        .containsExactly("off", "static", "dynamic", "fixed 1", "fixed 2", "fixed 4", "fixed 8");
  }

  @Test
  void divideTheSameCoresAndMemory() {
    Suite executors = suite("executors");
    for (Variant variant : executors.variants()) {
      SparkSettings settings = settings(executors, variant);
      int memory =
          Integer.parseInt(settings.properties().get("spark.executor.memory").replace("m", ""));
      int slots = Integer.parseInt(settings.properties().get("spark.executor.cores"));
      // 8 executors get 512 MiB each, so all others get 4 GiB too.
      assertThat(memory * variant.executors()).isEqualTo(4096);
      assertThat(slots * variant.executors()).isEqualTo(8);
      assertThat(settings.master())
          .startsWith("local-cluster[" + variant.executors() + "," + slots + ",");
    }
  }

  @Test
  void haveTheSamePartitionsWhateverTheSlots() {
    Suite disk = suite("adaptive-hdd");
    assertThat(disk.variants())
        .extracting(v -> settings(disk, v).properties().get("spark.sql.shuffle.partitions"))
        .containsOnly("128");
  }

  @Test
  void keepTheCollectorWhenAVariantHasOptions() {
    Suite oops = suite("oops");
    assertThat(settings(oops, oops.variants().get(1)).properties())
        .containsEntry(
            "spark.executor.extraJavaOptions", "-XX:+UseParallelGC -XX:-UseCompressedOops");
  }

  @Test
  void needTheirBaseline() {
    assertThatThrownBy(
            () ->
                new Suite(
                    "x",
                    "x",
                    DeviceKind.NONE,
                    List.of(),
                    List.of(Variant.named("a")),
                    "b",
                    Map.of(),
                    List.of()))
        .hasMessageContaining("no variant b");
  }

  private static SparkSettings settings(Suite suite, Variant variant) {
    Path folder = Path.of("folder");
    return SparkSettings.of(suite, variant, SHAPE, "x.jar", folder, folder);
  }
}
