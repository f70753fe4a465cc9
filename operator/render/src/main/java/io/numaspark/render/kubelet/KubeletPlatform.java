package io.numaspark.render.kubelet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.render.text.MemorySize;
import io.numaspark.render.text.PlainYaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ways in which platforms take kubelet settings.
 *
 * <p>Limit: only {@link #KUBELET_DROP_IN} is proven with a kubelet; docs/kubelet-settings.md says
 * what each of the others rests on.
 */
public enum KubeletPlatform {
  /** A file for the kubelet's --config-dir. */
  KUBELET_DROP_IN("kubelet-drop-in") {
    @Override
    Map<String, Object> document(KubeletRecommendation settings, String name) {
      return kubeletConfiguration(settings);
    }

    @Override
    String howTo(KubeletRecommendation settings, String name) {
      return """
      Save it as 90-numaspark.conf in the folder that the kubelet's flag --config-dir names, for example
      /etc/kubernetes/kubelet.conf.d. Lists replace those of the main file, maps are merged into them.
      """
          + DRAIN;
    }
  },

  /** A patch for kubeadm init, join and upgrade. */
  KUBEADM("kubeadm") {
    @Override
    Map<String, Object> document(KubeletRecommendation settings, String name) {
      return kubeletConfiguration(settings);
    }

    @Override
    String howTo(KubeletRecommendation settings, String name) {
      return """
      Save it as kubeletconfiguration+merge.yaml in a folder, and give the folder to kubeadm with --patches for
      join or upgrade node; it changes /var/lib/kubelet/config.yaml of that node alone.
      """
          + DRAIN;
    }
  },

  /** The nodeadm configuration of Amazon Linux 2023. */
  EKS("eks") {
    @Override
    Map<String, Object> document(KubeletRecommendation settings, String name) {
      Map<String, Object> config = KubeletFields.of(settings);
      // nodeadm sets both (/system and /runtime), and a kubelet with reservedSystemCPUs refuses
      // them.
      config.put("systemReservedCgroup", "");
      config.put("kubeReservedCgroup", "");
      Map<String, Object> document = head("node.eks.aws/v1alpha1", "NodeConfig");
      document.put("spec", Map.of("kubelet", Map.of("config", config)));
      return document;
    }

    @Override
    String howTo(KubeletRecommendation settings, String name) {
      SystemReserve reserve = settings.reserve();
      return """
      User data of Amazon Linux 2023, a part of type application/node.eks.aws; nodeadm makes a
      drop-in of the kubelet from it. New nodes start with it: replace the old ones, no state file is left.
      Karpenter: put it in spec.userData of the EC2NodeClass, and repeat for Karpenter what it cannot see there:
        spec.kubelet: {kubeReserved: {memory: %s}, systemReserved: {cpu: "%d", memory: %s},
                       evictionHard: {memory.available: %s}}
      The instance type must be the one of the nodes below: reserved CPUs are numbers of that machine.
      """
          .formatted(
              MemorySize.toQuantity(reserve.kubeBytes()),
              settings.reservedCpus().size(),
              MemorySize.toQuantity(reserve.systemBytes()),
              MemorySize.toQuantity(reserve.evictionBytes()));
    }
  },

  /** The node system configuration of GKE. */
  GKE("gke") {
    @Override
    Map<String, Object> document(KubeletRecommendation settings, String name) {
      Map<String, Object> topologyManager = new LinkedHashMap<>();
      topologyManager.put("policy", "single-numa-node");
      topologyManager.put("scope", "pod");
      Map<String, Object> config = new LinkedHashMap<>();
      config.put("cpuManagerPolicy", "static");
      config.put("topologyManager", topologyManager);
      config.put("memoryManager", Map.of("policy", "static"));
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("kubeletConfig", config);
      return document;
    }

    @Override
    String howTo(KubeletRecommendation settings, String name) {
      return """
      gcloud container node-pools create|update … --system-config-from-file=FILE
      GKE has no setting for the rest: cpuManagerPolicyOptions (%s), reservedSystemCPUs (%s) and
      reservedMemory. It reserves CPUs and memory itself. Without full-pcpus-only give every other pinned pod of
      the pool whole cores too. Read a node with `numaspark topology` afterwards and judge it with `numaspark doctor`.
      """
          .formatted(
              settings.cpuManagerPolicyOptions().isEmpty()
                  ? "none here"
                  : String.join(", ", settings.cpuManagerPolicyOptions().keySet()),
              settings.reservedCpus());
    }
  },

  /** The PerformanceProfile of the Node Tuning Operator. */
  OPENSHIFT("openshift") {
    @Override
    Map<String, Object> document(KubeletRecommendation settings, String name) {
      Map<String, Object> snippet = new LinkedHashMap<>();
      snippet.put("topologyManagerScope", "pod");
      Map<String, String> options = new LinkedHashMap<>(settings.cpuManagerPolicyOptions());
      // The operator switches it on with single-numa-node unless it is named.
      options.putIfAbsent(KubeletSettings.FULL_PCPUS_ONLY, "false");
      boolean align = options.remove(KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE) != null;
      snippet.put("cpuManagerPolicyOptions", options);
      if (!settings.topologyManagerPolicyOptions().isEmpty()) {
        snippet.put("topologyManagerPolicyOptions", settings.topologyManagerPolicyOptions());
      }
      snippet.putAll(KubeletFields.memory(settings));
      Map<String, Object> annotations = new LinkedHashMap<>();
      annotations.put("kubeletconfig.experimental", json(snippet));
      if (align) {
        annotations.put("kubeletconfig.prefer-align-cpus-by-uncorecache", "true");
      }
      Map<String, Object> metadata = new LinkedHashMap<>();
      metadata.put("name", name);
      metadata.put("annotations", annotations);
      Map<String, Object> cpu = new LinkedHashMap<>();
      cpu.put("reserved", settings.reservedCpus().toString());
      cpu.put("isolated", settings.isolatedCpus().toString());
      Map<String, Object> spec = new LinkedHashMap<>();
      spec.put("cpu", cpu);
      spec.put("numa", Map.of("topologyPolicy", "single-numa-node"));
      spec.put("nodeSelector", Map.of("node-role.kubernetes.io/worker-" + name, ""));
      Map<String, Object> document = head("performance.openshift.io/v2", "PerformanceProfile");
      document.put("metadata", metadata);
      document.put("spec", spec);
      return document;
    }

    @Override
    String howTo(KubeletRecommendation settings, String name) {
      return """
      Needs a MachineConfigPool worker-%s of these nodes. The Node Tuning Operator drains and reboots them.
      It also sets what numaspark does not need: transparent huge pages off by kernel argument (bad for large
      heaps: add transparent_hugepage=madvise to spec.additionalKernelArgs, and see which one the node boots with),
      CPU isolation for interrupts, and cpuManagerReconcilePeriod 5s.
      """
          .formatted(name);
    }
  },

  /** A patch of a Talos machine configuration. */
  TALOS("talos") {
    @Override
    Map<String, Object> document(KubeletRecommendation settings, String name) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("machine", Map.of("kubelet", Map.of("extraConfig", KubeletFields.of(settings))));
      return document;
    }

    @Override
    String howTo(KubeletRecommendation settings, String name) {
      return """
      talosctl patch machineconfig --nodes NODE --patch @FILE
      Drain the node first. The kubelet does not start while cpu_manager_state and memory_manager_state below
      /var/lib/kubelet are those of other settings: remove them from a privileged pod before the patch, or give
      the node its settings when it is installed.
      """;
    }
  };

  private static final String DRAIN =
      """
      To apply it on a node:
        kubectl drain NODE --ignore-daemonsets --delete-emptydir-data
        systemctl stop kubelet
        rm -f /var/lib/kubelet/cpu_manager_state /var/lib/kubelet/memory_manager_state
        systemctl start kubelet
        kubectl uncordon NODE
      and then renew its topology: numaspark topology | kubectl apply -f -
      The kubelet must not have systemReservedCgroup or kubeReservedCgroup: they exclude reservedSystemCPUs.
      """;

  private static final int WIDTH = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String id;

  KubeletPlatform(String id) {
    this.id = id;
  }

  /** The name that the command line knows it by. */
  public String id() {
    return id;
  }

  /**
   * A document of the platform, below a comment that says how to apply it and to which nodes.
   *
   * @param name of the object, where the document is one of an API server
   */
  public String text(KubeletRecommendation settings, List<String> nodes, String name) {
    StringBuilder text = new StringBuilder();
    comment(text, "Settings by numaspark kubelet-config --for " + id + ".");
    howTo(settings, name).lines().forEach(line -> comment(text, line));
    StringBuilder line = new StringBuilder(nodes.size() == 1 ? "For node:" : "For nodes:");
    for (String node : nodes) {
      if (line.length() + node.length() >= WIDTH) {
        comment(text, line.toString());
        line.setLength(0);
      }
      line.append(' ').append(node);
    }
    comment(text, line.toString());
    return text + PlainYaml.of(document(settings, name));
  }

  abstract Map<String, Object> document(KubeletRecommendation settings, String name);

  abstract String howTo(KubeletRecommendation settings, String name);

  private static void comment(StringBuilder text, String line) {
    text.append(("# " + line).stripTrailing()).append('\n');
  }

  private static Map<String, Object> kubeletConfiguration(KubeletRecommendation settings) {
    Map<String, Object> document = head("kubelet.config.k8s.io/v1beta1", "KubeletConfiguration");
    document.putAll(KubeletFields.of(settings));
    return document;
  }

  private static Map<String, Object> head(String apiVersion, String kind) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("apiVersion", apiVersion);
    document.put("kind", kind);
    return document;
  }

  private static String json(Map<String, Object> value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of texts can always be written", e);
    }
  }
}
