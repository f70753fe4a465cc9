package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.text.Labels;
import java.util.Set;

/** Labels by which Spark and the operator find pods; no application may set them. */
public final class ReservedLabels {
  /** Spark's own (KubernetesDriverConf, KubernetesExecutorConf); it refuses a user's. */
  private static final Set<String> OF_SPARK =
      Set.of(
          Labels.SPARK_APP_SELECTOR,
          Labels.SPARK_APP_NAME,
          Labels.SPARK_ROLE,
          Labels.SPARK_EXECUTOR_ID,
          Labels.SPARK_VERSION,
          "spark-exec-resourceprofile-id");

  private ReservedLabels() {}

  /** Whether Spark or the operator puts this label on pods. */
  public static boolean contain(String label) {
    return OF_SPARK.contains(label) || label.startsWith(ApiGroup.NAME + "/");
  }
}
