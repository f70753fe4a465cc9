package io.numaspark.e2e;

import java.time.Duration;
import java.util.List;

/** A job of Spark SQL, with results that are known, on pinned executors that shuffle in pages. */
final class RowShuffle {
  static final long ROWS = 20_000;

  private static final String JOB_NAME = "row-shuffle-job";

  /** Two shuffles; then the application stays for a while. */
  private static final String JOB =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: %s}
      data:
        job.py: |
          import sys, time
          from pyspark.sql import SparkSession
          rows, stay = int(sys.argv[1]), int(sys.argv[2])
          spark = SparkSession.builder.appName("RowShuffle").getOrCreate()
          total = spark.range(0, rows, 1, 6).repartition(6).selectExpr("sum(id)").collect()[0][0]
          numbers = spark.range(0, rows, 1, 6).selectExpr("id", "id %% 97 as k")
          names = spark.range(97).selectExpr("id as k", "2 * id as v")
          joined = numbers.hint("shuffle_hash").join(names, "k").groupBy("k").sum("v").collect()
          print("ROWS total=%%d groups=%%d sum=%%d" %% (total, len(joined), sum(r[1] for r in joined)), flush=True)
          time.sleep(stay)
          spark.stop()
      """
          .formatted(JOB_NAME);

  private RowShuffle() {}

  /**
   * Creates the application.
   *
   * @param stay how long it goes on after its result is printed
   * @param moreConf further lines of sparkConf
   */
  static void apply(String name, int executors, Duration stay, String moreConf) {
    Lab.apply(JOB).orFail();
    Lab.apply(application(name, executors, stay) + moreConf.indent(4)).orFail();
  }

  static void delete(String name) {
    Lab.delete("sparkapplications.numaspark.io", name);
    Lab.delete("configmap", JOB_NAME);
  }

  private static String application(String name, int executors, Duration stay) {
    return """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkApplication
            metadata: {name: %s}
            spec:
              type: Python
              image: numaspark/spark:%s
              imagePullPolicy: Never
              sparkVersion: %s
              mainApplicationFile: local:///opt/jobs/job.py
              arguments: ["%d", "%d"]
              nodeProfile: dual-socket
              shuffle: {storage: Pages, size: 128Mi}
              adaptiveExecutors: {mode: Dynamic}
              volumes: [{name: job, configMap: {name: %s}}]
              driver:
                memory: 600m
                coreRequest: 100m
                volumeMounts: [{name: job, mountPath: /opt/jobs}]
              executor:
                instances: %d
                deleteOnTermination: false
                env: [{name: SPARK_LAB_JAVA_OPTS, value: "-XX:TieredStopAtLevel=1"}]
            """
        .formatted(
            name,
            Applications.SPARK,
            Applications.SPARK,
            ROWS,
            stay.toSeconds(),
            JOB_NAME,
            executors)
        .concat(
            (Applications.PATIENT_CONF
                    + """
                      spark.network.timeout: 600s
                      spark.executor.heartbeatInterval: 30s
                      spark.sql.shuffle.partitions: "6"
                      spark.numaspark.facts.interval: 5s
                    """)
                .indent(2));
  }

  /** NAMESPACE/MOUNTED FOLDER/APPLICATION/EXECUTOR on the node. */
  static List<String> foldersOfExecutors() {
    return Lab.nodeExec(
            NodeTools.NODE,
            "find /dev/shm/numaspark/default -mindepth 3 -maxdepth 3 -type d -not -name '.*'")
        .orFail()
        .out()
        .lines()
        .toList();
  }
}
