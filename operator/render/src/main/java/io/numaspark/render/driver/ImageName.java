package io.numaspark.render.driver;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;

/**
 * Names of images with a placeholder for Spark's version. Spark 4.1 fills it in itself
 * (Utils.substituteSparkVersion), Spark 3.5 does not.
 */
public final class ImageName {
  /** Stands for spec.sparkVersion. */
  static final String SPARK_VERSION = "{{SPARK_VERSION}}";

  private ImageName() {}

  /** The image with the version; as it is if the application gives no version or no image. */
  public static String of(String image, SparkApplicationSpec spec) {
    return image == null || spec.sparkVersion() == null
        ? image
        : image.replace(SPARK_VERSION, spec.sparkVersion());
  }
}
