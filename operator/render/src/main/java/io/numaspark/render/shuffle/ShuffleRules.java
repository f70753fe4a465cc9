package io.numaspark.render.shuffle;

import io.fabric8.kubernetes.api.model.VolumeMount;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.ShuffleSize;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.sparkpod.Side;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What spec.shuffle contradicts among the application's own Spark properties and volumes. */
final class ShuffleRules {
  static final String MANAGER = "spark.shuffle.manager";
  static final String PAGES_MANAGER = "numaspark.shuffle.PagesShuffleManager";
  static final String PAGES_DIR = "spark.numaspark.shuffle.pages.dir";

  private static final String LOCAL_DIR = "spark.local.dir";
  private static final String LOCAL_VOLUMES = "spark-local-dir-";

  private ShuffleRules() {}

  /** A Spark property or a volume of the user's that the field contradicts. */
  static Optional<Refusal> check(SparkApplicationSpec spec, GivenPods pods) {
    Map<String, String> conf = SparkProperties.orEmpty(spec.sparkConf());
    return switch (ShuffleSize.storage(spec)) {
      case Disk -> Optional.empty();
      case Memory -> checkMemory(conf, pods);
      case Pages -> checkPages(conf);
    };
  }

  private static Optional<Refusal> checkPages(Map<String, String> conf) {
    String manager = conf.get(MANAGER);
    if (manager != null && !manager.equals(PAGES_MANAGER)) {
      return refuse(
          MANAGER,
          "is "
              + manager
              + ", but spec.shuffle.storage: Pages is a shuffle manager of its own; remove one of"
              + " the two");
    }
    if (conf.containsKey(PAGES_DIR)) {
      return refuse(
          PAGES_DIR,
          "numaspark mounts the folder of spec.shuffle.storage: Pages; remove it, or set the"
              + " storage to Disk and everything about the pages by properties");
    }
    if (conf.containsKey(SparkKeys.OFF_HEAP_SIZE)
        && !"true".equalsIgnoreCase(conf.get(SparkKeys.OFF_HEAP))) {
      return refuse(
          SparkKeys.OFF_HEAP_SIZE,
          "is the size of the pages with spec.shuffle.storage: Pages; use spec.shuffle.size, or set "
              + SparkKeys.OFF_HEAP
              + " too if Spark's own off-heap memory is meant, to which the pages come");
    }
    return Optional.empty();
  }

  private static Optional<Refusal> checkMemory(Map<String, String> conf, GivenPods pods) {
    String remedy =
        ", but spec.shuffle.storage: Memory has a tmpfs in the place of the executors' local"
            + " folders; remove one of the two";
    if (conf.containsKey(LOCAL_DIR)) {
      return refuse(LOCAL_DIR, "is " + conf.get(LOCAL_DIR) + remedy);
    }
    String prefix = Side.EXECUTOR.prefix() + "volumes.";
    for (String key : new TreeMap<>(conf).keySet()) {
      if (key.startsWith(prefix) && key.contains("." + LOCAL_VOLUMES)) {
        return refuse(key, "mounts a local folder" + remedy);
      }
    }
    for (VolumeMount mount : pods.of(Side.EXECUTOR).pod().mounts()) {
      if (mount.getName().startsWith(LOCAL_VOLUMES)) {
        return Optional.of(
            new Refusal(
                RefusalReason.SPEC_INVALID,
                Side.EXECUTOR.field() + ": volume '" + mount.getName() + "' is mounted" + remedy));
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refuse(String key, String why) {
    return Optional.of(
        new Refusal(RefusalReason.SPARK_CONF_REFUSED, "spec.sparkConf[\"" + key + "\"]: " + why));
  }
}
