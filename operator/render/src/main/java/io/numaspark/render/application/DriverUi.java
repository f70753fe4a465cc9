package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import java.util.Map;

/** The driver's web UI and REST API, which share one port. */
public final class DriverUi {
  private static final int DEFAULT_PORT = 4040;

  private DriverUi() {}

  /** The port, from 10; Spark's default if the application gives none that can be read. */
  public static int port(SparkApplicationSpec spec) {
    String port = conf(spec).getOrDefault(SparkKeys.UI_PORT, "");
    return port.matches("[1-9][0-9]{1,4}") ? Integer.parseInt(port) : DEFAULT_PORT;
  }

  /** Whether the driver has a web UI, which is on unless the application switched it off. */
  public static boolean isEnabled(SparkApplicationSpec spec) {
    return !"false".equalsIgnoreCase(conf(spec).get(SparkKeys.UI_ENABLED));
  }

  private static Map<String, String> conf(SparkApplicationSpec spec) {
    return SparkProperties.orEmpty(spec.sparkConf());
  }
}
