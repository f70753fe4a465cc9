package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/** Manifests of applications that run the jobs of the lab's Spark image. */
final class Applications {
  static final String MAIN_CLASS = "io.numaspark.examples.PinnedPi";
  static final String SMALL_DRIVER = "driver: {memory: 600m, coreRequest: 100m}";

  /** Executors on the node that is not emulated; further fields may follow. */
  static final String NATIVE_EXECUTOR =
      """
      executor:
        cores: 1
        memory: 512m
        coreRequest: 100m
        nodeSelector: {numaspark.io/lab: native}
      """;

  /**
   * Spark gives up a request to the API server after 10 s, and with it the driver: too early on a
   * busy machine. Further properties may follow.
   */
  static final String PATIENT_CONF =
      """
      sparkConf:
        spark.kubernetes.driver.requestTimeout: "60000"
        spark.kubernetes.driver.connectionTimeout: "60000"
      """;

  /** The lab's Sparks; e2e/run.sh gives both nodes the images of all three. */
  static final String SPARK = "4.3.0";

  static final String SPARK_4_1 = "4.1.4";
  static final String SPARK_3_5 = "3.5.9";

  private Applications() {}

  /** The fields that an application cannot do without, and further lines of its spec. */
  static String of(String name, String mainClass, String moreOfSpec) {
    return of(name, SPARK, mainClass, moreOfSpec);
  }

  /** A Java application of another Spark. */
  static String of(String name, String spark, String mainClass, String moreOfSpec) {
    return "apiVersion: numaspark.io/v1alpha1\nkind: SparkApplication\nmetadata: {name: %s}\nspec:\n%s"
        .formatted(name, spec(spark, mainClass, moreOfSpec).indent(2));
  }

  /** The spec of a Java application, as a template holds it. */
  static String spec(String spark, String mainClass, String moreOfSpec) {
    return """
        type: Java
        image: numaspark/spark:%s
        imagePullPolicy: Never
        sparkVersion: %s
        mainClass: %s
        mainApplicationFile: local:///opt/spark/examples/jars/numaspark-examples.jar
        %s
        """
        .formatted(spark, spark, mainClass, moreOfSpec);
  }

  /**
   * A Python application of the image's examples; its pods run on the node that is not emulated.
   */
  static String python(String name, String spark, String file, String moreOfSpec) {
    return """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkApplication
        metadata: {name: %s}
        spec:
          type: Python
          pythonVersion: "3"
          image: numaspark/spark:%s
          imagePullPolicy: Never
          sparkVersion: %s
          mainApplicationFile: local:///opt/spark/examples/%s
        %s
        """
        .formatted(
            name,
            spark,
            spark,
            file,
            (SMALL_DRIVER + "\n" + NATIVE_EXECUTOR + moreOfSpec + "\n" + PATIENT_CONF).indent(2));
  }

  /** An unpinned application whose pods all run on the node that is not emulated. */
  static String ordinary(String name, String mainClass) {
    return ordinary(name, mainClass, "arguments: [\"2\"]\n", "");
  }

  /** The same with further lines of the spec, among them the arguments, and of its sparkConf. */
  static String ordinary(String name, String mainClass, String moreOfSpec, String moreConf) {
    return of(
        name,
        mainClass,
        SMALL_DRIVER + "\n" + NATIVE_EXECUTOR + moreOfSpec + PATIENT_CONF + moreConf.indent(2));
  }

  /** Pinned executors on the emulated node, which start and answer slowly. */
  static String pinned(
      String name, String spark, String mainClass, int executors, String arguments) {
    return of(
        name,
        spark,
        mainClass,
        SMALL_DRIVER
            + """

            nodeProfile: dual-socket
            arguments: %s
            executor:
              instances: %d
              env: [{name: SPARK_LAB_JAVA_OPTS, value: "-XX:TieredStopAtLevel=1"}]
            """
                .formatted(arguments, executors)
            + PATIENT_CONF
            + """
              spark.network.timeout: 600s
              spark.executor.heartbeatInterval: 30s
              spark.scheduler.minRegisteredResourcesRatio: "1.0"
              spark.scheduler.maxRegisteredResourcesWaitingTime: 1200s
            """);
  }

  /** Applies the demo's profile and waits until it has slots. */
  static void applyProfile() {
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        Duration.ofMinutes(2),
        profile -> Lab.condition(profile, "Ready").path("status").asText().equals("True"));
  }

  /** Sets spec.memory of the demo's profile: JSON. */
  static void patchMemory(String memory) {
    Lab.kubectl(
            "patch",
            "sparknodeprofiles.numaspark.io",
            "dual-socket",
            "--type=merge",
            "-p",
            "{\"spec\": {\"memory\": " + memory + "}}")
        .orFail();
  }

  /** The slots of the demo's profile on its node; empty if the node has none. */
  static String publishedSlots() {
    return Lab.get("node", NodeTools.NODE)
        .at("/status/allocatable/slots.numaspark.io~1dual-socket")
        .asText();
  }

  /** Waits for the end of an application, which must be a good one. */
  static JsonNode awaitCompleted(String name, Duration atMost) {
    JsonNode application = Lab.awaitState(name, atMost, "COMPLETED", "FAILED");
    assertThat(Lab.state(application))
        .as("%s: %s", name, application.path("status").toPrettyString())
        .isEqualTo("COMPLETED");
    return application;
  }

  /** What the job of an application's first attempt printed: the lines with this beginning. */
  static List<String> driverLines(String name, String prefix) {
    return linesOf(name + "-driver", prefix);
  }

  static List<String> linesOf(String pod, String prefix) {
    return Lab.kubectl("logs", pod)
        .orFail()
        .out()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .toList();
  }

  /** The phases of an application's executor pods, in alphabetical order. */
  static List<String> executorPhases(String name) {
    return ofExecutors(name, "/status/phase");
  }

  static List<String> executorUids(String name) {
    return ofExecutors(name, "/metadata/uid");
  }

  /** An executor pod that has no node yet. */
  static JsonNode waitingExecutor(String name) {
    return Lab.list("pods", executors(name)).stream()
        .filter(pod -> pod.at("/status/phase").asText().equals("Pending"))
        .findFirst()
        .orElseThrow();
  }

  /** Until the pods of an application that was deleted are gone. */
  static void awaitNoPods(String name) {
    Lab.kubectl(
            "wait",
            "--for=delete",
            "pod",
            "-l",
            "numaspark.io/application=" + name,
            "--timeout=300s")
        .orFail();
  }

  /** Selects the executor pods of an application. */
  static String executors(String name) {
    return "numaspark.io/application=" + name + ",spark-role=executor";
  }

  private static List<String> ofExecutors(String name, String field) {
    return Lab.list("pods", executors(name)).stream()
        .map(pod -> pod.at(field).asText())
        .sorted()
        .toList();
  }
}
