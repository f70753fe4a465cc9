package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;

/** What to run, with the field names of kubeflow's v1beta2 wherever it has the field. */
@ValidationRule(
    value = "self.type == 'Python' || self.type == 'R' || has(self.mainClass)",
    message =
        "spec.mainClass: a Java or Scala application needs the class whose main method is run")
@ValidationRule(
    value =
        "has(self.image) || (has(self.driver.image) && has(self.executor.image)) || (has(self.sparkConf) &&"
            + " 'spark.kubernetes.container.image' in self.sparkConf)",
    message = "spec.image: is missing; give it, or an image in both spec.driver and spec.executor")
@ValidationRule(
    value = "has(self.nodeProfile) || !has(self.executor.nodes)",
    message =
        "spec.executor.nodes: whole nodes can only be requested with spec.nodeProfile; use spec.executor.instances")
@ValidationRule(
    value =
        "has(self.nodeProfile) || !has(self.executor.sizing) || self.executor.sizing == 'Split'",
    message = "spec.executor.sizing: Exact needs spec.nodeProfile; remove it")
@ValidationRule(
    value = "has(self.nodeProfile) || !has(self.start) || self.start == 'AsAvailable'",
    message =
        "spec.start: AllOrNothing counts the slots of spec.nodeProfile, which is missing; for ordinary applications use"
            + " spec.batchScheduler")
@ValidationRule(
    value = "!has(self.startPriority) || (has(self.start) && self.start == 'AllOrNothing')",
    message =
        "spec.startPriority: orders applications that wait for slots, and this one does not; give spec.start: AllOrNothing, too, or"
            + " remove it")
@ValidationRule(
    value =
        "!has(self.nodeSelector) || (!has(self.driver.nodeSelector) && !has(self.executor.nodeSelector))",
    message =
        "spec.nodeSelector: give it for the whole application, or for driver and executor, not both")
@ValidationRule(
    value =
        "!has(self.decommission) || !has(self.shuffle) || !has(self.shuffle.storage) || self.shuffle.storage != 'Pages'"
            + " || (has(self.decommission.shuffleBlocks) && !self.decommission.shuffleBlocks)",
    message =
        "spec.decommission.shuffleBlocks: moves files, which spec.shuffle.storage: Pages does not write; set it to false, or"
            + " storage: Disk")
@ValidationRule(
    value =
        "!has(self.decommission) || !has(self.decommission.graceSeconds) ||"
            + " !has(self.executor.terminationGracePeriodSeconds) ||"
            + " self.executor.terminationGracePeriodSeconds >= self.decommission.graceSeconds",
    message =
        "spec.executor.terminationGracePeriodSeconds: is shorter than spec.decommission.graceSeconds; remove it")
public record SparkApplicationSpec(
    @Required @JsonPropertyDescription("Language of the application.") Type type,
    @Default("cluster")
        @JsonPropertyDescription(
            "Deploy mode; only cluster is supported: the driver runs as a pod.")
        Mode mode,
    @Size(max = 32)
        @Pattern("^[0-9]+\\.[0-9]+(\\.[0-9]+)?([-.][0-9A-Za-z.-]+)?$")
        @JsonPropertyDescription(
            "Spark version of the image, for example 4.3.0; becomes the label spark-version.")
        String sparkVersion,
    @Size(min = 1, max = 1024)
        @JsonPropertyDescription("Container image with Spark and the application.")
        String image,
    @JsonPropertyDescription("When the image is pulled.") ImagePullPolicy imagePullPolicy,
    @Size(max = 16) @JsonPropertyDescription("Names of the Secrets with registry credentials.")
        List<@Size(min = 1, max = 253) String> imagePullSecrets,
    @Size(min = 1, max = 512)
        @JsonPropertyDescription("Class whose main method is run (Java and Scala).")
        String mainClass,
    @Required
        @Size(min = 1, max = 2048)
        @JsonPropertyDescription(
            "Jar, Python or R file of the application; local:///… is a file in the image.")
        String mainApplicationFile,
    @Size(max = 1024) @JsonPropertyDescription("Arguments of the application.")
        List<String> arguments,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription("User that the application impersonates (--proxy-user).")
        String proxyUser,
    @JsonPropertyDescription("Jars, files and packages of the application.") Dependencies deps,
    @JsonPropertyDescription(
            "Spark properties. They win over what numaspark derives, except for those that would undo pinning: these are"
                + " refused with the reason.")
        Map<String, String> sparkConf,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "ConfigMap with log4j2.properties and similar files, mounted in driver and executors (SPARK_CONF_DIR). A"
                + " spark-defaults.conf in it is not read: use sparkConf.")
        String sparkConfigMap,
    @JsonPropertyDescription("Hadoop properties; each is passed to Spark as spark.hadoop.KEY.")
        Map<String, String> hadoopConf,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "ConfigMap with core-site.xml and similar files, mounted in driver and executors (HADOOP_CONF_DIR).")
        String hadoopConfigMap,
    @Size(max = 128) @JsonPropertyDescription("Volumes of driver and executors (core/v1 Volume).")
        List<JsonNode> volumes,
    @JsonPropertyDescription("Node labels that driver and executors require.")
        Map<String, String> nodeSelector,
    @Pattern("^[0-9]{1,3}(\\.[0-9]{1,6})?$")
        @JsonPropertyDescription(
            "Memory outside of the heap as a fraction of it, for example 0.1; spec.driver.memoryOverhead and"
                + " spec.executor.memoryOverhead win.")
        String memoryOverheadFactor,
    @JsonPropertyDescription("Not used: the image decides the Python that runs.")
        PythonVersion pythonVersion,
    @Size(max = 63)
        @JsonPropertyDescription(
            "Name of the SparkNodeProfile whose nodes and executor shape are used. Absent: an ordinary, unpinned"
                + " application.")
        String nodeProfile,
    @Default("General")
        @JsonPropertyDescription(
            "Kind of work; tunes the executors' JVM, Spark's memory fractions and the number of shuffle partitions. Used"
                + " with nodeProfile only.")
        Workload workload,
    @Default("false")
        @JsonPropertyDescription(
            "Let Spark SQL order joins by cost (spark.sql.cbo.enabled and spark.sql.cbo.joinReorder.enabled). Has no effect"
                + " on tables without statistics: run ANALYZE TABLE ... COMPUTE STATISTICS FOR ALL COLUMNS first.")
        Boolean costBasedJoins,
    @Default("AsAvailable")
        @JsonPropertyDescription(
            "AsAvailable: the driver starts at once and takes executors as slots become free. AllOrNothing: it is not"
                + " started before the profile has a free slot for every executor; those that wait take turns.")
        Start start,
    @Min(-1000)
        @Max(1000)
        @JsonPropertyDescription(
            "With start AllOrNothing: among those of the namespace that wait for the profile's slots, a higher number comes first"
                + " (-1000 to 1000; absent: 0). Between namespaces it does not count. May be changed while the application waits.")
        Integer startPriority,
    @Default("{}") @JsonPropertyDescription("The driver.") DriverSpec driver,
    @Default("{}") @JsonPropertyDescription("The executors.") ExecutorSpec executor,
    @JsonPropertyDescription("Executors that come and go with the work.")
        DynamicAllocation dynamicAllocation,
    @JsonPropertyDescription("Where executors keep what they shuffle. Absent: on disk.")
        ShuffleSpec shuffle,
    @JsonPropertyDescription(
            "Executors whose pods are to end move their blocks to others first, for example on spot nodes. Absent: they end,"
                + " and what only they had is computed again.")
        Decommission decommission,
    @JsonPropertyDescription(
            "How many task slots of an executor work at once. Absent: all of them.")
        AdaptiveExecutors adaptiveExecutors,
    @JsonPropertyDescription("numaspark's plugin in driver and executors.") SparkPlugin sparkPlugin,
    @JsonPropertyDescription(
            "Reports which data the application reads and writes, by OpenLineage's listener in the driver. Its jar must be in"
                + " the image or in deps.")
        OpenLineage openLineage,
    @Default("{}") @JsonPropertyDescription("When the application is run again.")
        RestartPolicy restartPolicy,
    @JsonPropertyDescription("Not used; see restartPolicy.onFailureRetries.")
        Integer failureRetries,
    @JsonPropertyDescription("Not used; see restartPolicy.onFailureRetryInterval.")
        Long retryInterval,
    @JsonPropertyDescription(
            "Seconds after its end when the application is deleted; 0 or less: at once. Absent: never.")
        Long timeToLiveSeconds,
    @Default("false")
        @JsonPropertyDescription(
            "Stop the application, or do not start it; false runs it from the start. May be changed at any time.")
        Boolean suspend,
    @JsonPropertyDescription("Metrics of driver and executors.") Monitoring monitoring,
    @JsonPropertyDescription("Service and Ingress of the driver's web UI.")
        UiOptions sparkUIOptions,
    @Size(max = 16) @JsonPropertyDescription("Services and Ingresses of further driver ports.")
        List<DriverIngress> driverIngressOptions,
    @Default("false")
        @JsonPropertyDescription(
            "Protect the driver from voluntary evictions by a PodDisruptionBudget.")
        Boolean driverPodDisruptionBudget,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "volcano, yunikorn, workload (gangs of Kubernetes itself), or the name of a scheduler with the coscheduling"
                + " plugin.")
        String batchScheduler,
    @JsonPropertyDescription("Settings for the batch scheduler.")
        BatchSchedulerOptions batchSchedulerOptions,
    @JsonPropertyDescription(
            "Not used; see spark.kerberos.* and spark.kubernetes.kerberos.* in sparkConf.")
        JsonNode kerberos) {

  /** Language of an application. */
  public enum Type {
    Java,
    Scala,
    Python,
    R
  }

  /** Where the driver runs. */
  public enum Mode {
    cluster
  }

  /** Kubernetes' image pull policies. */
  public enum ImagePullPolicy {
    Always,
    IfNotPresent,
    Never
  }

  /** Kind of work, see docs/jvm.md for what each one sets. */
  public enum Workload {
    General,
    ShuffleHeavy,
    Iterative,
    Streaming,
    Scan
  }

  /** Whether the driver waits for its executors' slots. */
  public enum Start {
    AsAvailable,
    AllOrNothing
  }

  /** Major versions of Python. */
  public enum PythonVersion {
    @JsonProperty("2")
    TWO,
    @JsonProperty("3")
    THREE
  }
}
