package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.cli.access.KubeconfigOption;
import io.numaspark.cli.text.InputException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of kubectl that say which cluster is meant, and how to reach it. */
final class ClusterOption {
  @Mixin private KubeconfigOption kubeconfig = new KubeconfigOption();

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
    ConfigBuilder config = kubeconfig.config();
    if (namespace != null) {
      config.withNamespace(namespace);
    }
    return new Cluster(config.build());
  }
}
