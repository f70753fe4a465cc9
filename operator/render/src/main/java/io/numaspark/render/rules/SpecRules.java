package io.numaspark.render.rules;

import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ReservedLabels;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.executors.PinnedPodRules;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.text.MemorySize;
import io.numaspark.schema.CustomResourceSchema;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an application may not say whatever its Spark properties are: what its schema refuses, and
 * what no schema can say of names, sizes and Kubernetes' types.
 */
public final class SpecRules {
  private SpecRules() {}

  /**
   * The pods of an application, whose spec has the defaults of its schema from here on.
   *
   * @throws IllegalArgumentException naming the field that is wrong and the remedy
   */
  public static GivenPods read(SparkApplicationSpec given) {
    SparkApplicationSpec spec =
        CustomResourceSchema.of(SparkApplication.class).admitted(given, SparkApplicationSpec.class);
    checkValues("spec.sparkConf", given.sparkConf(), "give one or remove the property");
    if (given.batchSchedulerOptions() != null) {
      checkValues(
          "spec.batchSchedulerOptions.resources",
          given.batchSchedulerOptions().resources(),
          "give a quantity");
    }
    GivenPods pods = new GivenPods(spec);
    checkPods(spec, pods);
    return pods;
  }

  /** Whoever writes a key without a value means something; the schema takes it for absent. */
  private static void checkValues(String field, Map<String, ?> map, String remedy) {
    SparkProperties.orEmpty(map)
        .forEach(
            (key, value) ->
                require(value != null, field + "[\"" + key + "\"]: has no value; " + remedy));
  }

  /** What the pods' fields say must fit Kubernetes' types and each other. */
  private static void checkPods(SparkApplicationSpec spec, GivenPods pods) {
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
      pods.of(side);
    }
    if (spec.nodeProfile() != null) {
      PinnedPodRules.check(spec, pods);
    }
  }

  private static void checkLabels(Side side, Map<String, String> labels) {
    for (String label : new TreeSet<>(SparkProperties.orEmpty(labels).keySet())) {
      String field = side.field("labels") + "[\"" + label + "\"]";
      require(
          !ReservedLabels.contain(label),
          field + ": Spark and the operator find pods by this label; use another one");
    }
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
