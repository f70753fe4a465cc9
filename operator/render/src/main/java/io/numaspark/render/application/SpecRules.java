package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.Labels;
import io.numaspark.render.MemorySize;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.sparkpod.FieldPods;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.schema.CustomResourceSchema;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an application may not say whatever its Spark properties are: what its schema refuses, and
 * what no schema can say of names, sizes and Kubernetes' types.
 */
final class SpecRules {
  /** Spark's own labels (KubernetesDriverConf, KubernetesExecutorConf); it refuses a user's. */
  private static final Set<String> RESERVED_LABELS =
      Set.of(
          Labels.SPARK_APP_SELECTOR,
          Labels.SPARK_APP_NAME,
          Labels.SPARK_ROLE,
          Labels.SPARK_EXECUTOR_ID,
          Labels.SPARK_VERSION,
          "spark-exec-resourceprofile-id");

  private SpecRules() {}

  static Optional<Refusal> check(SparkApplicationSpec spec) {
    try {
      CustomResourceSchema.of(SparkApplication.class).admitted(spec, SparkApplicationSpec.class);
      checkPods(spec);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(new Refusal(RefusalReason.SPEC_INVALID, e.getMessage()));
    }
  }

  /** What the pods' fields say must fit Kubernetes' types and each other. */
  private static void checkPods(SparkApplicationSpec spec) {
    require(
        spec.proxyUser() == null || !spec.proxyUser().isBlank(),
        "spec.proxyUser: is empty; give a user's name or remove it");
    for (Side side : Side.values()) {
      checkLabels(side, side.of(spec).labels());
      checkMemory(side, side.of(spec));
      // A profile's shape takes the place of the executors' requests and limits.
      if (side == Side.DRIVER || spec.nodeProfile() == null) {
        checkLimit(side, side.of(spec));
      }
      FieldPods.of(side, spec);
    }
    if (spec.nodeProfile() != null) {
      PinnedPodRules.check(spec);
    }
  }

  private static void checkLabels(Side side, Map<String, String> labels) {
    for (String label : new TreeSet<>(SparkConf.orEmpty(labels).keySet())) {
      String field = side.field("labels") + "[\"" + label + "\"]";
      require(
          !isReserved(label),
          field + ": Spark and the operator find pods by this label; use another one");
    }
  }

  /** Whether Spark or the operator puts this label on pods. */
  static boolean isReserved(String label) {
    return RESERVED_LABELS.contains(label) || label.startsWith(ApiGroup.NAME + "/");
  }

  /** Spark 4.1 and the API server refuse it too, but after the driver has started. */
  private static void checkLimit(Side side, PodFields fields) {
    String request =
        Objects.requireNonNullElse(
            fields.coreRequest(), String.valueOf(Objects.requireNonNullElse(fields.cores(), 1)));
    require(
        fields.coreLimit() == null
            || new Quantity(fields.coreLimit())
                    .getNumericalAmount()
                    .compareTo(new Quantity(request).getNumericalAmount())
                >= 0,
        side.field("coreLimit")
            + ": "
            + fields.coreLimit()
            + " is less than the request of "
            + request
            + "; give as much or more, or a smaller coreRequest");
  }

  /** Sizes that fit their pattern and no machine. */
  private static void checkMemory(Side side, PodFields fields) {
    SortedMap<String, String> sizes = new TreeMap<>();
    sizes.put("memory", fields.memory());
    sizes.put("memoryLimit", fields.memoryLimit());
    sizes.put("memoryOverhead", fields.memoryOverhead());
    sizes.values().removeIf(Objects::isNull);
    sizes.forEach(
        (name, size) -> {
          try {
            MemorySize.ofSpark(size);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(side.field(name) + ": " + e.getMessage(), e);
          }
        });
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
