package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.controller.fixture.Pods;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.render.proof.Diagnosis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverDiagnosisTest {
  private static final String UNCAUGHT =
      """
      26/11/21 08:00:01 INFO SparkContext: Running Spark version 4.0.1
      26/11/21 08:00:09 WARN TaskSetManager: Lost task 0.0 in stage 0.0 (TID 0) (10.0.0.7 executor 1): java.lang.ArithmeticException: / by zero
      \tat org.example.Main$.$anonfun$main$1(Main.scala:12)
      26/11/21 08:00:10 ERROR TaskSetManager: Task 0 in stage 0.0 failed 4 times; aborting job
      26/11/21 08:00:10 INFO DAGScheduler: Job 0 failed: reduce at Main.scala:13, took 1.2 s
      Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times
      \tat org.apache.spark.scheduler.DAGScheduler.$anonfun$abortStage$2(DAGScheduler.scala:2935)
      \tat org.example.Main.main(Main.scala)
      Caused by: java.lang.ArithmeticException: / by zero
      \tat org.example.Main$.$anonfun$main$1(Main.scala:12)
      \t... 12 more
      26/11/21 08:00:10 INFO SparkContext: Invoking stop() from shutdown hook
      26/11/21 08:00:10 INFO ShutdownHookManager: Deleting directory /var/data/spark-local/spark-1
      """;
  private static final String NO_CLASS =
      """
      26/11/21 08:00:01 WARN NativeCodeLoader: Unable to load native-hadoop library for your platform
      Error: Failed to load class org.example.Missing.
      26/11/21 08:00:01 INFO ShutdownHookManager: Shutdown hook called
      """;
  private static final String PYTHON =
      """
      26/11/21 08:00:04 INFO Utils: Successfully started service 'SparkUI' on port 4040.
      Traceback (most recent call last):
        File "/opt/app/main.py", line 9, in <module>
          df.select("missing").show()
        File "/opt/spark/python/lib/pyspark.zip/pyspark/sql/dataframe.py", line 3227, in select
      pyspark.errors.exceptions.captured.AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `missing` cannot be resolved.
      26/11/21 08:00:05 INFO SparkContext: Invoking stop() from shutdown hook
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {"ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName"})
  void anImageThatCannotBeHadIsNamedWithTheFields(String reason) {
    assertThat(
            DriverDiagnosis.ofLiving(
                Pods.driver(
                    """
                    phase: Pending
                    containerStatuses:
                    - {name: a-sidecar, state: {running: {}}}
                    - name: spark-kubernetes-driver
                      state: {waiting: {reason: %s, message: not found}}
                    """
                        .formatted(reason))))
        .isEqualTo(
            new Diagnosis(
                reason,
                "the driver's container does not start: not found; check spec.image"
                    + " (registry.example.com/spark:4), spec.imagePullPolicy and spec.imagePullSecrets"));
  }

  @Test
  void aContainerThatCannotBeCreatedPointsToItsPod() {
    assertThat(
            DriverDiagnosis.ofLiving(
                Pods.driver(
                    """
                    phase: Pending
                    containerStatuses:
                    - name: spark-kubernetes-driver
                      state: {waiting: {reason: CreateContainerConfigError}}
                    """)))
        .isEqualTo(
            new Diagnosis(
                "CreateContainerConfigError",
                "the driver's container does not start: CreateContainerConfigError; see kubectl describe"
                    + " pod pi-driver"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{phase: Pending}",
        "{phase: Pending, conditions: [{type: PodScheduled, status: \"True\"}]}",
        "{containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason: ContainerCreating}}}]}",
        "{containerStatuses: [{name: spark-kubernetes-driver}]}"
      })
  void whileNothingIsWrongNothingIsSaid(String status) {
    assertThat(DriverDiagnosis.ofLiving(Pods.driver(status)))
        .isEqualTo(new Diagnosis("DriverStarting", "the driver pod is waiting for its container"));
  }

  @Test
  void aDriverThatNoNodeTakesSaysWhy() {
    assertThat(
            DriverDiagnosis.ofLiving(
                Pods.driver(
                    """
                    phase: Pending
                    conditions:
                    - {type: PodScheduled, status: "False", message: "0/3 nodes are available: 3 Insufficient memory."}
                    """)))
        .isEqualTo(
            new Diagnosis(
                "DriverUnschedulable",
                "no node takes the driver pod: 0/3 nodes are available: 3 Insufficient memory."));
  }

  @Test
  void aKilledDriverIsToldItsLimit() {
    assertThat(ofEnded(Pods.failedDriver(137, "OOMKilled"), UNCAUGHT))
        .isEqualTo(
            new Diagnosis(
                "DriverOutOfMemory",
                "the driver was killed (OOMKilled) because it used more than its memory limit of 1408Mi"
                    + " (heap 1Gi, overhead 384Mi); raise spec.driver.memoryOverhead if it works outside"
                    + " of the heap (Python, direct buffers), else spec.driver.memory"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, DriverFailed, the driver exited with code 1",
    "11, TooManyExecutorFailures, the driver exited with code 11 (too many executors failed:"
        + " spark.executor.maxNumFailures)",
    "50, DriverFailed, the driver exited with code 50 (uncaught exception)",
    "52, DriverFailed, the driver exited with code 52 (out of memory: the JVM's heap was too small)",
    "101, DriverFailed, the driver exited with code 101 (the main class could not be loaded; check"
        + " spec.mainClass and spec.mainApplicationFile)"
  })
  void exitCodesAreExplained(int code, String reason, String message) {
    assertThat(ofEnded(Pods.failedDriver(code, "Error"), ""))
        .isEqualTo(new Diagnosis(reason, message));
  }

  @Test
  void aMissingRightIsNamedWithTheServiceAccount() {
    assertThat(
            ofEnded(
                Pods.failedDriver(1, "Error"),
                """
                Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: https://kubernetes.default.svc/api/v1/namespaces/a/pods/pi-driver. Message: pods "pi-driver" is forbidden: User "system:serviceaccount:a:spark" cannot get resource "pods" in API group "" in the namespace "a".
                """))
        .isEqualTo(
            new Diagnosis(
                "DriverForbidden",
                "the driver's service account spark lacks a right (pods \"pi-driver\" is forbidden: User"
                    + " \"system:serviceaccount:a:spark\" cannot get resource \"pods\" in API group \"\" in"
                    + " the namespace \"a\".); give it the rights that docs/drivers.md lists, or name"
                    + " another in spec.driver.serviceAccount"));
  }

  @Test
  void aPodThatFailedBeforeItsContainerSaysItsReason() {
    assertThat(ofEnded(Pods.driver("{phase: Failed, reason: Evicted, message: low on memory}"), ""))
        .isEqualTo(new Diagnosis("Evicted", "the driver pod failed: low on memory"));
    assertThat(ofEnded(Pods.driver("{phase: Failed}"), ""))
        .isEqualTo(
            new Diagnosis(
                "DriverFailed",
                "the driver pod failed: nothing says why; see kubectl describe pod pi-driver"));
  }

  @Test
  void lastWordsOfAnUncaughtExceptionAreItAndItsCauses() {
    assertThat(LogExcerpt.lastWords(UNCAUGHT))
        .isEqualTo(
            "; its last words: Exception in thread \"main\" org.apache.spark.SparkException: Job aborted"
                + " due to stage failure: Task 0 in stage 0.0 failed 4 times | Caused by:"
                + " java.lang.ArithmeticException: / by zero");
  }

  @Test
  void lastWordsOfAMissingClassAreItsName() {
    assertThat(LogExcerpt.lastWords(NO_CLASS))
        .isEqualTo("; its last words: Error: Failed to load class org.example.Missing.");
  }

  @Test
  void lastWordsOfPythonEndWithTheException() {
    assertThat(LogExcerpt.lastWords(PYTHON))
        .startsWith("; its last words: Traceback (most recent call last):")
        .contains("pyspark.errors.exceptions.captured.AnalysisException: [UNRESOLVED_COLUMN")
        .doesNotContain("INFO");
  }

  @Test
  void lastWordsWithoutAnExceptionAreTheErrorsOrTheEnd() {
    assertThat(
            LogExcerpt.lastWords(
                """
                26/11/21 08:00:01 ERROR SparkContext: Error initializing SparkContext.
                26/11/21 08:00:02 INFO SparkContext: Successfully stopped SparkContext
                """))
        .isEqualTo(
            "; its last words: 26/11/21 08:00:01 ERROR SparkContext: Error initializing SparkContext.");
    assertThat(LogExcerpt.lastWords("one\ntwo\n\nthree\nfour\nfive\nsix\n"))
        .isEqualTo("; its last words: two | three | four | five | six");
    assertThat(LogExcerpt.lastWords("")).isEmpty();
    assertThat(LogExcerpt.lastWords("\n \n")).isEmpty();
  }

  @Test
  void ofADriverThatExitsByItselfTheLastWordsAreItsOwn() {
    assertThat(
            LogExcerpt.lastWords(
                """
                + exec /usr/bin/tini -s -- /opt/spark/bin/spark-submit --deploy-mode client
                26/11/21 08:00:01 INFO SparkContext: Running Spark version 4.0.1
                no input for 2026-11-20
                26/11/21 08:00:02 INFO ShutdownHookManager: Shutdown hook called
                """))
        .isEqualTo("; its last words: no input for 2026-11-20");
    assertThat(LogExcerpt.lastWords("26/11/21 08:00:02 INFO ShutdownHookManager: hook called\n"))
        .isEmpty();
  }

  @Test
  void longLinesAreCut() {
    String words = LogExcerpt.lastWords("Error: " + "x".repeat(10_000));
    assertThat(words).hasSizeLessThan(450).endsWith("…");
  }

  /** The kubelet of a lost node would have to be asked for it. */
  @Test
  void theLogIsNotReadIfSomethingElseSaysWhy() {
    Pod evicted = Pods.driver("{phase: Failed, reason: Evicted, message: low on memory}");
    Diagnosis why =
        DriverDiagnosis.ofEnded(
            evicted,
            () -> {
              throw new AssertionError("the log was read");
            },
            Samples.application("pi", "").getSpec(),
            List.of());
    assertThat(why.reason()).isEqualTo("Evicted");
  }

  private static Diagnosis ofEnded(Pod driver, String log) {
    return DriverDiagnosis.ofEnded(
        driver, () -> log, Samples.application("pi", "").getSpec(), List.of());
  }
}
