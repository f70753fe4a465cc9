package io.numaspark.cli;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.text.InputException;
import io.numaspark.planner.sysfs.NodeReading;
import io.numaspark.planner.sysfs.SysfsTopologyReader;
import io.numaspark.render.kubelet.KubeletConfigReader;
import io.numaspark.render.topology.TopologyDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the SparkNodeTopology of the machine at hand, or of a copy of its /sys. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    description = "Prints the SparkNodeTopology of this machine, ready for kubectl apply -f -.",
    footer = {
      "",
      "Examples:",
      "  numaspark topology --node worker-7 | kubectl apply -f -",
      "  numaspark topology --sysfs /tmp/copy --kubelet-config kubelet.yaml --node worker-7",
    })
final class TopologyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--sysfs",
      paramLabel = "DIR",
      defaultValue = "/",
      description = "Root of a tree with sys/ and proc/ in it (default: ${DEFAULT-VALUE}).")
  private Path root;

  @Option(
      names = "--kubelet-config",
      paramLabel = "FILE",
      description =
          "The kubelet's configuration file (default: the first of the usual places below --sysfs).")
  private Path kubeletConfig;

  @Option(
      names = "--kubelet-config-dir",
      paramLabel = "DIR",
      description =
          "The kubelet's --config-dir, whose *.conf files are merged into its configuration (default:"
              + " etc/kubernetes/kubelet.conf.d below --sysfs, if it is there).")
  private Path kubeletConfigDir;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "Name of the Kubernetes node (default: the host name).")
  private String node;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "yaml",
      description = "yaml or json (default: ${DEFAULT-VALUE}).")
  private OutputFormat format;

  @Override
  public Integer call() {
    NodeReading reading;
    try {
      reading = SysfsTopologyReader.read(root);
    } catch (IOException e) {
      throw new InputException(e.getMessage(), e);
    }
    if (!reading.offlineCpus().isEmpty()) {
      note(
          "CPUs "
              + reading.offlineCpus()
              + " are offline and left out; read the machine again when they are back");
    }
    if (!reading.unplacedCpus().isEmpty()) {
      note(
          "CPUs "
              + reading.unplacedCpus()
              + " are in no NUMA node and left out, as the kubelet leaves them out; bring their NUMA node online");
    }
    SparkNodeTopology topology = new SparkNodeTopology();
    topology.setMetadata(
        new ObjectMetaBuilder().withName(node == null ? hostName() : node).build());
    topology.setSpec(TopologyDocument.spec(reading, kubelet()));
    spec.commandLine().getOut().print(format.print(topology));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private KubeletSpec kubelet() {
    Optional<Path> file =
        Optional.ofNullable(kubeletConfig).or(() -> KubeletConfigReader.find(root));
    if (file.isEmpty()) {
      note(
          "no kubelet configuration found in "
              + String.join(", ", KubeletConfigReader.USUAL_PLACES)
              + " below "
              + root
              + "; name it with --kubelet-config, or fill in spec.kubelet by hand");
      return null;
    }
    try {
      return KubeletConfigReader.read(file.get(), dropIns());
    } catch (IllegalArgumentException | IOException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private Optional<Path> dropIns() {
    if (kubeletConfigDir != null && !Files.isDirectory(kubeletConfigDir)) {
      throw new InputException(
          kubeletConfigDir + ": there is no such folder; check --kubelet-config-dir");
    }
    if (kubeletConfigDir != null) {
      return Optional.of(kubeletConfigDir);
    }
    // The kubelet has no default for --config-dir, so that they count is a guess, which is told.
    Optional<Path> usual = KubeletConfigReader.findDropIns(root);
    usual.ifPresent(
        folder ->
            note(
                "the drop-ins in "
                    + folder
                    + " are merged into the kubelet's configuration, as if it had --config-dir "
                    + folder
                    + "; name another folder with --kubelet-config-dir"));
    return usual;
  }

  private void note(String text) {
    spec.commandLine().getErr().println("numaspark: " + text);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new InputException(
          "this machine's host name is not known: name the node with --node", e);
    }
  }
}
