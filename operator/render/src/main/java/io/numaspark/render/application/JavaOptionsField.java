package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.JavaOptionsText;
import java.util.List;

/**
 * The executors' JVM options that an application gives itself.
 *
 * @param field that they are taken from; sparkConf wins, as everywhere
 * @param options one each
 */
public record JavaOptionsField(String field, List<String> options) {
  private static final String PROPERTY = "spark.executor.extraJavaOptions";

  public static JavaOptionsField of(SparkApplicationSpec spec) {
    String conf = SparkProperties.orEmpty(spec.sparkConf()).get(PROPERTY);
    return conf != null
        ? new JavaOptionsField("spec.sparkConf[\"" + PROPERTY + "\"]", JavaOptionsText.split(conf))
        : new JavaOptionsField(
            "spec.executor.javaOptions", JavaOptionsText.split(spec.executor().javaOptions()));
  }
}
