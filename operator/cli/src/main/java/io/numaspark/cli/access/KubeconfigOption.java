package io.numaspark.cli.access;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.cli.text.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of kubectl that say how to reach a cluster. */
public final class KubeconfigOption {
  private static final int TIMEOUT_MILLIS = 10_000;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "File with clusters and credentials (default: KUBECONFIG, else ~/.kube/config).")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of that file (default: the current one).")
  private String context;

  /**
   * Reads the configuration; nothing is asked of the cluster yet.
   *
   * @throws InputException if the file is missing
   */
  public ConfigBuilder config() {
    if (kubeconfig != null) {
      if (!Files.isReadable(kubeconfig)) {
        throw new InputException("--kubeconfig " + kubeconfig + ": there is no such file");
      }
      System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, kubeconfig.toString());
    }
    return new ConfigBuilder(Config.autoConfigure(context))
        .withRequestTimeout(TIMEOUT_MILLIS)
        .withConnectionTimeout(TIMEOUT_MILLIS)
        .withRequestRetryBackoffLimit(0);
  }
}
