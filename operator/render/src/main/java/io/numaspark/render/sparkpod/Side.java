package io.numaspark.render.sparkpod;

import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.text.Labels;

/** The two kinds of pods of an application. */
public enum Side {
  DRIVER("spec.driver", "driver", Labels.DRIVER_CONTAINER),
  EXECUTOR("spec.executor", "executor", Labels.EXECUTOR_CONTAINER);

  private final String field;
  private final String inProperties;
  private final String container;

  Side(String field, String inProperties, String container) {
    this.field = field;
    this.inProperties = inProperties;
    this.container = container;
  }

  /** Path of the fields in the application. */
  public String field() {
    return field;
  }

  /** Path of a field below. */
  public String field(String name) {
    return field + "." + name;
  }

  /** Start of Spark's properties about these pods on Kubernetes, with a dot at the end. */
  public String prefix() {
    return "spark.kubernetes." + inProperties + ".";
  }

  /** Spark's name of a property about these processes, wherever they run. */
  public String property(String name) {
    return "spark." + inProperties + "." + name;
  }

  /** Name of Spark's container. */
  public String container() {
    return container;
  }

  /** The fields that say what these pods look like. */
  public PodFields of(SparkApplicationSpec spec) {
    return this == DRIVER ? spec.driver() : spec.executor();
  }
}
