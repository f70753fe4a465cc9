package io.numaspark.planner.admission;

import static io.numaspark.planner.admission.MemoryCell.MEMORY;

import io.numaspark.planner.topology.KubeletSettings.MemoryManager;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The Memory Manager with policy Static (memorymanager/policy_static.go).
 *
 * <p>Limit: it keeps the kubelet's books, which know nothing of the memory that Burstable pods and
 * the page cache use.
 */
final class StaticMemoryManager implements HintProvider {
  private final SortedMap<Integer, MemoryCell> cells = new TreeMap<>();
  private final int[] numaIds;

  /** Blocks of each container of each pod, in the order of allocation. */
  private final Map<String, Map<String, List<Block>>> assigned = new HashMap<>();

  /** What init containers of the pod that is being admitted leave, by mask and resource. */
  private final Map<Long, Map<String, Long>> reusable = new HashMap<>();

  /** Memory of one resource on a group of NUMA nodes. */
  private static final class Block {
    private final long mask;
    private final String resource;
    private long size;

    Block(long mask, String resource, long size) {
      this.mask = mask;
      this.resource = resource;
      this.size = size;
    }
  }

  /** Allocatable = MemTotal less reserved memory and huge pages (getDefaultMachineState). */
  StaticMemoryManager(NodeTopology topology, MemoryManager settings) {
    for (NumaNode node : topology.numaNodes()) {
      MemoryCell cell = new MemoryCell(node.id());
      Map<String, Long> reservedPages =
          settings.reservedHugepageBytes().getOrDefault(node.id(), Map.of());
      node.hugepageBytesBySize()
          .forEach(
              (size, bytes) ->
                  cell.add("hugepages-" + size, bytes - reservedPages.getOrDefault(size, 0L)));
      cell.add(
          MEMORY,
          node.memoryBytes()
              - settings.reservedBytes().getOrDefault(node.id(), 0L)
              - node.hugepageBytes());
      cells.put(node.id(), cell);
    }
    numaIds = cells.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Forgets what init containers of the pod before left over. */
  void beginPod() {
    reusable.clear();
  }

  @Override
  public List<List<Hint>> hints(ContainerRequest container) {
    try {
      return hints(MemoryRequests.of(container));
    } catch (AdmissionFailure e) {
      return List.of();
    }
  }

  @Override
  public List<List<Hint>> podHints(PodRequest pod) {
    try {
      SortedMap<String, Long> requests = MemoryRequests.of(pod);
      return requests.isEmpty() ? List.of() : hints(requests);
    } catch (AdmissionFailure e) {
      return List.of();
    }
  }

  private List<List<Hint>> hints(SortedMap<String, Long> requests) {
    List<Hint> fitting = fitting(requests);
    if (fitting.isEmpty()) {
      // No list at all: the Topology Manager takes it for "no preference" (calculateHints).
      return List.of();
    }
    return requests.keySet().stream().map(resource -> fitting).toList();
  }

  /** The groups of NUMA nodes with enough of every resource; the same for all of them. */
  private List<Hint> fitting(SortedMap<String, Long> requests) {
    List<Long> masks = new ArrayList<>();
    int[] smallest = {numaIds.length};
    Hint.forEachMask(
        numaIds,
        mask -> {
          if (!covers(requests, resource -> sum(mask, resource, false))) {
            return;
          }
          smallest[0] = Math.min(smallest[0], Long.bitCount(mask));
          if (isUsable(mask)
              && covers(
                  requests, resource -> sum(mask, resource, true) + reusable(mask, resource))) {
            masks.add(mask);
          }
        });
    return masks.stream().map(mask -> Hint.of(mask, Long.bitCount(mask) == smallest[0])).toList();
  }

  private static boolean covers(SortedMap<String, Long> requests, ToLongFunction<String> amount) {
    return requests.entrySet().stream()
        .noneMatch(
            request ->
                Long.compareUnsigned(amount.applyAsLong(request.getKey()), request.getValue()) < 0);
  }

  private long sum(long mask, String resource, boolean free) {
    long sum = 0;
    for (int id : numaIds) {
      if ((mask & Hint.bit(id)) != 0) {
        MemoryCell cell = cells.get(id);
        sum += free ? cell.free(resource) : cell.allocatable(resource);
      }
    }
    return sum;
  }

  /** A NUMA node serves either containers of its own or those of one group. */
  private boolean isUsable(long mask) {
    if (Long.bitCount(mask) == 1) {
      return !cells.get(Long.numberOfTrailingZeros(mask)).isInGroup();
    }
    return !violatesGroups(mask);
  }

  private boolean violatesGroups(long mask) {
    if (Long.bitCount(mask) == 1) {
      return false;
    }
    for (int id : numaIds) {
      MemoryCell cell = cells.get(id);
      if ((mask & Hint.bit(id)) != 0
          && cell.isAssigned()
          && (!cell.isInGroup() || cell.group() != mask)) {
        return true;
      }
    }
    return false;
  }

  private long reusable(long mask, String resource) {
    return reusable.getOrDefault(mask, Map.of()).getOrDefault(resource, 0L);
  }

  @Override
  public void allocate(PodRequest pod, ContainerRequest container, Hint affinity)
      throws AdmissionFailure {
    SortedMap<String, Long> requests = MemoryRequests.of(container);
    long mask = mask(requests, affinity);
    List<Block> blocks = new ArrayList<>();
    requests.forEach(
        (resource, size) -> {
          blocks.add(new Block(mask, resource, size));
          long reused = reusable(mask, resource);
          assign(mask, resource, Long.compareUnsigned(reused, size) >= 0 ? 0 : size - reused);
        });
    updateReusable(container, blocks);
    Map<String, List<Block>> ofPod =
        assigned.computeIfAbsent(pod.name(), name -> new LinkedHashMap<>());
    ofPod.put(container.name(), blocks);
    shrinkInitBlocks(pod, container, ofPod);
  }

  /** The group for a container: the affinity, or a larger group if that is too small. */
  private long mask(SortedMap<String, Long> requests, Hint affinity) throws AdmissionFailure {
    Hint best = affinity;
    if (best.mask().isEmpty()) {
      best =
          preferred(
              affinity,
              fitting(requests),
              "failed to get the default NUMA affinity, no NUMA nodes with enough memory is available",
              "failed to find the default preferred hint");
    }
    long mask = best.mask().getAsLong();
    if (!covers(requests, resource -> sum(mask, resource, true))) {
      best =
          preferred(
              best,
              fitting(requests).stream()
                  .filter(hint -> (hint.mask().getAsLong() & mask) == mask)
                  .toList(),
              "failed to find NUMA nodes to extend the current topology hint",
              "failed to find the extended preferred hint");
    }
    if (violatesGroups(best.mask().getAsLong())) {
      throw AdmissionFailure.unexpected(
          "[memorymanager] preferred hint violates NUMA node allocation");
    }
    return best.mask().getAsLong();
  }

  /** The best of some hints (findBestHint); none less preferred than what it replaces. */
  private static Hint preferred(Hint replaced, List<Hint> hints, String none, String worse)
      throws AdmissionFailure {
    Hint best = null;
    for (Hint hint : hints) {
      if (best == null
          || hint.preferred() && !best.preferred()
          || hint.preferred() == best.preferred()
              && Hint.isNarrower(hint.mask().getAsLong(), best.mask().getAsLong())) {
        best = hint;
      }
    }
    if (best == null) {
      throw AdmissionFailure.unexpected("[memorymanager] " + none);
    }
    if (!best.preferred() && replaced.preferred()) {
      throw AdmissionFailure.unexpected("[memorymanager] " + worse);
    }
    return best;
  }

  /** From the lowest NUMA node of the group on (updateMachineState). */
  private void assign(long mask, String resource, long size) {
    long missing = size;
    for (int id : numaIds) {
      if ((mask & Hint.bit(id)) != 0) {
        missing = cells.get(id).assign(mask, resource, missing);
      }
    }
  }

  /** updatePodReusableMemory. */
  private void updateReusable(ContainerRequest container, List<Block> blocks) {
    for (Block block : blocks) {
      if (container.role() == ContainerRequest.Role.INIT) {
        reusable
            .computeIfAbsent(block.mask, mask -> new HashMap<>())
            .merge(block.resource, block.size, StaticMemoryManager::maxUnsigned);
      } else if (reusable(block.mask, block.resource) != 0) {
        long left = reusable(block.mask, block.resource);
        reusable
            .get(block.mask)
            .put(
                block.resource,
                Long.compareUnsigned(block.size, left) >= 0 ? 0 : left - block.size);
      }
    }
  }

  private static long maxUnsigned(long one, long other) {
    return Long.compareUnsigned(one, other) >= 0 ? one : other;
  }

  /**
   * What a container takes over from init containers before it is no longer on their account
   * (updateInitContainersMemoryBlocks).
   */
  private static void shrinkInitBlocks(
      PodRequest pod, ContainerRequest container, Map<String, List<Block>> ofPod) {
    for (Block own : ofPod.get(container.name())) {
      long left = own.size;
      for (ContainerRequest init : pod.containers()) {
        if (init.role() == ContainerRequest.Role.APP || init == container || left == 0) {
          break;
        }
        if (init.role() == ContainerRequest.Role.SIDECAR) {
          continue;
        }
        for (Block block : ofPod.getOrDefault(init.name(), List.of())) {
          if (block.mask == own.mask && block.resource.equals(own.resource)) {
            long moved = Long.compareUnsigned(block.size, left) > 0 ? left : block.size;
            block.size -= moved;
            left -= moved;
          }
        }
      }
    }
  }

  @Override
  public void remove(String pod) {
    assigned.getOrDefault(pod, Map.of()).values().stream()
        .flatMap(List::stream)
        .forEach(
            block -> {
              long size = block.size;
              for (int id : numaIds) {
                if ((block.mask & Hint.bit(id)) != 0) {
                  size = cells.get(id).release(block.resource, size);
                }
              }
            });
    assigned.remove(pod);
  }

  long freeBytes(int numaNode) {
    return cells.get(numaNode).free(MEMORY);
  }

  @Override
  public SortedSet<Integer> numaNodes(String pod) {
    SortedSet<Integer> ids = new TreeSet<>();
    for (List<Block> blocks : assigned.getOrDefault(pod, Map.of()).values()) {
      for (Block block : blocks) {
        cells.keySet().stream().filter(id -> (block.mask & Hint.bit(id)) != 0).forEach(ids::add);
      }
    }
    return ids;
  }
}
