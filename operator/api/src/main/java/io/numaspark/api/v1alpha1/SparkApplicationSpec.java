package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
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
    value = "has(self.nodeProfile) || !has(self.executor.nodes)",
    message =
        "spec.executor.nodes: whole nodes can only be asked for with spec.nodeProfile; use spec.executor.instances")
@ValidationRule(
    value =
        "!has(self.nodeProfile) || (!has(self.executor.coreRequest) && !has(self.executor.coreLimit) &&"
            + " !has(self.executor.memoryOverhead))",
    message =
        "spec.executor: with spec.nodeProfile the profile's shape decides CPU request, CPU limit and memory overhead; remove"
            + " coreRequest, coreLimit and memoryOverhead")
@ValidationRule(
    value = "self == oldSelf",
    message =
        "spec: a SparkApplication is one run, so its spec cannot be changed; delete it and apply the new one, or use another"
            + " name")
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
    @Required
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
    @JsonPropertyDescription(
            "Spark properties. They win over what numaspark derives, except for those that would undo pinning: these are"
                + " refused with the reason.")
        Map<String, String> sparkConf,
    @JsonPropertyDescription("Hadoop properties; each is passed to Spark as spark.hadoop.KEY.")
        Map<String, String> hadoopConf,
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
    @Default("{}") @JsonPropertyDescription("The driver.") DriverSpec driver,
    @Default("{}") @JsonPropertyDescription("The executors.") ExecutorSpec executor,
    @Default("{}") @JsonPropertyDescription("What happens when the application ends.")
        RestartPolicy restartPolicy) {

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

  /** Restart of a finished application. */
  public record RestartPolicy(
      @Default("Never")
          @JsonPropertyDescription(
              "Never: the application runs once. Other policies are not supported yet.")
          RestartType type) {}

  /** When an application is run again. */
  public enum RestartType {
    Never
  }
}
