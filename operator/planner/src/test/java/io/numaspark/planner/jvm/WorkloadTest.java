package io.numaspark.planner.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  @ParameterizedTest
  @CsvSource({
    "GENERAL,       {}",
    "SCAN,          {}",
    "SHUFFLE_HEAVY, '{spark.memory.fraction=0.7, spark.memory.storageFraction=0.1,"
        + " spark.sql.adaptive.coalescePartitions.parallelismFirst=false}'",
    "ITERATIVE,     '{spark.memory.fraction=0.7, spark.memory.storageFraction=0.6}'",
    "STREAMING,     {spark.memory.storageFraction=0.4}",
  })
  void theWorkloadSetsSparksMemoryFractions(Workload workload, String conf) {
    assertThat(conf(workload, OptionalLong.empty())).hasToString(conf);
  }

  @ParameterizedTest(name = "{0} on {1} task slots: {2} partitions")
  @CsvSource({
    "GENERAL,             1, ",
    "GENERAL,            66, ",
    "GENERAL,            67, 201",
    "SCAN,              400, 1200",
    "ITERATIVE,         400, 1200",
    "STREAMING,         400, ",
    "SHUFFLE_HEAVY,      25, ",
    "SHUFFLE_HEAVY,      26, 208",
    "SHUFFLE_HEAVY,      48, 384",
    "SHUFFLE_HEAVY,     250, 2000",
    "SHUFFLE_HEAVY,     251, 2000",
    "SHUFFLE_HEAVY,     666, 2000",
    "SHUFFLE_HEAVY,     667, 2001",
    "GENERAL,    9999999999, 2147483647",
  })
  void shufflePartitionsFollowTheTaskSlots(Workload workload, long slots, String partitions) {
    assertThat(conf(workload, OptionalLong.of(slots)).get(PARTITIONS)).isEqualTo(partitions);
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void everyPropertyHasAReason(Workload workload) {
    assertThat(workload.sparkProperties(OptionalLong.of(1000)))
        .allMatch(property -> property.why().length() > 20);
  }

  private static Map<String, String> conf(Workload workload, OptionalLong slots) {
    return new TreeMap<>(
        workload.sparkProperties(slots).stream()
            .collect(Collectors.toMap(SparkProperty::key, SparkProperty::value)));
  }
}
