package io.numaspark.planner.jvm;

import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.jvm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.numaspark.planner.jvm.HeapLimits.Basis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapLimitsTest {

  @ParameterizedTest(name = "{0} {1} on JDK {2}, {3}-byte alignment: {4} and {5} MiB, {6}")
  @CsvSource({
    "HOTSPOT, PARALLEL,    17,  8, 32766, 30720, MEASURED",
    "HOTSPOT, PARALLEL,     0,  8, 32766, 30720, ASSUMED",
    "HOTSPOT, PARALLEL,    19,  8, 32766, 30720, ASSUMED",
    "HOTSPOT, SERIAL,      25,  8, 32766, 30720, MEASURED",
    "HOTSPOT, SHENANDOAH,  21,  8, 32736, 30720, MEASURED",
    "HOTSPOT, G1,          17,  8, 32736, 30720, MEASURED",
    "HOTSPOT, G1,          21,  8, 32256, 30720, MEASURED",
    "HOTSPOT, G1,          25,  8, 32256, 30720, MEASURED",
    "HOTSPOT, G1,           0,  8, 32256, 30720, ASSUMED",
    "HOTSPOT, G1,          26,  8, 32256, 30720, ASSUMED",
    "HOTSPOT, AUTO,         0,  8, 32256, 30720, ASSUMED",
    "HOTSPOT, AUTO,        17,  8, 32736, 30720, ASSUMED",
    "HOTSPOT, UNSET,       21,  8, 32256, 30720, ASSUMED",
    "HOTSPOT, ZGC,         21,  8,     0,     0, MEASURED",
    "HOTSPOT, ZGC,          0,  8,     0,     0, ASSUMED",
    "HOTSPOT, PARALLEL,    17, 16, 65534, 63488, MEASURED",
    "HOTSPOT, G1,           0, 16, 65024, 63488, ASSUMED",
    "HOTSPOT, ZGC,         17, 16,     0,     0, MEASURED",
    "OPENJ9,  GENCON,       0,  8, 58368, 58368, DOCUMENTED",
    "OPENJ9,  BALANCED,    21,  8, 58368, 58368, DOCUMENTED",
    "OPENJ9,  AUTO,        17,  8, 58368, 58368, DOCUMENTED",
  })
  void limitsInMib(
      Vendor vendor,
      Collector collector,
      int version,
      int alignment,
      long compressed,
      long zeroBased,
      Basis basis) {
    OptionalInt feature = version == 0 ? OptionalInt.empty() : OptionalInt.of(version);
    assertThat(HeapLimits.of(vendor, collector, feature, alignment))
        .isEqualTo(new HeapLimits(compressed * MIB, zeroBased * MIB, basis));
  }

  @Test
  void anAlignmentThatWasNotMeasuredHasNoLimit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeapLimits.of(Vendor.HOTSPOT, Collector.G1, OptionalInt.empty(), 32))
        .withMessageContaining("give 8 or 16");
  }

  @ParameterizedTest
  @CsvSource({
    "HOTSPOT, G1, 8, lower spec.executor.maxHeap to 30Gi",
    "HOTSPOT, G1, 16, lower spec.executor.maxHeap to 62Gi",
    "OPENJ9, GENCON, 8, lower spec.executor.maxHeap to 57Gi",
    "HOTSPOT, ZGC, 8, 'choose a collector other than ZGC, which never compresses them'",
  })
  void theRemedyNamesTheFastestHeap(
      Vendor vendor, Collector collector, int alignment, String remedy) {
    assertThat(HeapLimits.of(vendor, collector, OptionalInt.empty(), alignment).remedy())
        .isEqualTo(remedy);
  }

  /** heap-limits.tsv is the output of bench/jvm/heap-limits.sh. */
  @Test
  void theTableIsTheSmallestOfWhatWasMeasured() throws IOException {
    Map<String, long[]> smallest = new TreeMap<>();
    for (String line : measurement().lines().skip(1).toList()) {
      String[] cells = line.split("\t");
      if (cells[4].equals("absent")) {
        continue;
      }
      long[] row = {mib(cells[4]), mib(cells[5])};
      String version = cells[0].substring(0, cells[0].indexOf('.'));
      smallest.merge(
          version + " " + collector(cells[1]) + " " + cells[2],
          row,
          (a, b) -> new long[] {Math.min(a[0], b[0]), Math.min(a[1], b[1])});
    }
    assertThat(smallest).as("4 JDKs, 5 collectors, 2 alignments").hasSize(40);
    smallest.forEach(
        (key, row) -> {
          String[] of = key.split(" ");
          assertThat(
                  HeapLimits.of(
                      Vendor.HOTSPOT,
                      Collector.valueOf(of[1]),
                      OptionalInt.of(Integer.parseInt(of[0])),
                      Integer.parseInt(of[2])))
              .as(key)
              .isEqualTo(new HeapLimits(row[0] * MIB, row[1] * MIB, Basis.MEASURED));
        });
  }

  /** The table that people read. */
  @Test
  void theDocumentedTableIsThisOne() throws IOException {
    Path docs = Path.of(System.getProperty("repository.root"), "docs", "jvm.md");
    Pattern row =
        Pattern.compile(
            "\\| (\\w+) \\| ([0-9, ]+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| measured \\|");
    int rows = 0;
    for (String line : Files.readAllLines(docs)) {
      Matcher cells = row.matcher(line);
      if (!cells.matches()) {
        continue;
      }
      for (String version : cells.group(2).split(", ")) {
        rows++;
        Collector collector = Collector.valueOf(cells.group(1).toUpperCase(Locale.ROOT));
        OptionalInt jdk = OptionalInt.of(Integer.parseInt(version));
        assertThat(
                List.of(
                    HeapLimits.of(Vendor.HOTSPOT, collector, jdk, 8),
                    HeapLimits.of(Vendor.HOTSPOT, collector, jdk, 16)))
            .as(line)
            .containsExactly(
                new HeapLimits(
                    Long.parseLong(cells.group(3)) * MIB,
                    Long.parseLong(cells.group(4)) * MIB,
                    Basis.MEASURED),
                new HeapLimits(
                    Long.parseLong(cells.group(5)) * MIB,
                    Long.parseLong(cells.group(6)) * MIB,
                    Basis.MEASURED));
      }
    }
    assertThat(rows).as("5 collectors, 4 JDKs").isEqualTo(20);
  }

  /** The table against the JVM that runs this test: pointers grow just above the limit. */
  @ParameterizedTest
  @CsvSource({
    "PARALLEL, -XX:+UseParallelGC, 8",
    "SERIAL,   -XX:+UseSerialGC, 8",
    "G1,       -XX:+UseG1GC, 8",
    "PARALLEL, -XX:+UseParallelGC, 16",
    "G1,       -XX:+UseG1GC, 16",
  })
  void thisJvmCompressesUpToTheLimitAndNoFurther(Collector collector, String option, int alignment)
      throws Exception {
    OptionalInt version = OptionalInt.of(Runtime.version().feature());
    HeapLimits limits = HeapLimits.of(Vendor.HOTSPOT, collector, version, alignment);
    assumeTrue(
        limits.basis() == Basis.MEASURED
            && !System.getProperty("java.vm.name").contains("OpenJ9")
            && System.getProperty("os.arch").equals("amd64"),
        "this JVM is not one of those that were measured");
    List<String> options =
        collector == Collector.G1
            ? List.of(option, "-XX:ObjectAlignmentInBytes=" + alignment, "-XX:G1HeapRegionSize=8m")
            : List.of(option, "-XX:ObjectAlignmentInBytes=" + alignment);
    assertThat(flags(limits.compressedBytes() / MIB, options))
        .containsPattern("UseCompressedOops +=  *true");
    assertThat(flags(limits.compressedBytes() / MIB + 1, options))
        .containsPattern("UseCompressedOops +=  *false");
    assertThat(flags(limits.zeroBasedBytes() / MIB, options)).contains("mode: Zero based");
    assertThat(flags(limits.zeroBasedBytes() / MIB + 1, options)).contains("mode: Non-zero");
  }

  @ParameterizedTest(name = "profile {0} with {1}, application with {2}: {3} MiB")
  @CsvSource({
    "PARALLEL, -Dx=y, -Dx=y, 32766",
    "PARALLEL, -XX:+UseG1GC, -Dx=y, 32256",
    "UNSET, -XX:+UseParallelGC, -Dx=y, 32766",
    "PARALLEL, -XX:+UseParallelGC, -XX:+UseG1GC, 32256",
    "G1, -Dx=y, -XX:+UseParallelGC, 32766",
    "PARALLEL, -Dx=y, -XX:+UseZGC, 0",
    "PARALLEL, -XX:+UseZGC, -Dx=y, 0",
    "PARALLEL, -Dx=y, -XX:+UseEpsilonGC, 32256",
  })
  void theCollectorThatRunsSetsTheLimit(
      Collector collector, String extra, String ofApplication, long mib) {
    assertThat(jvm(collector, extra).heapLimits(List.of(ofApplication)).compressedBytes())
        .isEqualTo(mib * MIB);
  }

  private static String flags(long heapMib, List<String> options) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(options);
    command.addAll(
        List.of(
            "-Xms64m",
            "-Xmx" + heapMib + "m",
            "-Xlog:gc+heap+coops=debug",
            "-XX:+PrintFlagsFinal",
            "-version"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    }
  }

  private static long mib(String cell) {
    return cell.equals("none") ? 0 : Long.parseLong(cell);
  }

  private static String collector(String name) {
    return name.equals("Z") ? "ZGC" : name.toUpperCase(Locale.ROOT);
  }

  private static String measurement() throws IOException {
    try (InputStream file = HeapLimitsTest.class.getResourceAsStream("/jvm/heap-limits.tsv")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
