package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.numaspark.api.v1alpha1.Dependencies;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.render.sparkpod.FieldPods;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkPod;
import io.numaspark.render.sparkpod.SparkVolumes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Spark properties that single fields of an application stand for, where no pod template can
 * say it: Spark overwrites some parts of an executor's template with properties or their defaults
 * (BasicExecutorFeatureStep).
 */
final class FieldConf {
  /** Where spec.sparkConfigMap is mounted, as kubeflow does. */
  static final String SPARK_CONF_FOLDER = "/etc/spark/conf";

  /** Spark sets these for executors after the template; a property of the user's comes later. */
  private static final Set<String> BY_PROPERTY = Set.of("SPARK_USER", "SPARK_CONF_DIR");

  /** Stands for the version in the names of images. */
  static final String SPARK_VERSION = "{{SPARK_VERSION}}";

  /** Spark's word for a class that is in the image (SparkLauncher.NO_RESOURCE). */
  private static final String NO_RESOURCE = "spark-internal";

  private static final List<String> IMAGES =
      List.of(
          "spark.kubernetes.container.image",
          "spark.kubernetes.driver.container.image",
          "spark.kubernetes.executor.container.image");

  private static final String EXECUTOR_ENV = "spark.executorEnv.";

  private FieldConf() {}

  /** Properties to which the user's own are added. */
  static SortedMap<String, String> of(SparkApplicationSpec spec) {
    SortedMap<String, String> conf = new TreeMap<>();
    put(conf, DriverPod.IMAGE, spec.driver().image());
    put(conf, "spark.kubernetes.executor.container.image", spec.executor().image());
    put(conf, "spark.kubernetes.driver.master", spec.driver().kubernetesMaster());
    put(conf, SparkConf.MEMORY_OVERHEAD_FACTOR, spec.memoryOverheadFactor());
    conf.putAll(SparkVolumes.properties(Side.DRIVER, spec));
    conf.putAll(SparkVolumes.properties(Side.EXECUTOR, spec));
    putExecutorPod(conf, spec);
    return conf;
  }

  private static void putExecutorPod(SortedMap<String, String> conf, SparkApplicationSpec spec) {
    SparkPod pod = FieldPods.of(Side.EXECUTOR, spec);
    PodSpec template = pod.spec();
    put(
        conf,
        "spark.kubernetes.authenticate.executor.serviceAccountName",
        FieldPods.serviceAccount(Side.EXECUTOR, spec).orElse(null));
    if (template.getTerminationGracePeriodSeconds() != null) {
      conf.put(
          "spark.kubernetes.executor.terminationGracePeriodSeconds",
          template.getTerminationGracePeriodSeconds() + "s");
    }
    SecurityContext context = pod.container().getSecurityContext();
    if (!Boolean.FALSE.equals(context.getAllowPrivilegeEscalation())) {
      // Spark 4.3 writes false over the template otherwise.
      conf.put("spark.kubernetes.executor.securityContext.allowPrivilegeEscalation", "true");
    }
    if (spec.sparkConfigMap() != null) {
      conf.put(EXECUTOR_ENV + "SPARK_CONF_DIR", SPARK_CONF_FOLDER);
    }
    for (EnvVar variable : pod.environment()) {
      if (isByProperty(variable)) {
        conf.put(EXECUTOR_ENV + variable.getName(), variable.getValue());
      }
    }
  }

  /** Whether a variable of executors becomes a property, as Spark would overwrite it otherwise. */
  static boolean isByProperty(EnvVar variable) {
    return BY_PROPERTY.contains(variable.getName()) && variable.getValue() != null;
  }

  /**
   * Adds what spark-submit would: the executors' name of a ConfigMap that the user gave for the
   * driver (HadoopConfDriverFeatureStep), and the application's dependencies.
   *
   * @param conf the user's properties included; it is changed
   */
  static void complete(SortedMap<String, String> conf, SparkApplicationSpec spec) {
    put(
        conf,
        "spark.kubernetes.executor.hadoopConfigMapName",
        conf.get("spark.kubernetes.hadoop.configMapName"));
    if (spec.sparkVersion() != null) {
      // Spark 4.1 does it itself (Utils.substituteSparkVersion), Spark 3.5 does not.
      IMAGES.forEach(
          key ->
              conf.computeIfPresent(
                  key, (k, image) -> image.replace(SPARK_VERSION, spec.sparkVersion())));
    }
    addDependencies(conf, spec);
  }

  /** Adds spec.deps and the application's own jar to what the user's properties list. */
  private static void addDependencies(SortedMap<String, String> conf, SparkApplicationSpec spec) {
    Dependencies deps = spec.deps();
    if (deps != null) {
      add(conf, "spark.jars", deps.jars());
      add(conf, "spark.files", deps.files());
      add(conf, "spark.archives", deps.archives());
      add(conf, "spark.submit.pyFiles", deps.pyFiles());
      add(conf, "spark.jars.packages", deps.packages());
      add(conf, "spark.jars.excludes", deps.excludePackages());
      add(conf, "spark.jars.repositories", deps.repositories());
    }
    if (conf.containsKey("spark.jars.packages")) {
      // The default is below the user's home, which Spark's images do not have.
      conf.putIfAbsent("spark.jars.ivy", "/tmp/.ivy2");
    }
    boolean ownJar = !spec.mainApplicationFile().equals(NO_RESOURCE);
    if (ownJar && (spec.type() == Type.Java || spec.type() == Type.Scala)) {
      // Executors find the application's classes there, as after Spark's own submission.
      add(conf, "spark.jars", List.of(spec.mainApplicationFile()));
    }
  }

  private static void add(SortedMap<String, String> conf, String key, List<String> items) {
    if (items == null || items.isEmpty()) {
      return;
    }
    Set<String> all = new LinkedHashSet<>();
    for (String item : conf.getOrDefault(key, "").split(",")) {
      if (!item.isBlank()) {
        all.add(item.strip());
      }
    }
    all.addAll(items);
    conf.put(key, String.join(",", all));
  }

  private static void put(SortedMap<String, String> conf, String key, String value) {
    if (value != null && !value.isEmpty()) {
      conf.put(key, value);
    }
  }
}
