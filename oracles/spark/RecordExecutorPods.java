package org.apache.spark.deploy.k8s; // KubernetesExecutorConf is private to Spark's packages.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;

/**
 * Asks Spark's own KubernetesExecutorBuilder for the executor pod of each case and prints what it
 * requests.
 *
 * <p>Arguments: a file of lines NAME TAB KEY=VALUE TAB KEY=VALUE..., the folder of the golden
 * files, whose spark.properties and pod templates are taken as they are, and the folder with
 * properties of spark-submit and their NAME.template. Output: lines VERSION TAB
 * NAME TAB CPU request, CPU limit, memory request, memory limit, task slots, heap, JVM options
 * joined by " ;; ", and what became of the pod template (of rendered cases only). A case that Spark refuses gives VERSION TAB NAME TAB "refused: " with the first
 * line of its exception.
 */
public final class RecordExecutorPods {
  private static final String TEMPLATE = "spark.kubernetes.executor.podTemplateFile";

  private RecordExecutorPods() {}

  public static void main(String[] args) throws Exception {
    String version = org.apache.spark.package$.MODULE$.SPARK_VERSION();
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:1").build())
            .build()) {
      Map<String, SparkConf> cases = listed(Path.of(args[0]));
      cases.putAll(rendered(Path.of(args[1])));
      cases.putAll(injected(Path.of(args[2])));
      cases.forEach(
          (name, conf) -> System.out.println(version + "\t" + name + "\t" + pod(conf, client)));
    }
  }

  private static Map<String, SparkConf> listed(Path file) throws IOException {
    Map<String, SparkConf> cases = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t");
      SparkConf conf = minimal();
      for (int i = 1; i < cells.length; i++) {
        int equals = cells[i].indexOf('=');
        conf.set(cells[i].substring(0, equals), cells[i].substring(equals + 1));
      }
      cases.put(cells[0], conf);
    }
    return cases;
  }

  private static Map<String, SparkConf> rendered(Path golden) throws IOException {
    Map<String, SparkConf> cases = new TreeMap<>();
    try (Stream<Path> folders = Files.list(golden)) {
      for (Path folder : folders.toList()) {
        Properties properties = new Properties();
        Path expected = folder.resolve("expected");
        try (Reader reader = Files.newBufferedReader(expected.resolve("spark.properties"))) {
          properties.load(reader);
        }
        SparkConf conf = new SparkConf(false);
        properties.stringPropertyNames().forEach(key -> conf.set(key, properties.getProperty(key)));
        conf.set(
            TEMPLATE,
            expected.resolve("executor-pod-template.yaml").toUri().toString());
        conf.set("spark.kubernetes.executor.disableConfigMap", "true");
        cases.put("golden-" + folder.getFileName(), conf);
      }
    }
    return cases;
  }

  private static Map<String, SparkConf> injected(Path folder) throws IOException {
    Map<String, SparkConf> cases = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path template : files.filter(file -> file.toString().endsWith(".template")).toList()) {
        String name = template.getFileName().toString().replace(".template", "");
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(folder.resolve(name))) {
          properties.load(reader);
        }
        SparkConf conf = minimal();
        properties.stringPropertyNames().forEach(key -> conf.set(key, properties.getProperty(key)));
        conf.set(TEMPLATE, template.toUri().toString());
        cases.put("injected-" + name, conf);
      }
    }
    return cases;
  }

  private static SparkConf minimal() {
    return new SparkConf(false)
        .set("spark.app.name", "oracle")
        .set("spark.master", "k8s://https://kubernetes.default.svc")
        .set("spark.kubernetes.container.image", "spark")
        .set("spark.driver.host", "driver")
        .set("spark.driver.port", "7078")
        .set("spark.kubernetes.executor.podNamePrefix", "oracle")
        .set("spark.kubernetes.executor.disableConfigMap", "true");
  }

  private static String pod(SparkConf conf, KubernetesClient client) {
    try {
      conf.validateSettings();
      // The default profile is made of the configuration once and kept.
      ResourceProfile$.MODULE$.clearDefaultProfile();
      SparkPod pod =
          new KubernetesExecutorBuilder()
              .buildFromFeatures(
                  new KubernetesExecutorConf(conf, "1", "oracle", scala.Option.empty(), 0),
                  new SecurityManager(
                      conf,
                      scala.Option.empty(),
                      org.apache.spark.internal.config.package$.MODULE$.AUTH_SECRET_FILE()),
                  client,
                  ResourceProfile$.MODULE$.getOrCreateDefaultProfile(conf))
              .pod();
      boolean rendered = conf.contains(TEMPLATE);
      return describe(pod.container()) + "\t" + (rendered ? describe(pod) + group(pod) : "-");
    } catch (Exception e) {
      return "refused: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
  }

  private static String describe(Container container) {
    Map<String, Quantity> requests = container.getResources().getRequests();
    Map<String, Quantity> limits = container.getResources().getLimits();
    Map<String, String> environment =
        container.getEnv().stream()
            .filter(variable -> variable.getValue() != null)
            // Of two variables with one name the kubelet takes the last.
            .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue, (one, last) -> last));
    List<String> options = new ArrayList<>();
    for (int i = 0; environment.containsKey("SPARK_JAVA_OPT_" + i); i++) {
      options.add(environment.get("SPARK_JAVA_OPT_" + i));
    }
    // Spark adds options of its own, which name the driver and change with the release.
    options.removeIf(
        option -> option.startsWith("-Dspark.") || option.startsWith("--add-") || isSparks(option));
    return String.join(
        "\t",
        text(requests.get("cpu")),
        text(limits.get("cpu")),
        text(requests.get("memory")),
        text(limits.get("memory")),
        environment.getOrDefault("SPARK_EXECUTOR_CORES", "-"),
        environment.getOrDefault("SPARK_EXECUTOR_MEMORY", "-"),
        options.isEmpty() ? "-" : String.join(" ;; ", options));
  }

  /** What fields of a pod template are for, as far as Spark may change it. */
  private static String describe(SparkPod sparkPod) {
    PodSpec pod = sparkPod.pod().getSpec();
    Container container = sparkPod.container();
    SecurityContext context =
        Objects.requireNonNullElse(container.getSecurityContext(), new SecurityContext());
    Map<String, String> environment = new TreeMap<>();
    container.getEnv().forEach(variable -> environment.put(variable.getName(), variable.getValue()));
    String folders =
        Stream.of(environment.get("SPARK_LOCAL_DIRS").split(","))
            .map(folder -> folder.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UUID"))
            .sorted()
            .collect(Collectors.joining(","));
    String user = environment.get("SPARK_USER");
    String devices =
        container.getResources().getLimits().entrySet().stream()
            .filter(limit -> limit.getKey().contains("/"))
            .map(limit -> limit.getKey() + ":" + limit.getValue())
            .sorted()
            .collect(Collectors.joining(","));
    return String.join(
        " ",
        "localDirs=" + folders,
        "confDir=" + environment.get("SPARK_CONF_DIR"),
        "user=" + (user.equals(System.getProperty("user.name")) ? "of-the-recorder" : user),
        "account=" + pod.getServiceAccountName(),
        "grace=" + pod.getTerminationGracePeriodSeconds(),
        "scheduler=" + pod.getSchedulerName(),
        "priority=" + pod.getPriorityClassName(),
        "image=" + container.getImage(),
        "command=" + (container.getCommand().isEmpty() ? "-" : container.getCommand().get(0)),
        "escalation=" + context.getAllowPrivilegeEscalation(),
        "seccomp="
            + (context.getSeccompProfile() == null ? "-" : context.getSeccompProfile().getType()),
        "devices=" + (devices.isEmpty() ? "-" : devices),
        "others=" + pod.getContainers().size() + "+" + pod.getInitContainers().size(),
        "mounts="
            + container.getVolumeMounts().stream()
                .filter(mount -> !mount.getMountPath().startsWith("/var/data/"))
                .map(mount -> mount.getName() + ":" + mount.getMountPath())
                .sorted()
                .collect(Collectors.joining(",")),
        "volumes="
            + pod.getVolumes().stream()
                .map(volume -> volume.getName())
                .sorted()
                .collect(Collectors.joining(",")));
  }

  /** In the text that Spark sends: its client library may not know the field. */
  private static String group(SparkPod sparkPod) throws IOException {
    JsonNode group =
        new ObjectMapper()
            .readTree(Serialization.asJson(sparkPod.pod()))
            .at("/spec/schedulingGroup/podGroupName");
    return " group=" + (group.isMissingNode() ? "-" : group.asText());
  }

  private static boolean isSparks(String option) {
    return option.startsWith("-XX:+IgnoreUnrecognizedVMOptions")
        || option.startsWith("-Djdk.reflect.")
        || option.startsWith("-Dio.netty.")
        || option.startsWith("-Djava.net.preferIPv6Addresses");
  }

  private static String text(Quantity quantity) {
    return quantity == null ? "-" : quantity.toString();
  }
}
