package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;
import java.util.Map;

/** The server to run, with the field names of kubeflow's SparkConnect wherever it has the field. */
@ValidationRule(
    value = "has(self.nodeProfile) || !has(self.executor.nodes)",
    message =
        "spec.executor.nodes: whole nodes can only be requested with spec.nodeProfile; use spec.executor.instances")
@ValidationRule(
    value =
        "has(self.nodeProfile) || !has(self.executor.sizing) || self.executor.sizing == 'Split'",
    message = "spec.executor.sizing: Exact needs spec.nodeProfile; remove it")
@ValidationRule(
    value =
        "!has(self.idle) || (has(self.dynamicAllocation) && has(self.dynamicAllocation.enabled) && self.dynamicAllocation.enabled)",
    message =
        "spec.idle: executors come and go with dynamic allocation only; set spec.dynamicAllocation.enabled: true, or remove"
            + " spec.idle")
@ValidationRule(
    value =
        "!has(self.idle) || !has(self.dynamicAllocation) || !has(self.dynamicAllocation.shuffleTrackingTimeout)",
    message =
        "spec.dynamicAllocation.shuffleTrackingTimeout: spec.idle.executorSeconds holds for shuffles too; give one of the"
            + " two")
@ValidationRule(
    value = "!has(self.sparkConf) || !('spark.connect.grpc.binding.port' in self.sparkConf)",
    message =
        "spec.sparkConf[\"spark.connect.grpc.binding.port\"]: the Service and the probe use port 15002; remove it")
@ValidationRule(
    value = "!has(self.sparkConf) || !('spark.connect.grpc.binding.address' in self.sparkConf)",
    message =
        "spec.sparkConf[\"spark.connect.grpc.binding.address\"]: the server has to listen at the pod's address; remove it")
@ValidationRule(
    value = "!has(self.sparkConf) || !('spark.connect.authenticate.token' in self.sparkConf)",
    message =
        "spec.sparkConf[\"spark.connect.authenticate.token\"]: properties are kept in a ConfigMap and reach executors; put the"
            + " token into a Secret and name it in spec.authentication.tokenSecret")
@ValidationRule(
    value =
        "!has(self.server.env) || !self.server.env.exists(e, has(e.name) && e.name == 'SPARK_CONNECT_AUTHENTICATE_TOKEN')",
    message =
        "spec.server.env: SPARK_CONNECT_AUTHENTICATE_TOKEN is the token of clients; put it into a Secret and name it in"
            + " spec.authentication.tokenSecret")
@ValidationRule(
    value = "!has(self.authentication) || !self.sparkVersion.startsWith('3.')",
    message =
        "spec.authentication: Spark before 4.0 does not check tokens, so everybody could connect; use Spark 4.0 or later, or"
            + " remove it")
public record SparkConnectSpec(
    @Required
        @Size(max = 32)
        @Pattern("^[0-9]+\\.[0-9]+(\\.[0-9]+)?([-.][0-9A-Za-z.-]+)?$")
        @JsonPropertyDescription("Spark version of the image, for example 4.3.0.")
        String sparkVersion,
    @Required
        @Size(min = 1, max = 1024)
        @JsonPropertyDescription(
            "Container image with Spark, which has the Connect server since 4.0.")
        String image,
    @JsonPropertyDescription("When the image is pulled.")
        SparkApplicationSpec.ImagePullPolicy imagePullPolicy,
    @Size(max = 16) @JsonPropertyDescription("Names of the Secrets with registry credentials.")
        List<@Size(min = 1, max = 253) String> imagePullSecrets,
    @JsonPropertyDescription(
            "Spark properties. They win over what numaspark derives, except for those that would undo pinning or move the"
                + " server's port: these are refused with the reason.")
        Map<String, String> sparkConf,
    @JsonPropertyDescription("Hadoop properties; each is passed to Spark as spark.hadoop.KEY.")
        Map<String, String> hadoopConf,
    @JsonPropertyDescription("Jars, files and packages of all sessions.") Dependencies deps,
    @Size(max = 128) @JsonPropertyDescription("Volumes of server and executors (core/v1 Volume).")
        List<JsonNode> volumes,
    @Size(max = 63)
        @JsonPropertyDescription(
            "Name of the SparkNodeProfile whose nodes and executor shape are used. Absent: ordinary, unpinned executors.")
        String nodeProfile,
    @Default("{}") @JsonPropertyDescription("The server, which is the driver of all sessions.")
        Server server,
    @Default("{}") @JsonPropertyDescription("The executors, which all sessions share.")
        ExecutorSpec executor,
    @JsonPropertyDescription("Executors that come and go with the work.")
        DynamicAllocation dynamicAllocation,
    @JsonPropertyDescription(
            "What is released while nobody uses it. Absent: with dynamic allocation, executors that hold cached or shuffled"
                + " data stay indefinitely.")
        Idle idle,
    @JsonPropertyDescription("Who may connect. Absent: everybody who reaches the port.")
        Authentication authentication,
    @Default("false")
        @JsonPropertyDescription(
            "Stop the server and its executors, or do not start them; sessions are lost. May be changed at any time.")
        Boolean suspend) {

  /** The server's pod and Service. */
  public record Server(
      @Min(1)
          @Max(1024)
          @Default("1")
          @JsonPropertyDescription("Cores that the server sees (spark.driver.cores, 1-1024).")
          Integer cores,
      @Pattern(Patterns.CPU)
          @JsonPropertyDescription("CPU request of the pod, for example 500m. Absent: cores.")
          String coreRequest,
      @Pattern(Patterns.CPU) @JsonPropertyDescription("CPU limit of the pod. Absent: none.")
          String coreLimit,
      @Pattern(Patterns.MEMORY)
          @JsonPropertyDescription(
              "JVM heap in Spark's notation (512m, 2g; m is MiB, g is GiB). Sessions, plans and results that are collected"
                  + " are kept there. Absent: 1g.")
          String memory,
      @Pattern(Patterns.MEMORY)
          @JsonPropertyDescription(
              "Memory outside of the heap. Absent: 10 % of the heap, at least 384m.")
          String memoryOverhead,
      @Size(max = 16384)
          @JsonPropertyDescription("Further JVM options (spark.driver.extraJavaOptions).")
          String javaOptions,
      @Size(min = 1, max = 253)
          @JsonPropertyDescription(
              "Service account of the server; it must be allowed to create executor pods. Absent: the operator's default,"
                  + " `spark` as the chart installs it.")
          String serviceAccount,
      @Size(max = 128) @JsonPropertyDescription("Environment of the Spark container.")
          List<EnvVar> env,
      @Size(max = 64)
          @JsonPropertyDescription("ConfigMaps and Secrets whose keys become environment.")
          List<EnvFromSource> envFrom,
      @JsonPropertyDescription(
              "Pod template (core/v1 PodTemplateSpec); the Spark container is called spark-kubernetes-driver. The typed"
                  + " fields win over it. A readiness probe in it replaces the operator's, which opens port 15002.")
          JsonNode template,
      @JsonPropertyDescription("The Service NAME-server, by which clients reach the server.")
          ServerService service) {}

  /** The Service that clients use. */
  public record ServerService(
      @JsonPropertyDescription(
              "Type of the Service. Absent: ClusterIP, with the ports 15002 and 4040. The others have port 15002 alone,"
                  + " because the web UI has no login.")
          UiOptions.ServiceType type,
      @JsonPropertyDescription("Labels of the Service.") Map<String, String> labels,
      @JsonPropertyDescription("Annotations of the Service.") Map<String, String> annotations,
      @Size(max = 64)
          @JsonPropertyDescription(
              "Addresses (CIDR) from which the load balancer takes clients, for type LoadBalancer.")
          List<@Size(min = 1, max = 64) String> loadBalancerSourceRanges) {}

  /** What is released while nobody uses it. */
  public record Idle(
      @Min(1)
          @Max(31536000)
          @Default("60")
          @JsonPropertyDescription(
              "Seconds without a task after which an executor is released, even if it holds cached or shuffled data, down"
                  + " to dynamicAllocation.minExecutors (1-31536000). Data that is needed again is computed again.")
          Long executorSeconds) {}

  /** Who may connect. */
  public record Authentication(
      @Required
          @JsonPropertyDescription(
              "Key of a Secret with the token that all clients have to send. The operator does not read it.")
          NameKey tokenSecret) {}
}
