package io.numaspark.planner.jvm;

import static io.numaspark.planner.fixture.Policies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.numaspark.planner.jvm.JvmOptionRules.Objection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmOptionRulesTest {
  private static final ExecutorCpus SIX_CORES = new ExecutorCpus(6, 12, 12);

  @ParameterizedTest(name = "{0} {1} is refused: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HOTSPOT | -XX:+DisableExplicitGC          | frees direct buffers
          OPENJ9  | -XX:+DisableExplicitGC          | frees direct buffers
          OPENJ9  | -Xdisableexplicitgc             | frees direct buffers
          HOTSPOT | -XX:ParallelGCThreads=7         | an executor has 6 cores
          HOTSPOT | -XX:ParallelGCThreads=0         | write 1 to 6
          HOTSPOT | -XX:ParallelGCThreads=many      | write 1 to 6
          HOTSPOT | -XX:ParallelGCThreads=          | write 1 to 6
          HOTSPOT | -XX:ParallelGCThreads=99999999999 | write 1 to 6
          HOTSPOT | -XX:ConcGCThreads=12            | an executor has 6 cores
          OPENJ9  | -Xgcthreads12                   | an executor has 6 cores
          OPENJ9  | -XX:ParallelGCThreads=12        | an executor has 6 cores
          HOTSPOT | -XX:ActiveProcessorCount=13     | pinned to 12 CPUs
          HOTSPOT | -Xmx4g                          | set spec.executor.maxHeap
          HOTSPOT | -Xms4g                          | set spec.executor.maxHeap
          HOTSPOT | -XX:MaxHeapSize=4g              | set spec.executor.maxHeap
          HOTSPOT | -XX:InitialHeapSize=4g          | set spec.executor.maxHeap
          HOTSPOT | -Xmn8g                          | smaller than the heap of 8192 MiB
          HOTSPOT | -Xmn9000000t                    | smaller than the heap of 8192 MiB
          HOTSPOT | -Xmn512                         | 1 MiB or more
          HOTSPOT | -Xmnhalf                        | write for example -Xmn4g
          HOTSPOT | -Xmn                            | write for example -Xmn4g
          OPENJ9  | -Xmn12g                         | -Xmn4096m, half of it
          HOTSPOT | -XX:MaxNewSize=8g               | smaller than the heap
          HOTSPOT | -XX:-UseCompressedOops          | 8 bytes instead of 4
          OPENJ9  | -Xnocompressedrefs              | 8 bytes instead of 4
          HOTSPOT | -XX:ObjectAlignmentInBytes=16   | spec.jvm.objectAlignment: 16
          HOTSPOT | -XX:+UseConcMarkSweepGC         | JDK 14 removed
          HOTSPOT | -Dspark.ui.enabled=false        | write it into spec.sparkConf
          HOTSPOT | -Xgcpolicy:gencon               | HotSpot does not start
          HOTSPOT | -Xgcthreads4                    | HotSpot does not start
          HOTSPOT | -XX:+TransparentHugePage        | HotSpot does not start
          OPENJ9  | -XX:+UseG1GC                    | OpenJ9 ignores it
          OPENJ9  | -Xmnx4g                         | write -Xmn, which sets both
          OPENJ9  | -XX:NewRatio=1                  | OpenJ9 ignores it
          OPENJ9  | -XX:+UseTransparentHugePages    | OpenJ9 ignores it
          """)
  void whatWouldHurtIsRefusedWithTheReason(Vendor vendor, String option, String text) {
    assertThat(check(vendor, option))
        .singleElement()
        .satisfies(
            objection -> {
              assertThat(objection.refused()).isTrue();
              assertThat(objection.message()).startsWith(option + ": ").contains(text);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "HOTSPOT, -XX:+UseNUMA, has no effect",
    "HOTSPOT, -XX:ActiveProcessorCount=12, by itself",
    "HOTSPOT, -XX:ActiveProcessorCount=1, unless it should use fewer",
    "HOTSPOT, -XX:+UseSerialGC, 6 cores wait",
  })
  void whatIsUselessIsRemarkedOn(Vendor vendor, String option, String text) {
    assertThat(check(vendor, option))
        .singleElement()
        .satisfies(
            objection -> {
              assertThat(objection.refused()).isFalse();
              assertThat(objection.message()).contains(text);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "HOTSPOT, -XX:ParallelGCThreads=6",
    "HOTSPOT, -XX:ConcGCThreads=1",
    "HOTSPOT, -Xmn4g",
    "HOTSPOT, -Xmn8191m",
    "HOTSPOT, -XX:NewRatio=3",
    "HOTSPOT, -XX:+UseG1GC",
    "HOTSPOT, -Xmixed",
    "HOTSPOT, -Xss4m",
    "HOTSPOT, -Dsparkle=1",
    "HOTSPOT, ''",
    "OPENJ9, -Xgcthreads6",
    "OPENJ9, -Xmn4g",
    "OPENJ9, -Xmso1m",
    "OPENJ9, -Xgcpolicy:balanced",
    "OPENJ9, -Xtune:virtualized",
    "OPENJ9, -XX:-TransparentHugePage",
  })
  void everythingElsePasses(Vendor vendor, String option) {
    assertThat(check(vendor, option)).isEmpty();
  }

  @Test
  void twoCollectorsAreRefusedAndOneTwiceIsNot() {
    assertThat(check(Vendor.HOTSPOT, "-XX:+UseG1GC", "-Dx=y", "-XX:+UseZGC"))
        .singleElement()
        .satisfies(
            objection -> {
              assertThat(objection.refused()).isTrue();
              assertThat(objection.option()).isEqualTo("-XX:+UseG1GC -XX:+UseZGC");
            });
    assertThat(check(Vendor.HOTSPOT, "-XX:+UseG1GC", "-XX:+UseG1GC")).isEmpty();
    assertThat(check(Vendor.OPENJ9, "-Xgcpolicy:gencon", "-Xgcpolicy:balanced")).hasSize(1);
  }

  @Test
  void everyObjectionIsGivenInTheOrderOfTheOptions() {
    assertThat(check(Vendor.HOTSPOT, "-XX:+UseNUMA", "-Dx=y", "-Xmx1g", "-XX:+DisableExplicitGC"))
        .extracting(Objection::option)
        .containsExactly("-XX:+UseNUMA", "-Xmx1g", "-XX:+DisableExplicitGC");
  }

  /** The claim that is made to users, put to the JVM that runs this test. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xgcpolicy:gencon",
        "-Xgcthreads4",
        "-Xgc:tlhMaximumSize=32768",
        "-XlockReservation",
        "-Xdump:heap:none",
        "-Xtrace:none",
        "-Xtune:virtualized",
        "-Xquickstart",
        "-Xaggressive",
        "-Xshareclasses",
        "-Xnolaa",
        "-Xnocompactgc",
        "-Xnocompactexplicitgc",
        "-Xdisableexplicitgc",
        "-Xcompressedrefs",
        "-Xnocompressedrefs",
        "-Xmns1g",
        "-XX:+TransparentHugePage",
        "-XX:+UseG1GC -XX:+UseParallelGC",
      })
  void hotSpotDoesNotStartWithIt(String options) throws Exception {
    assumeTrue(!System.getProperty("java.vm.name").contains("OpenJ9"));
    Run run = run(options.split(" "), "-version");
    assertThat(run.exit()).as(run.output()).isNotZero();
    assertThat(check(Vendor.HOTSPOT, options.split(" "))).isNotEmpty();
  }

  /** Why DisableExplicitGC is refused, on the JVM that runs this test. */
  @ParameterizedTest
  @CsvSource({
    "-XX:-DisableExplicitGC, 0",
    "-XX:+ExplicitGCInvokesConcurrent, 0",
    "-XX:+DisableExplicitGC, 1"
  })
  void withoutExplicitCollectionDirectBuffersRunOut(String option, int exit) throws Exception {
    assumeTrue(!System.getProperty("java.vm.name").contains("OpenJ9"));
    Run run =
        run(
            new String[] {option, "-XX:+UseG1GC", "-XX:MaxDirectMemorySize=16m", "-cp"},
            Path.of("target", "test-classes").toString(),
            DirectBuffers.class.getName());
    assertThat(run.exit()).as(run.output()).isEqualTo(exit);
    assertThat(run.output().contains("OutOfMemoryError")).isEqualTo(exit == 1);
  }

  private record Run(int exit, String output) {}

  private static Run run(String[] options, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(Arrays.asList(options));
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  private static List<Objection> check(Vendor vendor, String... options) {
    JvmPolicy policy =
        new JvmPolicy(vendor, Collector.AUTO, true, TransparentHugePages.AUTO, List.of());
    return JvmOptionRules.check(List.of(options), policy, SIX_CORES, 8192 * MIB);
  }
}
