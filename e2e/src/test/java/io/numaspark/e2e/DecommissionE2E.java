package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An executor that is evicted, as on a node that is drained, gives its blocks to another one first:
 * what was shuffled and cached is read again, and nothing of it is computed again.
 *
 * <p>Limit: the lab's images have no decommissioning script, so the test mounts one.
 */
@Order(28)
@Tag("spark-submit")
class DecommissionE2E {
  private static final String NAME = "evicted";
  private static final Duration START = Duration.ofMinutes(12);

  /** A shuffle and a cached table, each used before and after the test says that it is enough. */
  private static final PythonJob JOB =
      new PythonJob(
          NAME,
          """
          import json, os, time, urllib.request
          from pyspark.sql import SparkSession
          spark = SparkSession.builder.getOrCreate()
          context = spark.sparkContext
          def ask(what):
              url = context.uiWebUrl.split("//")[0] + "//localhost:4040/api/v1/applications/"
              return json.load(urllib.request.urlopen(url + context.applicationId + what))
          def partitions():
              return sum(rdd["numCachedPartitions"] for rdd in ask("/storage/rdd"))
          shuffled = spark.range(0, 6400, 1, 8).repartition(4, "id").selectExpr("sum(id) as sum")
          cached = spark.range(0, 6400, 1, 8).cache()
          cached.selectExpr("sum(id)").collect()
          print("SUM", shuffled.collect()[0].sum, flush=True)
          print("CACHED", partitions(), flush=True)
          for executor in ask("/executors"):
              print("WROTE", executor["id"], executor["totalShuffleWrite"] > 0, executor["rddBlocks"] > 0, flush=True)
          while not os.path.exists("%s"):
              time.sleep(1)
          print("CACHED", partitions(), flush=True)
          print("SUM", shuffled.collect()[0].sum, flush=True)
          time.sleep(5)
          stages = ask("/stages")
          print("STAGES", sum(stage["attemptId"] > 0 or stage["status"] == "FAILED" for stage in stages), flush=True)
          print("SKIPPED", sum(stage["status"] == "SKIPPED" for stage in stages) > 0, flush=True)
          """
              .formatted(PythonJob.ENOUGH));

  /** What the official images have as /opt/decom.sh, without the programs that it needs. */
  private static final String SCRIPT =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: evicted-script}
      data:
        decom.sh: |
          #!/bin/sh
          for process in /proc/[0-9]*; do
            case $(readlink "$process/exe") in
              */java) executor=${process#/proc/} ;;
            esac
          done
          kill -s PWR "$executor"
          while kill -0 "$executor"; do sleep 1; done
      """;

  private static final String EVICTION =
      """
      {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "%s", "namespace": "default"}}
      """;

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
    Lab.delete("configmap", NAME + "-job");
    Lab.delete("configmap", NAME + "-script");
  }

  @Test
  void anEvictedExecutorMovesItsBlocksFirst() {
    Applications.applyProfile();
    JOB.apply();
    Lab.apply(SCRIPT).orFail();
    Lab.apply(manifest()).orFail();
    await()
        .atMost(START)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(lines("WROTE ")).hasSize(3));
    JsonNode executor =
        Lab.list("pods", Applications.executors(NAME)).stream()
            .min((a, b) -> id(a).compareTo(id(b)))
            .orElseThrow();
    assertThat(lines("WROTE ")).contains("WROTE " + id(executor) + " True True");
    assertThat(executor.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(300);

    String pod = executor.at("/metadata/name").asText();
    String path = "/api/v1/namespaces/default/pods/" + pod + "/eviction";
    Lab.kubectlWith(EVICTION.formatted(pod), "create", "--raw", path, "-f", "-").orFail();
    Lab.kubectl("wait", "--for=delete", "pod/" + pod, "--timeout=300s").orFail();
    JOB.end();

    Applications.awaitCompleted(NAME, START);
    assertThat(lines("SUM ")).containsExactly("SUM 20476800", "SUM 20476800");
    assertThat(lines("CACHED ")).containsExactly("CACHED 8", "CACHED 8");
    assertThat(lines("STAGES ")).as("stages that were repeated").containsExactly("STAGES 0");
    assertThat(lines("SKIPPED ")).as("the map stage").containsExactly("SKIPPED True");
  }

  private static String id(JsonNode pod) {
    return pod.at("/metadata/labels/spark-exec-id").asText();
  }

  private static List<String> lines(String prefix) {
    return Applications.driverLines(NAME, prefix);
  }

  private static String manifest() {
    return JOB.manifest(2)
        .replace(
            "  nodeProfile: dual-socket\n",
            """
              nodeProfile: dual-socket
              decommission: {graceSeconds: 300}
              volumes: [{name: script, configMap: {name: evicted-script, defaultMode: 493}}]
            """)
        .replace(
            "    env: [{name: SPARK_LAB_JAVA_OPTS",
            "    volumeMounts: [{name: script, mountPath: /opt/script}]\n    env: [{name: SPARK_LAB_JAVA_OPTS")
        .replace(
            "  sparkConf:\n",
            """
              sparkConf:
                spark.kubernetes.decommission.script: /opt/script/decom.sh
                spark.sql.adaptive.enabled: "false"
            """);
  }
}
