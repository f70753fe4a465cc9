package io.numaspark.agent.kubelet;

import io.numaspark.planner.topology.CpuSet;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Decodes the answers of the kubelet's PodResources API, version v1.
 *
 * <p>Field numbers are those of k8s.io/kubelet v0.36.3, pkg/apis/podresources/v1/api.proto. Limit:
 * devices and dynamic resources are skipped.
 */
final class PodResourcesDecoder {
  /** Four times what a status may list; each takes up to 1 KiB here. */
  private static final int MOST_CONTAINERS = 4096;

  private PodResourcesDecoder() {}

  /** Reads a ListPodResourcesResponse: its containers with CPUs or memory of their own. */
  static List<PodResources> list(byte[] response) throws ProtocolException {
    List<PodResources> containers = new ArrayList<>();
    ProtoReader reader = new ProtoReader(response);
    while (reader.next()) {
      if (reader.field() == 1) { // pod_resources
        pod(reader.message(), containers);
      } else {
        reader.skip();
      }
    }
    containers.sort(
        Comparator.comparing(PodResources::namespace)
            .thenComparing(PodResources::pod)
            .thenComparing(PodResources::container));
    return List.copyOf(containers);
  }

  /** Reads the cpu_ids of an AllocatableResourcesResponse. */
  static CpuSet allocatableCpus(byte[] response) throws ProtocolException {
    Ids cpus = new Ids();
    ProtoReader reader = new ProtoReader(response);
    while (reader.next()) {
      if (reader.field() == 2) { // cpu_ids
        reader.numbers(cpus::add);
      } else {
        reader.skip();
      }
    }
    return cpus.set();
  }

  private static void pod(ProtoReader reader, List<PodResources> to) throws ProtocolException {
    String name = "";
    String namespace = "";
    List<Container> containers = new ArrayList<>();
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> name = reader.text();
        case 2 -> namespace = reader.text();
        case 3 -> {
          Container container = container(reader.message());
          if (!container.cpus.isEmpty() || !container.memoryNodes.isEmpty()) {
            containers.add(container);
            requireFew(to.size() + containers.size());
          }
        }
        default -> reader.skip();
      }
    }
    for (Container container : containers) {
      to.add(
          new PodResources(namespace, name, container.name, container.cpus, container.memoryNodes));
    }
  }

  private static void requireFew(int containers) throws ProtocolException {
    if (containers > MOST_CONTAINERS) {
      throw new ProtocolException(
          "the kubelet's answer has more than "
              + MOST_CONTAINERS
              + " containers with CPUs or memory of their own");
    }
  }

  private record Container(String name, CpuSet cpus, CpuSet memoryNodes) {}

  private static Container container(ProtoReader reader) throws ProtocolException {
    String name = "";
    Ids cpus = new Ids();
    Ids memoryNodes = new Ids();
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> name = reader.text();
        case 3 -> reader.numbers(cpus::add);
        case 4 -> memory(reader.message(), memoryNodes);
        default -> reader.skip();
      }
    }
    return new Container(name, cpus.set(), memoryNodes.set());
  }

  /** Reads a ContainerMemory: of memory or of huge pages of one size. */
  private static void memory(ProtoReader reader, Ids nodes) throws ProtocolException {
    while (reader.next()) {
      if (reader.field() == 3) { // topology
        topology(reader.message(), nodes);
      } else {
        reader.skip();
      }
    }
  }

  private static void topology(ProtoReader reader, Ids nodes) throws ProtocolException {
    while (reader.next()) {
      if (reader.field() == 1) { // nodes
        numaNode(reader.message(), nodes);
      } else {
        reader.skip();
      }
    }
  }

  /** Reads a NUMANode, whose id 0 is the default of proto3 and therefore not in the message. */
  private static void numaNode(ProtoReader reader, Ids nodes) throws ProtocolException {
    long id = 0;
    while (reader.next()) {
      if (reader.field() == 1) {
        id = reader.number();
      } else {
        reader.skip();
      }
    }
    nodes.add(id);
  }

  private static final class Ids {
    private final BitSet ids = new BitSet();
    private Long impossible;

    void add(long id) {
      if (id >= 0 && id <= CpuSet.MAX_ID) {
        ids.set((int) id);
      } else {
        impossible = id;
      }
    }

    CpuSet set() throws ProtocolException {
      if (impossible != null) {
        throw new ProtocolException(
            "the kubelet's answer has the id " + impossible + ", outside of 0-" + CpuSet.MAX_ID);
      }
      return CpuSet.of(ids.stream());
    }
  }
}
