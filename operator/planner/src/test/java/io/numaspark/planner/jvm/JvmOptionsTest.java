package io.numaspark.planner.jvm;

import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.jvm;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JvmOptionsTest {
  private static final ExecutorCpus SIX_CORES = new ExecutorCpus(6, 12, 12);

  @ParameterizedTest
  @CsvSource({
    "GENERAL,       30720, -XX:+UseParallelGC -XX:ParallelGCThreads=6 -XX:NewRatio=1",
    "GENERAL,        4096, -XX:+UseParallelGC -XX:ParallelGCThreads=6 -XX:NewRatio=1",
    "GENERAL,        4095, -XX:+UseParallelGC -XX:ParallelGCThreads=6",
    "SHUFFLE_HEAVY, 30720, -XX:+UseParallelGC -XX:ParallelGCThreads=6 -XX:NewRatio=1",
    "SCAN,          30720, -XX:+UseParallelGC -XX:ParallelGCThreads=6 -XX:NewRatio=1",
    "ITERATIVE,     30720, -XX:+UseParallelGC -XX:ParallelGCThreads=6 -XX:NewRatio=2",
    "STREAMING,     30720, -XX:+UseG1GC -XX:ParallelGCThreads=6"
        + " -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent",
  })
  void theWorkloadChoosesTheCollector(Workload workload, long heapMib, String options) {
    assertThat(String.join(" ", JvmOptions.of(jvm(), heap(heapMib), SIX_CORES, workload)))
        .isEqualTo(options + " -XX:+AlwaysPreTouch");
  }

  @ParameterizedTest
  @CsvSource({
    "PARALLEL, -XX:+UseParallelGC -XX:ParallelGCThreads=6 -XX:NewRatio=1",
    "G1, -XX:+UseG1GC -XX:ParallelGCThreads=6 -XX:InitiatingHeapOccupancyPercent=35"
        + " -XX:+ExplicitGCInvokesConcurrent",
    "SERIAL, -XX:+UseSerialGC",
    "ZGC, -XX:+UseZGC"
  })
  void theProfileMayChooseTheCollector(Collector collector, String options) {
    assertThat(
            String.join(
                " ", JvmOptions.of(jvm(collector), heap(8192), SIX_CORES, Workload.GENERAL)))
        .isEqualTo(options + " -XX:+AlwaysPreTouch");
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void neverTwoCollectorsNeverHeapSizesNeverDisableExplicitGc(Workload workload) {
    for (Collector collector : Collector.values()) {
      for (String extra : List.of("-XX:+UseShenandoahGC", "-XX:+UseG1GC", "-Dx=y")) {
        List<String> options =
            JvmOptions.of(jvm(collector, extra), heap(8192), SIX_CORES, workload);
        boolean left = collector == Collector.UNSET && !JvmOptions.choosesCollector(extra);
        assertThat(options).filteredOn(JvmOptions::choosesCollector).hasSize(left ? 0 : 1);
        assertThat(options).last().isEqualTo(extra);
        assertThat(options).noneMatch(o -> o.startsWith("-Xm") || o.contains("DisableExplicitGC"));
        assertThat(options).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void aForeignCollectorGetsNoOptionsOfOurs() {
    assertThat(
            JvmOptions.of(
                jvm("-XX:+UseShenandoahGC"), heap(8192), SIX_CORES, Workload.SHUFFLE_HEAVY))
        .containsExactly("-XX:+AlwaysPreTouch", "-XX:+UseShenandoahGC");
  }

  @Test
  void anApplicationsOwnCollectorReplacesTheProfiles() {
    JvmPolicy profile = jvm(Collector.G1);
    assertThat(profile.yieldingCollectorTo(List.of("-Dx=y"))).isEqualTo(profile);
    JvmPolicy yielding = profile.yieldingCollectorTo(List.of("-Dx=y", "-XX:+UseZGC"));
    assertThat(JvmOptions.of(yielding, heap(8192), SIX_CORES, Workload.GENERAL))
        .containsExactly("-XX:+AlwaysPreTouch");
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO, ''",
    "ENABLED, -XX:+UseTransparentHugePages",
    "DISABLED, -XX:-UseTransparentHugePages"
  })
  void hugePagesAndPreTouchFollowTheProfile(TransparentHugePages hugePages, String option) {
    JvmPolicy policy = new JvmPolicy(Vendor.HOTSPOT, Collector.SERIAL, false, hugePages, List.of());
    assertThat(String.join(" ", JvmOptions.of(policy, heap(1024), SIX_CORES, Workload.GENERAL)))
        .isEqualTo(("-XX:+UseSerialGC " + option).trim());
  }

  @Test
  void openJ9GetsItsOwnOptions() {
    JvmPolicy policy =
        new JvmPolicy(
            Vendor.OPENJ9, Collector.AUTO, false, TransparentHugePages.AUTO, List.of("-Xtune"));
    assertThat(JvmOptions.of(policy, heap(8192), SIX_CORES, Workload.GENERAL))
        .containsExactly("-Xgcpolicy:gencon", "-Xmn4096m", "-Xtune");
  }

  @ParameterizedTest
  @CsvSource({
    "GENERAL,       {}",
    "SCAN,          {}",
    "SHUFFLE_HEAVY, '{spark.memory.fraction=0.7, spark.memory.storageFraction=0.1}'",
    "ITERATIVE,     '{spark.memory.fraction=0.7, spark.memory.storageFraction=0.6}'",
    "STREAMING,     {spark.memory.storageFraction=0.4}",
  })
  void theWorkloadSetsSparksMemoryFractions(Workload workload, String conf) {
    assertThat(workload.sparkConf()).hasToString(conf);
  }

  private static ExecutorMemory heap(long mib) {
    return new ExecutorMemory(mib * MIB, 384 * MIB, 0);
  }
}
