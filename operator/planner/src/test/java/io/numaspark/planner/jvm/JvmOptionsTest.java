package io.numaspark.planner.jvm;

import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.jvm;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
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
    for (Collector collector :
        EnumSet.complementOf(EnumSet.of(Collector.GENCON, Collector.BALANCED))) {
      for (String extra : List.of("-XX:+UseShenandoahGC", "-XX:+UseG1GC", "-Dx=y")) {
        List<String> options =
            JvmOptions.of(jvm(collector, extra), heap(8192), SIX_CORES, workload);
        boolean left = collector == Collector.UNSET && !Collector.isChosenBy(extra);
        assertThat(options).filteredOn(Collector::isChosenBy).hasSize(left ? 0 : 1);
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
    assertThat(jvm("-XX:+UseShenandoahGC", "-Dx=y").yieldingCollectorTo(List.of("-XX:+UseZGC")))
        .extracting(JvmPolicy::extraOptions)
        .isEqualTo(List.of("-Dx=y"));
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

  @ParameterizedTest
  @CsvSource({
    "GENERAL,       -Xgcpolicy:gencon -Xgcthreads6 -Xmn4096m",
    "SHUFFLE_HEAVY, -Xgcpolicy:gencon -Xgcthreads6 -Xmn4096m",
    "ITERATIVE,     -Xgcpolicy:gencon -Xgcthreads6 -Xmn2730m",
  })
  void openJ9GetsItsOwnOptions(Workload workload, String options) {
    JvmPolicy policy = openJ9(TransparentHugePages.AUTO, "-Xtune:virtualized");
    assertThat(String.join(" ", JvmOptions.of(policy, heap(8192), SIX_CORES, workload)))
        .isEqualTo(options + " -Xtune:virtualized");
  }

  @ParameterizedTest
  @CsvSource({"ENABLED, -XX:+TransparentHugePage", "DISABLED, -XX:-TransparentHugePage"})
  void openJ9HasItsOwnNameForHugePages(TransparentHugePages hugePages, String option) {
    assertThat(JvmOptions.of(openJ9(hugePages), heap(8192), SIX_CORES, Workload.GENERAL))
        .last()
        .isEqualTo(option);
  }

  @Test
  void anotherPolicyOfOpenJ9ReplacesOurs() {
    assertThat(
            JvmOptions.of(
                openJ9(TransparentHugePages.AUTO, "-Xgcpolicy:balanced"),
                heap(8192),
                SIX_CORES,
                Workload.GENERAL))
        .containsExactly("-Xgcpolicy:balanced");
  }

  @Test
  void sixteenByteAlignmentIsAskedFor() {
    JvmPolicy policy =
        new JvmPolicy(
            Vendor.HOTSPOT,
            OptionalInt.of(17),
            Collector.PARALLEL,
            16,
            false,
            TransparentHugePages.AUTO,
            List.of());
    assertThat(JvmOptions.of(policy, heap(40_000), SIX_CORES, Workload.GENERAL))
        .contains("-XX:ObjectAlignmentInBytes=16");
    assertThat(policy.yieldingCollectorTo(List.of("-XX:+UseG1GC")).objectAlignment()).isEqualTo(16);
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void everyOptionHasAReason(Workload workload) {
    for (JvmPolicy policy : List.of(jvm("-Dx=y"), openJ9(TransparentHugePages.ENABLED))) {
      List<JvmOption> options = JvmOptions.explained(policy, heap(30720), SIX_CORES, workload);
      assertThat(options).allMatch(option -> option.why().length() > 10);
      assertThat(options.stream().map(JvmOption::text).toList())
          .isEqualTo(JvmOptions.of(policy, heap(30720), SIX_CORES, workload));
    }
  }

  private static JvmPolicy openJ9(TransparentHugePages hugePages, String... extraOptions) {
    return new JvmPolicy(Vendor.OPENJ9, Collector.AUTO, false, hugePages, List.of(extraOptions));
  }

  private static ExecutorMemory heap(long mib) {
    return new ExecutorMemory(mib * MIB, 384 * MIB, 0);
  }
}
