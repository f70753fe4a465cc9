package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.conf.SparkProperties;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What rendering an application came to. */
public sealed interface RenderResult {

  /**
   * Everything that runs an attempt of the application; the driver pod is to be created last.
   *
   * @param others further objects, to be created in this order before the driver pod
   * @param executors what the driver will ask for
   * @param properties the driver's Spark properties
   * @param webUi where the driver's web UI is reached while it runs; empty if it has none
   * @param tuning those of them that follow from the kind of work, with their reasons
   * @param warnings fields that have no effect and what could be better, one sentence each with the
   *     field and the remedy
   */
  record Manifests(
      Service driverService,
      ConfigMap configuration,
      List<HasMetadata> others,
      Pod driverPod,
      ExecutorRequest executors,
      SparkProperties properties,
      Optional<WebUi> webUi,
      List<SparkProperty> tuning,
      List<String> warnings)
      implements RenderResult {

    /** The driver's Spark properties as Spark reads them. */
    public SortedMap<String, String> sparkConf() {
      return properties.asMap();
    }
  }

  /**
   * The application contradicts itself or its profile; nothing is created.
   *
   * @param reason CamelCase, for conditions
   * @param message names the field, what is wrong and the remedy
   */
  record Refusal(String reason, String message) implements RenderResult, Preparation {
    public Refusal(RefusalReason reason, String message) {
      this(reason.displayName(), message);
    }
  }
}
