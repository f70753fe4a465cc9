package io.numaspark.render;

import static io.numaspark.planner.jvm.ExecutorMemory.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.fixture.Resources;
import io.numaspark.render.text.JavaOptionsText;
import io.numaspark.render.text.MemorySize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the planner's memory, CPUs and JVM options to executor pods that Spark's own builder made.
 *
 * <p>pods.tsv is written by oracles/spark/record.sh, which runs Spark 3.5, 4.1 and 4.3.
 */
class SparkOracleTest {
  private static final Path FOLDER = Path.of("src/test/resources/spark-oracle");
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  /** One line of pods.tsv; a refused case has only its reason. */
  record Recorded(String spark, String name, List<String> pod) {
    boolean isRefused() {
      return pod.size() == 1;
    }

    @Override
    public String toString() {
      return name + " on Spark " + spark;
    }
  }

  static Stream<Recorded> memoryCases() throws IOException {
    return recorded().filter(pod -> pod.name().contains("heap-") && !pod.isRefused());
  }

  static Stream<Recorded> goldenCases() throws IOException {
    return recorded().filter(pod -> pod.name().startsWith("golden-"));
  }

  static Stream<Recorded> optionCases() throws IOException {
    return recorded().filter(pod -> pod.name().startsWith("options-") && !pod.isRefused());
  }

  @ParameterizedTest
  @MethodSource("memoryCases")
  void memoryIsWhatSparkRequests(Recorded recorded) throws IOException {
    Map<String, String> conf = cases().get(recorded.name());
    MemoryPolicy policy = policy(conf, recorded.spark());
    long heap = MemorySize.ofSpark(conf.get("spark.executor.memory"));
    String pod = ExecutorMemory.ofHeap(heap, policy).podBytes() / MIB + "Mi";
    assertThat(recorded.pod().subList(2, 4)).containsExactly(pod, pod);
  }

  @ParameterizedTest
  @MethodSource("goldenCases")
  void whatIsRenderedBecomesThePodThatWasPlanned(Recorded recorded) throws IOException {
    Path folder = GOLDEN.resolve(recorded.name().substring("golden-".length()));
    Manifests manifests = ApplicationGoldenTest.render(folder);
    List<String> options = new ArrayList<>();
    manifests.executors().pinned().ifPresent(pinned -> options.addAll(pinned.jvmOptions()));
    options.addAll(
        JavaOptionsText.split(manifests.sparkConf().get("spark.executor.extraJavaOptions")));
    String remedy = "after a change of the golden files run oracles/spark/record.sh";
    assertThat(recorded.pod().get(6))
        .as(remedy)
        .isEqualTo(options.isEmpty() ? "-" : String.join(" ;; ", options));
    assertThat(recorded.pod().get(4))
        .as(remedy)
        .isEqualTo(String.valueOf(manifests.executors().taskSlots()));
    if (manifests.executors().pinned().isPresent()) {
      ExecutorRequest.Pinned pinned = manifests.executors().pinned().get();
      String cpus = String.valueOf(pinned.cpus().cpus());
      String memory = pinned.memory().podBytes() / MIB + "Mi";
      // A limit would throttle where the runtime pins.
      String limit = pinned.pins() == Pins.RUNTIME ? "-" : cpus;
      assertThat(recorded.pod().subList(0, 4))
          .as("as large as the slot, and Guaranteed if the kubelet pins; " + remedy)
          .containsExactly(cpus, limit, memory, memory);
    }
  }

  /** What the pod template says is still there after Spark has made the executor of it. */
  @ParameterizedTest
  @MethodSource("goldenCases")
  void sparkKeepsWhatTheTemplateSays(Recorded recorded) throws IOException {
    Path folder = GOLDEN.resolve(recorded.name().substring("golden-".length()));
    Manifests manifests = ApplicationGoldenTest.render(folder);
    Map<String, String> conf = manifests.sparkConf();
    JsonNode pod =
        Resources.tree(manifests.configuration().getData().get(ExecutorPodTemplate.FILE));
    JsonNode container = pod.at("/spec/containers/0");
    Map<String, String> seen = new TreeMap<>();
    for (String cell : recorded.pod().get(7).split(" ")) {
      seen.put(cell.substring(0, cell.indexOf('=')), cell.substring(cell.indexOf('=') + 1));
    }
    List<String> mounts = new ArrayList<>();
    List<String> localFolders = new ArrayList<>();
    for (JsonNode mount : container.path("volumeMounts")) {
      String name = mount.get("name").asText();
      mounts.add(name + ":" + mount.get("mountPath").asText());
      if (name.startsWith("spark-local-dir-")) {
        localFolders.add(mount.get("mountPath").asText());
      }
    }
    List<String> volumes = new ArrayList<>();
    pod.at("/spec/volumes").forEach(volume -> volumes.add(volume.get("name").asText()));
    List<String> devices = new ArrayList<>();
    container
        .at("/resources/limits")
        .properties()
        .forEach(limit -> devices.add(limit.getKey() + ":" + limit.getValue().asText()));
    assertThat(seen.get("mounts").split(",")).containsAll(mounts);
    assertThat(seen.get("volumes").split(",")).containsAll(volumes);
    assertThat(seen.get("devices").split(",")).containsAll(devices);
    if (!localFolders.isEmpty()) {
      assertThat(seen).containsEntry("localDirs", String.join(",", localFolders));
    }
    assertThat(seen)
        .containsEntry("priority", pod.at("/spec/priorityClassName").asText("null"))
        .containsEntry("scheduler", pod.at("/spec/schedulerName").asText("null"))
        .containsEntry("group", pod.at("/spec/schedulingGroup/podGroupName").asText("-"))
        .containsEntry("command", container.at("/command/0").asText("-"))
        .containsEntry("others", others(pod))
        .containsEntry("seccomp", container.at("/securityContext/seccompProfile/type").asText("-"))
        .containsEntry(
            "confDir", conf.getOrDefault("spark.executorEnv.SPARK_CONF_DIR", "/opt/spark/conf"))
        .containsEntry(
            "account",
            conf.getOrDefault(
                "spark.kubernetes.authenticate.executor.serviceAccountName",
                conf.get("spark.kubernetes.authenticate.driver.serviceAccountName")))
        .containsEntry(
            "image",
            conf.getOrDefault(
                "spark.kubernetes.executor.container.image",
                conf.get("spark.kubernetes.container.image")));
    JsonNode grace = pod.at("/spec/terminationGracePeriodSeconds");
    assertThat(seen.get("grace"))
        .isIn(grace.isMissingNode() ? DEFAULT_GRACE : Set.of(grace.asText()));
  }

  static Stream<Recorded> injectedCases() throws IOException {
    return recorded().filter(pod -> pod.name().startsWith("injected-"));
  }

  /** What inject writes for spark-submit: the slot is in the pod, which is Guaranteed. */
  @ParameterizedTest
  @MethodSource("injectedCases")
  void sparkTakesTheTemplateThatInjectWrites(Recorded recorded) {
    assertThat(recorded.pod().subList(0, 2)).containsExactly("6", "6");
    assertThat(recorded.pod().get(2)).endsWith("Mi").isEqualTo(recorded.pod().get(3));
    assertThat(recorded.pod().get(7).split(" "))
        .contains("devices=slots.numaspark.io/dual-socket:1");
  }

  @Test
  void whatInjectWritesWasRecordedWithEverySpark() throws IOException {
    assertThat(injectedCases().map(Recorded::spark).distinct())
        .containsExactly("3.5.9", "4.1.4", "4.3.0");
  }

  /** Spark 4 writes its default where the template says nothing, Spark 3.5 writes nothing. */
  private static final Set<String> DEFAULT_GRACE = Set.of("30", "null");

  private static String others(JsonNode pod) {
    return (pod.at("/spec/containers").size() - 1) + "+" + pod.at("/spec/initContainers").size();
  }

  @Test
  void everyGoldenCaseWasRecordedWithEverySpark() throws IOException {
    try (Stream<Path> folders = Files.list(GOLDEN)) {
      List<String> names =
          folders.map(folder -> "golden-" + folder.getFileName()).sorted().toList();
      Map<String, List<String>> bySpark =
          goldenCases()
              .collect(
                  Collectors.groupingBy(
                      Recorded::spark,
                      TreeMap::new,
                      Collectors.mapping(Recorded::name, Collectors.toList())));
      assertThat(bySpark).containsOnlyKeys("3.5.9", "4.1.4", "4.3.0");
      assertThat(bySpark.values()).allSatisfy(list -> assertThat(list).isEqualTo(names));
    }
  }

  @ParameterizedTest
  @MethodSource("optionCases")
  void optionsAreSplitAsSparkSplitsThem(Recorded recorded) throws IOException {
    Map<String, String> conf = cases().get(recorded.name());
    List<String> options = new ArrayList<>();
    for (String key : List.of("defaultJavaOptions", "extraJavaOptions")) {
      options.addAll(JavaOptionsText.split(conf.get("spark.executor." + key)));
    }
    options.removeIf(option -> option.startsWith("-Dspark."));
    assertThat(recorded.pod().get(6))
        .isEqualTo(options.isEmpty() ? "-" : String.join(" ;; ", options));
  }

  /** What the rules for options and task CPUs say of Spark. */
  @Test
  void whatSparkRefusesIsKnown() throws IOException {
    Map<String, List<String>> refused =
        recorded()
            .filter(pod -> pod.isRefused() && !pod.name().contains("heap-"))
            .collect(
                Collectors.groupingBy(
                    Recorded::name,
                    TreeMap::new,
                    Collectors.mapping(Recorded::spark, Collectors.toList())));
    assertThat(refused)
        .hasToString(
            "{options-default-spark-property=[4.1.4, 4.3.0], options-default-xmx=[4.1.4, 4.3.0],"
                + " options-extra-spark-property=[3.5.9, 4.1.4, 4.3.0],"
                + " options-extra-xmx=[3.5.9, 4.1.4, 4.3.0], task-cpus-half=[3.5.9, 4.1.4]}");
  }

  /** The settings of a case as the planner knows them. */
  private static MemoryPolicy policy(Map<String, String> conf, String spark) {
    boolean offHeap = Boolean.parseBoolean(conf.get("spark.memory.offHeap.enabled"));
    boolean python = "python".equals(conf.get("spark.kubernetes.resource.type"));
    String overhead = conf.get("spark.executor.memoryOverhead");
    String factor =
        conf.getOrDefault(
            "spark.executor.memoryOverheadFactor",
            conf.getOrDefault("spark.kubernetes.memoryOverheadFactor", "0.1"));
    // Spark 3.5 has no spark.executor.minMemoryOverhead; its minimum is always 384 MiB.
    String least = spark.startsWith("3.") ? "384m" : conf.getOrDefault(MIN_OVERHEAD, "384m");
    return new MemoryPolicy(
            Long.MAX_VALUE,
            overhead == null ? Double.parseDouble(factor) : 0,
            MemorySize.ofSpark(overhead == null ? least : overhead),
            offHeap ? wholeMib(conf.get("spark.memory.offHeap.size")) : 0)
        .withPysparkBytes(python ? wholeMib(conf.get("spark.executor.pyspark.memory")) : 0);
  }

  private static final String MIN_OVERHEAD = "spark.executor.minMemoryOverhead";

  /** Spark rounds off-heap and Python memory down to MiB. */
  private static long wholeMib(String size) {
    return size == null ? 0 : MemorySize.ofSpark(size) / MIB * MIB;
  }

  private static Map<String, Map<String, String>> cases() throws IOException {
    Map<String, Map<String, String>> cases = new TreeMap<>();
    for (String line : Files.readAllLines(FOLDER.resolve("cases.tsv"))) {
      if (!line.startsWith("#")) {
        List<String> cells = Arrays.asList(line.split("\t"));
        Map<String, String> conf = new TreeMap<>();
        for (String cell : cells.subList(1, cells.size())) {
          int equals = cell.indexOf('=');
          conf.put(cell.substring(0, equals), cell.substring(equals + 1));
        }
        cases.put(cells.get(0), conf);
      }
    }
    return cases;
  }

  private static Stream<Recorded> recorded() throws IOException {
    return Files.readAllLines(FOLDER.resolve("pods.tsv")).stream()
        .skip(1)
        .map(line -> Arrays.asList(line.split("\t")))
        .map(cells -> new Recorded(cells.get(0), cells.get(1), cells.subList(2, cells.size())));
  }
}
