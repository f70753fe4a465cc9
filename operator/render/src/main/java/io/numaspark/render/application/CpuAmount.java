package io.numaspark.render.application;

import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.schema.CustomResourceSchema;

/**
 * An amount of CPU that a Spark property or the field that stands for it gives a pod.
 *
 * <p>Limit: the grammar is that of the schema's coreRequest, for both pods and for limits too.
 */
public final class CpuAmount {
  private CpuAmount() {}

  /**
   * The amount.
   *
   * @param property that may have given it, for the message; a field was held to the schema before
   * @throws IllegalArgumentException if the text is not an amount of CPU
   */
  public static Quantity of(String property, String text) {
    if (!CustomResourceSchema.of(SparkApplication.class)
        .problems("spec.driver.coreRequest", TextNode.valueOf(text))
        .isEmpty()) {
      throw new IllegalArgumentException(
          "spec.sparkConf[\"%s\"]: '%s' is not an amount of CPU; write for example 2 or 500m"
              .formatted(property, text));
    }
    return new Quantity(text);
  }
}
