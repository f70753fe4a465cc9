package io.numaspark.render.application;

import java.util.Optional;

/** Where driver and executors find the jar of numaspark's Spark plugin. */
public sealed interface PluginJar {
  /** Name of the jar in the plugin's own image. */
  String FILE = "numaspark-spark-plugin.jar";

  /** Where the plugin's own image is mounted. */
  String FOLDER = "/opt/numaspark-plugin";

  /** Path of the jar in the containers. */
  String path();

  /** The image of driver and executors brings the jar. */
  record InImage(String path) implements PluginJar {}

  /**
   * The jar is mounted from an image of its own, as a volume: no init container, no copy, and the
   * kubelet keeps it as it keeps images.
   *
   * @param pullPolicy Kubernetes' word; empty for its default
   */
  record InVolume(String image, Optional<String> pullPolicy) implements PluginJar {
    @Override
    public String path() {
      return FOLDER + "/" + FILE;
    }
  }
}
