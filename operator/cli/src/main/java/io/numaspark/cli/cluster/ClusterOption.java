package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.cli.text.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of kubectl that say which cluster is meant, and how to reach it. */
final class ClusterOption {
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

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace (default: that of the context).")
  private String namespace;

  /**
   * Reads the configuration; nothing is asked of the cluster yet.
   *
   * @throws InputException if the file is missing
   */
  Cluster open() {
    if (kubeconfig != null) {
      if (!Files.isReadable(kubeconfig)) {
        throw new InputException("--kubeconfig " + kubeconfig + ": there is no such file");
      }
      System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, kubeconfig.toString());
    }
    ConfigBuilder config =
        new ConfigBuilder(Config.autoConfigure(context))
            .withRequestTimeout(TIMEOUT_MILLIS)
            .withConnectionTimeout(TIMEOUT_MILLIS)
            .withRequestRetryBackoffLimit(0);
    if (namespace != null) {
      config.withNamespace(namespace);
    }
    return new Cluster(config.build());
  }
}
