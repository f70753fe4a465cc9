package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.render.Labels;
import java.util.Objects;
import java.util.function.Function;

/**
 * The end of a driver's log.
 *
 * <p>A container's termination message holds 2 KiB, which the frames of one stack trace fill; so
 * the log is read.
 *
 * <p>Limit: it is asked for once and for a few seconds. The API server gets it from the kubelet,
 * which does not answer if the driver has failed with its node; the client's own ten tries take a
 * minute, during which a worker would wait.
 */
public final class DriverLog implements Function<Pod, String> {
  private static final int LINES = 300;
  private static final int TIMEOUT_MILLIS = 3000;

  private final KubernetesClient client;

  /**
   * A reader of logs.
   *
   * @param config how to reach the API server; timeout and tries are our own
   */
  public DriverLog(Config config) {
    this.client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(config)
                    .withRequestTimeout(TIMEOUT_MILLIS)
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  /** The last {@value #LINES} lines; empty if the log is gone or cannot be had now. */
  @Override
  public String apply(Pod driver) {
    try {
      // Not pods().getLog(): that lists and watches the pod first, to wait until it is ready.
      return Objects.requireNonNullElse(
          client.raw(
              "/api/v1/namespaces/%s/pods/%s/log?container=%s&tailLines=%d"
                  .formatted(
                      driver.getMetadata().getNamespace(),
                      driver.getMetadata().getName(),
                      Labels.DRIVER_CONTAINER,
                      LINES)),
          "");
    } catch (KubernetesClientException e) {
      return "";
    }
  }
}
