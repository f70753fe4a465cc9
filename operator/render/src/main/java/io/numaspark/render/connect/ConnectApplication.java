package io.numaspark.render.connect;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkConnectSpec;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.Labels;
import io.numaspark.schema.CustomResourceSchema;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The SparkApplication that runs a SparkConnect's server as its driver.
 *
 * <p>Limit: nothing that needs a profile is checked here; the application says it in its status.
 */
public final class ConnectApplication {
  /** Port of the server, Spark's default (spark.connect.grpc.binding.port). */
  public static final int PORT = 15002;

  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  private static final String MAIN_CLASS =
      "org.apache.spark.sql.connect.service.SparkConnectServer";

  /** Spark's word for a class that is in the image (SparkLauncher.NO_RESOURCE). */
  private static final String NO_RESOURCE = "spark-internal";

  /** Where Spark reads the token, if no property has it (SparkConnectService). */
  private static final String TOKEN = "SPARK_CONNECT_AUTHENTICATE_TOKEN";

  private static final String SUFFIX = "-server";
  private static final String PORT_NAME = "spark-connect";

  private static final List<String> SAME_FIELDS =
      List.of(
          "sparkVersion",
          "image",
          "imagePullPolicy",
          "imagePullSecrets",
          "hadoopConf",
          "deps",
          "volumes",
          "nodeProfile",
          "executor",
          "dynamicAllocation",
          "suspend");

  /** Seconds; the n-th failure in a row waits n times as long, and servers run for months. */
  private static final int RESTART_INTERVAL = 1;

  private static final int PROBE_PERIOD_SECONDS = 5;

  private ConnectApplication() {}

  /** Name of the application, and of the Service. */
  public static String name(SparkConnect connect) {
    return connect.getMetadata().getName() + SUFFIX;
  }

  /** Name of the SparkConnect whose application may be called so; empty if none is. */
  public static Optional<String> connectOf(String application) {
    return application.endsWith(SUFFIX)
        ? Optional.of(application.substring(0, application.length() - SUFFIX.length()))
        : Optional.empty();
  }

  /** What the application's messages mean to who wrote the SparkConnect. */
  public static String words(String message) {
    return message == null ? null : message.replaceAll("\\bspec\\.driver\\b", "spec.server");
  }

  /**
   * The spec with its defaults, as the API server stores it.
   *
   * @throws IllegalArgumentException naming the field that is wrong and the remedy
   */
  public static SparkApplicationSpec spec(SparkConnect connect) {
    SparkConnectSpec given =
        CustomResourceSchema.of(SparkConnect.class)
            .admitted(connect.getSpec(), SparkConnectSpec.class);
    try {
      return CustomResourceSchema.of(SparkApplication.class)
          .admitted(
              JSON.convertValue(tree(given), SparkApplicationSpec.class),
              SparkApplicationSpec.class);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(words(e.getMessage()), e);
    }
  }

  private static ObjectNode tree(SparkConnectSpec given) {
    ObjectNode from = JSON.valueToTree(given);
    ObjectNode spec = JSON.createObjectNode();
    spec.put("type", "Scala");
    spec.put("mainClass", MAIN_CLASS);
    spec.put("mainApplicationFile", NO_RESOURCE);
    for (String field : SAME_FIELDS) {
      if (from.hasNonNull(field)) {
        spec.set(field, from.get(field));
      }
    }
    spec.set("sparkConf", JSON.valueToTree(conf(given)));
    spec.set("driver", driver(given, (ObjectNode) from.get("server")));
    spec.putObject("restartPolicy")
        .put("type", "Always")
        .put("onFailureRetryInterval", RESTART_INTERVAL);
    return spec;
  }

  private static SortedMap<String, String> conf(SparkConnectSpec given) {
    SortedMap<String, String> conf = new TreeMap<>(SparkProperties.orEmpty(given.sparkConf()));
    conf.put("spark.connect.grpc.binding.port", String.valueOf(PORT));
    // Else a long query of one session stops the short ones of all others.
    conf.putIfAbsent("spark.scheduler.mode", "FAIR");
    // Executors connect before the server is ready, and by the name of this Service.
    conf.putIfAbsent("spark.kubernetes.driver.service.publishNotReadyAddresses", "true");
    if (given.idle() != null) {
      String seconds = given.idle().executorSeconds() + "s";
      for (String timeout :
          List.of("executorIdleTimeout", "cachedExecutorIdleTimeout", "shuffleTracking.timeout")) {
        conf.putIfAbsent("spark.dynamicAllocation." + timeout, seconds);
      }
    }
    return conf;
  }

  private static ObjectNode driver(SparkConnectSpec given, ObjectNode server) {
    ObjectNode driver = server.deepCopy();
    driver.remove("service");
    driver
        .withArray("/ports")
        .addObject()
        .put("name", PORT_NAME)
        .put("protocol", "TCP")
        .put("containerPort", PORT);
    if (given.authentication() != null) {
      driver
          .withArray("/env")
          .addObject()
          .put("name", TOKEN)
          .putObject("valueFrom")
          .putObject("secretKeyRef")
          .put("name", given.authentication().tokenSecret().name())
          .put("key", given.authentication().tokenSecret().key());
    }
    driver.set("template", probed(server.path("template")));
    return driver;
  }

  /**
   * The template with a readiness probe in the Spark container, if that has none. One that cannot
   * be read stays as it is, and is refused when the application is rendered.
   */
  private static JsonNode probed(JsonNode template) {
    JsonNode containers = template.at("/spec/containers");
    boolean isReadable =
        (template.isMissingNode() || template.isNull() || template.isObject())
            && (template.path("spec").isMissingNode() || template.path("spec").isObject())
            && (containers.isMissingNode() || containers.isArray());
    if (!isReadable) {
      return template;
    }
    ObjectNode result = template.isObject() ? template.deepCopy() : JSON.createObjectNode();
    ObjectNode spark = sparkContainer(result.withArray("/spec/containers"));
    if (!spark.hasNonNull("readinessProbe")) {
      ObjectNode probe = spark.putObject("readinessProbe");
      // The server listens once its SparkContext is up. It has no health service for gRPC probes.
      probe.putObject("tcpSocket").put("port", PORT);
      probe.put("periodSeconds", PROBE_PERIOD_SECONDS);
    }
    return result;
  }

  /** The one that Spark's container is found in: by its name, else the first, else a new one. */
  private static ObjectNode sparkContainer(ArrayNode containers) {
    for (JsonNode container : containers) {
      if (container.path("name").asText().equals(Labels.DRIVER_CONTAINER)
          && container instanceof ObjectNode found) {
        return found;
      }
    }
    return containers.path(0) instanceof ObjectNode first
        ? first
        : containers.addObject().put("name", Labels.DRIVER_CONTAINER);
  }
}
