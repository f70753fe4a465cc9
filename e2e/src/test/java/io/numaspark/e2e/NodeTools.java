package io.numaspark.e2e;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The NUMA node of the lab as lscpu and numactl see it: programs of others, which read the same
 * kernel by code of their own.
 */
final class NodeTools {
  static final String NODE = "numa-0";

  private NodeTools() {}

  /** What `numactl -H` says of one NUMA node. */
  record NumaNode(List<Integer> cpus, long mebibytes, List<Integer> distances) {}

  /** Runs a script in a shell of the node. */
  static String run(String script) {
    return Lab.nodeExec(NODE, script).orFail().out().strip();
  }

  /** Whether the node's kubelet leaves the pinning to the container runtime. */
  static boolean isPinnedByRuntime() {
    return Lab.get("sparknodetopologies.numaspark.io", NODE)
        .at("/spec/kubelet/cpuManagerPolicy")
        .asText()
        .equals("none");
  }

  /** CPUs by core by NUMA node, from `lscpu -p`. */
  static Map<Integer, List<List<Integer>>> coresByNumaNode() {
    Map<Integer, Map<String, TreeSet<Integer>>> cores = new TreeMap<>();
    run("lscpu -p=NODE,SOCKET,CORE,CPU")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(","))
        .forEach(
            fields ->
                cores
                    .computeIfAbsent(Integer.valueOf(fields[0]), node -> new LinkedHashMap<>())
                    .computeIfAbsent(fields[1] + "/" + fields[2], core -> new TreeSet<>())
                    .add(Integer.valueOf(fields[3])));
    Map<Integer, List<List<Integer>>> byNode = new TreeMap<>();
    cores.forEach(
        (node, byCore) ->
            byNode.put(
                node,
                byCore.values().stream()
                    .map(threads -> List.copyOf(new ArrayList<>(threads)))
                    .collect(Collectors.toList())));
    return byNode;
  }

  /** The NUMA nodes of `numactl -H`, by id. */
  static Map<Integer, NumaNode> numactl() {
    Map<Integer, List<Integer>> cpus = new TreeMap<>();
    Map<Integer, Long> sizes = new TreeMap<>();
    Map<Integer, List<Integer>> distances = new TreeMap<>();
    for (String line : run("numactl -H").lines().toList()) {
      String[] words = line.strip().split("[: ]+");
      if (line.matches("node \\d+ cpus:.*")) {
        cpus.put(Integer.valueOf(words[1]), numbers(words, 3));
      } else if (line.matches("node \\d+ size:.*")) {
        sizes.put(Integer.valueOf(words[1]), Long.valueOf(words[3]));
      } else if (line.matches("\\s*\\d+:.*")) {
        distances.put(Integer.valueOf(words[0]), numbers(words, 1));
      }
    }
    Map<Integer, NumaNode> nodes = new TreeMap<>();
    cpus.forEach((id, list) -> nodes.put(id, new NumaNode(list, sizes.get(id), distances.get(id))));
    return nodes;
  }

  private static List<Integer> numbers(String[] words, int from) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = from; i < words.length; i++) {
      numbers.add(Integer.valueOf(words[i]));
    }
    return numbers;
  }
}
