package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.render.Labels;
import java.util.Objects;
import java.util.function.Function;

/**
 * The end of a driver's log.
 *
 * <p>A container's termination message holds 2 KiB, which the frames of one stack trace fill; so
 * the log is read.
 */
public final class DriverLog implements Function<Pod, String> {
  private static final int LINES = 300;

  private final KubernetesClient client;

  public DriverLog(KubernetesClient client) {
    this.client = client;
  }

  /** The last {@value #LINES} lines; empty if the log is gone or may not be read. */
  @Override
  public String apply(Pod driver) {
    try {
      return Objects.requireNonNullElse(
          client
              .pods()
              .resource(driver)
              .inContainer(Labels.DRIVER_CONTAINER)
              .tailingLines(LINES)
              .getLog(),
          "");
    } catch (KubernetesClientException e) {
      return "";
    }
  }
}
