package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An application whose shuffle files are larger than what its pods have for files: the kernel keeps
 * as much of them in the page cache as the plan has room for, and kills nothing.
 */
@Order(23)
@Tag("page-cache")
class PageCacheE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String PROFILES = "sparknodeprofiles.numaspark.io";
  private static final String NAME = "page-cache";
  private static final Duration START = Duration.ofMinutes(12);
  private static final long MIB = 1L << 20;
  private static final long PAGE_CACHE = 256 * MIB;

  /** About 24 bytes a row, not compressed: 700 MB for each of two executors. */
  private static final PythonJob JOB =
      new PythonJob(
          NAME,
          """
          import os, time
          from pyspark.sql import SparkSession
          spark = SparkSession.builder.getOrCreate()
          rows = spark.range(0, 60_000_000, 1, 24).repartition(24, "id")
          print("SUM", rows.selectExpr("sum(id)").collect()[0][0], flush=True)
          while not os.path.exists("%s"):
              time.sleep(1)
          """
              .formatted(PythonJob.ENOUGH));

  @AfterEach
  void cleanUp() {
    Lab.delete(KIND, NAME);
    Applications.awaitNoPods(NAME);
    Applications.applyProfile();
  }

  @Test
  void shufflesLargerThanThePodStayInsideOfIt() {
    Lab.apply(
            Lab.demo("profile.yaml").replace("pageCache: {max: \"0\"}", "pageCache: {max: 256Mi}"))
        .orFail();
    JsonNode profile =
        Lab.awaitObject(
            PROFILES,
            "dual-socket",
            START,
            found -> found.at("/status/executor/pageCache").asText().equals("256Mi"));
    await("slots").atMost(START).until(() -> Applications.publishedSlots().equals("3"));
    JOB.apply();
    Lab.apply(
            JOB.manifest(2)
                .replace("sparkConf:\n", "sparkConf:\n    spark.shuffle.compress: \"false\"\n"))
        .orFail();
    Lab.awaitObject(KIND, NAME, START, app -> app.at("/status/executorCounts/pinned").asInt() == 2);

    await("the shuffle")
        .atMost(START)
        .until(() -> Applications.driverLines(NAME, "SUM ").size() == 1);
    assertThat(Applications.driverLines(NAME, "SUM "))
        .containsExactly("SUM " + 60_000_000L * 59_999_999L / 2);

    JsonNode application = Lab.get(KIND, NAME);
    String status = application.path("status").toPrettyString();
    assertThat(application.at("/status/executorCounts/pinned").asInt()).as(status).isEqualTo(2);
    assertThat(application.at("/status/executorCounts/failed").asInt()).as(status).isZero();
    assertThat(application.at("/status/executorShape/pageCache").asText()).isEqualTo("256Mi");
    assertThat(application.at("/status/executorShape/podMemory").asText())
        .isEqualTo(profile.at("/status/executor/podMemory").asText());
    for (JsonNode pod : Lab.list("pods", Applications.executors(NAME))) {
      Map<String, Long> memory = memory(pod.at("/metadata/uid").asText());
      assertThat(memory.get("memory.max"))
          .as("heap, overhead and page cache: %s", memory)
          .isEqualTo((768 + 384) * MIB + PAGE_CACHE);
      assertThat(memory.get("max")).as("the limit was reached: %s", memory).isPositive();
      assertThat(memory.get("oom_kill")).as("and nothing killed: %s", memory).isZero();
      assertThat(memory.get("file")).as("with cache left: %s", memory).isGreaterThan(64 * MIB);
    }

    JOB.end();
    Applications.awaitCompleted(NAME, START);
  }

  /** The limit, the events and the parts of a pod's memory, as its kernel counts them. */
  private static Map<String, Long> memory(String uid) {
    String group = "/sys/fs/cgroup/kubepods.slice/kubepods-pod" + uid.replace('-', '_') + ".slice/";
    Map<String, Long> memory = new TreeMap<>();
    NodeTools.run(
            "cd "
                + group
                + " && echo memory.max $(cat memory.max) && cat memory.events && grep -E '^(anon|file) ' memory.stat")
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> memory.put(words[0], Long.valueOf(words[1])));
    return memory;
  }
}
