package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.numaspark.render.conf.SparkProperties;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Spark properties that spark-submit would build the driver pod from, read as Spark's driver
 * feature steps read them; the operator builds the pod itself, so nothing else would look at them.
 *
 * <p>Limit: CPU, memory, image, service account and Service are read where those are made. The
 * table of all properties is in docs/spark-properties.md.
 */
public final class DriverProperties {
  private static final String HADOOP_CONF_FOLDER = "/opt/hadoop/conf";
  private static final String TOKEN_FOLDER = "/mnt/secrets/hadoop-credentials";

  private final SortedMap<String, String> conf;

  /** Properties of the run, the user's included. */
  public DriverProperties(SortedMap<String, String> conf) {
    this.conf = conf;
  }

  /**
   * Writes them over the pod.
   *
   * @param appId Spark's id of the run, for {@code {{APP_ID}}}
   * @throws IllegalArgumentException naming the property that cannot be read and the remedy
   */
  public void apply(SparkPod pod, String appId) {
    withPrefix("spark.kubernetes.driver.label.")
        .forEach((key, value) -> pod.labels().put(key, substitute(value, appId)));
    withPrefix("spark.kubernetes.driver.annotation.")
        .forEach((key, value) -> pod.annotations().put(key, substitute(value, appId)));
    addEnvironment(pod);
    DriverVolumes.apply(conf, pod);
    withPrefix("spark.kubernetes.driver.secrets.")
        .forEach((secret, folder) -> Volumes.mountSecret(pod, secret, folder));
    schedule(pod);
    addHadoop(pod);
    addDevices(pod);
    String escalation =
        conf.getOrDefault(
            "spark.kubernetes.driver.securityContext.allowPrivilegeEscalation",
            conf.get("spark.kubernetes.securityContext.allowPrivilegeEscalation"));
    if ("true".equalsIgnoreCase(escalation)) {
      pod.container().getSecurityContext().setAllowPrivilegeEscalation(true);
    }
  }

  private void addEnvironment(SparkPod pod) {
    withPrefix("spark.kubernetes.driverEnv.")
        .forEach((name, value) -> pod.putEnvironment(new EnvVar(name, value, null)));
    withPrefix("spark.kubernetes.driver.secretKeyRef.")
        .forEach(
            (name, reference) -> {
              String[] parts = reference.split(":", -1);
              if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
                throw refuse(
                    "spark.kubernetes.driver.secretKeyRef." + name,
                    "'" + reference + "' names no key; write SECRET:KEY");
              }
              pod.putEnvironment(Environment.fromSecret(name, parts[0], parts[1]));
            });
    // Spark's DriverCommandFeatureStep hands both to the container as environment.
    String python = conf.get("spark.pyspark.python");
    if (python != null) {
      pod.putEnvironment(new EnvVar("PYSPARK_PYTHON", python, null));
    }
    String driverPython = conf.getOrDefault("spark.pyspark.driver.python", python);
    if (driverPython != null) {
      pod.putEnvironment(new EnvVar("PYSPARK_DRIVER_PYTHON", driverPython, null));
    }
  }

  private void schedule(SparkPod pod) {
    SortedMap<String, String> nodeSelector =
        new TreeMap<>(SparkProperties.orEmpty(pod.spec().getNodeSelector()));
    nodeSelector.putAll(withPrefix("spark.kubernetes.node.selector."));
    nodeSelector.putAll(withPrefix("spark.kubernetes.driver.node.selector."));
    pod.spec().setNodeSelector(nodeSelector);
    String scheduler =
        conf.getOrDefault(
            "spark.kubernetes.driver.scheduler.name", conf.get("spark.kubernetes.scheduler.name"));
    if (scheduler != null) {
      pod.spec().setSchedulerName(scheduler);
    }
  }

  /** HadoopConfDriverFeatureStep and KerberosConfDriverFeatureStep. */
  private void addHadoop(SparkPod pod) {
    String hadoop = conf.get("spark.kubernetes.hadoop.configMapName");
    if (hadoop != null) {
      Volumes.mountConfigMap(pod, "hadoop-properties", hadoop, HADOOP_CONF_FOLDER);
      pod.putEnvironment(new EnvVar("HADOOP_CONF_DIR", HADOOP_CONF_FOLDER, null));
    }
    String kerberos = conf.get("spark.kubernetes.kerberos.krb5.configMapName");
    if (kerberos != null) {
      Volumes.mountConfigMap(pod, "krb5-file", kerberos, "/etc/krb5.conf");
      pod.putMount(
          new VolumeMountBuilder()
              .withName("krb5-file")
              .withMountPath("/etc/krb5.conf")
              .withSubPath("krb5.conf")
              .build());
    }
    String secret = conf.get("spark.kubernetes.kerberos.tokenSecret.name");
    String key = conf.get("spark.kubernetes.kerberos.tokenSecret.itemKey");
    if ((secret == null) != (key == null)) {
      throw refuse(
          "spark.kubernetes.kerberos.tokenSecret." + (secret == null ? "itemKey" : "name"),
          "tokenSecret.name and tokenSecret.itemKey belong together; give both or remove it");
    }
    if (secret != null) {
      Volumes.mountSecret(pod, secret, TOKEN_FOLDER);
      pod.putEnvironment(new EnvVar("HADOOP_TOKEN_FILE_LOCATION", TOKEN_FOLDER + "/" + key, null));
    }
  }

  /** KubernetesUtils.buildResourcesQuantities: VENDOR/RESOURCE as a limit. */
  private void addDevices(SparkPod pod) {
    String prefix = "spark.driver.resource.";
    withPrefix(prefix)
        .forEach(
            (key, amount) -> {
              if (!key.endsWith(".amount")) {
                return;
              }
              String name = key.substring(0, key.length() - ".amount".length());
              String vendor = conf.get(prefix + name + ".vendor");
              if (vendor == null) {
                throw refuse(
                    prefix + key,
                    "needs the vendor on Kubernetes; add "
                        + prefix
                        + name
                        + ".vendor, or use"
                        + " spec.driver.gpu");
              }
              if (!amount.matches("[0-9]{1,9}")) {
                throw refuse(prefix + key, "'" + amount + "' is not a number; give 1 or more");
              }
              ResourceRequirements resources =
                  Objects.requireNonNullElse(
                      pod.container().getResources(), new ResourceRequirements());
              pod.container()
                  .setResources(
                      new ResourceRequirementsBuilder(resources)
                          .addToLimits(vendor + "/" + name, new Quantity(amount))
                          .build());
            });
  }

  private SortedMap<String, String> withPrefix(String prefix) {
    return withPrefix(conf, prefix);
  }

  /** Properties that start so, by the rest of their names. */
  public static SortedMap<String, String> withPrefix(Map<String, String> conf, String prefix) {
    SortedMap<String, String> found = new TreeMap<>();
    conf.forEach(
        (key, value) -> {
          if (key.startsWith(prefix) && key.length() > prefix.length()) {
            found.put(key.substring(prefix.length()), value);
          }
        });
    return found;
  }

  /** Utils.substituteAppNExecIds. */
  private static String substitute(String value, String appId) {
    return value.replace("{{APP_ID}}", appId).replace("{{EXECUTOR_ID}}", "");
  }

  static IllegalArgumentException refuse(String key, String why) {
    return new IllegalArgumentException("spec.sparkConf[\"" + key + "\"]: " + why);
  }
}
