package io.numaspark.cli;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.CpuModel;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.planner.sysfs.NodeReading;
import io.numaspark.planner.sysfs.SysfsTopologyReader;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.HugepageSize;
import io.numaspark.planner.topology.NumaNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
    SparkNodeTopology topology = new SparkNodeTopology();
    topology.setMetadata(
        new ObjectMetaBuilder().withName(node == null ? hostName() : node).build());
    topology.setSpec(
        new SparkNodeTopologySpec(
            new CpuModel(
                reading.cpu().vendor(),
                reading.cpu().family(),
                reading.cpu().model(),
                reading.cpu().smtControl(),
                null),
            reading.topology().numaNodes().stream().map(TopologyCommand::numaNode).toList(),
            kubelet()));
    spec.commandLine().getOut().print(format.print(topology));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private KubeletSpec kubelet() {
    Optional<Path> file =
        Optional.ofNullable(kubeletConfig).or(() -> KubeletConfigReader.find(root));
    if (file.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              "numaspark: no kubelet configuration found in "
                  + String.join(", ", KubeletConfigReader.USUAL_PLACES)
                  + " below "
                  + root
                  + "; name it with --kubelet-config, or fill in spec.kubelet by hand");
      return null;
    }
    return KubeletConfigReader.read(file.get());
  }

  /** A NUMA node as the custom resource has it. */
  static NumaNodeSpec numaNode(NumaNode numaNode) {
    return new NumaNodeSpec(
        numaNode.id(),
        numaNode.socket(),
        numaNode.memoryBytes(),
        hugepages(numaNode),
        numaNode.distances(),
        numaNode.cores().stream().map(core -> core.threads().toString()).toList(),
        caches(numaNode));
  }

  private static Map<String, Long> hugepages(NumaNode numaNode) {
    Map<String, Long> pages = new TreeMap<>();
    numaNode
        .hugepageBytesBySize()
        .forEach((size, bytes) -> pages.put(size, bytes / HugepageSize.bytes(size)));
    return pages.isEmpty() ? null : pages;
  }

  private static List<String> caches(NumaNode numaNode) {
    return numaNode.caches().isEmpty()
        ? null
        : numaNode.caches().stream().map(CpuSet::toString).toList();
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
