package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.PageCachePolicy;
import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.PlanResult.ClassSlots;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * All executor shapes that a policy allows on a set of node classes, each with its numbers.
 *
 * <p>For a number of cores only some memory sizes matter: those at which a NUMA node just holds j
 * executors. All of them are looked at. Limit: the classes have equal threads a core and no error.
 */
final class ShapeSearch {
  /** More than any executor gets; far from overflowing what is computed with it. */
  private static final long ANY_POD = 1L << 60;

  private final List<NodeClass> classes;
  private final ShapePolicy policy;
  private final SlotModel model;
  private final int threadsPerCore;
  private final int mostFreeCores;

  ShapeSearch(List<NodeClass> classes, ShapePolicy policy, SlotModel model) {
    this.classes = List.copyOf(classes);
    this.policy = policy;
    this.model = model;
    this.threadsPerCore = classes.get(0).machine().topology().threadsPerCore();
    this.mostFreeCores =
        classes.stream()
            .map(NodeClass::machine)
            .flatMap(m -> m.topology().numaNodes().stream().map(m::freeCores))
            .mapToInt(List::size)
            .max()
            .orElse(0);
  }

  /** The best shape of each number of cores that fits anywhere, smallest first. */
  List<Candidate> candidates() {
    int most = Math.min(policy.cores().max(), mostFreeCores());
    return IntStream.rangeClosed(Math.max(1, policy.cores().min()), most)
        .mapToObj(this::candidate)
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * The shape with the given cores, or empty if no executor of it fits anywhere.
   *
   * <p>Of all memory sizes it takes the one with the largest product of CPUs used and memory used:
   * a NUMA node with little memory then neither shrinks the executors of all others, nor is it
   * given up for a little more memory elsewhere. On equal NUMA nodes that is every slot.
   */
  Optional<Candidate> candidate(int cores) {
    return candidate(cores, false);
  }

  /** The shape with the given cores whose memory fits into every slot that the CPUs allow. */
  Optional<Candidate> candidateOfEverySlot(int cores) {
    return candidate(cores, true);
  }

  /** CPUs of all nodes that are not reserved. */
  int allocatableCpus() {
    return classes.stream().mapToInt(c -> ClassRoom.allocatableCpus(c.machine()) * c.nodes()).sum();
  }

  /** Cores without reserved threads in the NUMA node that has most of them. */
  int mostFreeCores() {
    return mostFreeCores;
  }

  /** Whether executors of the given cores fit by CPUs, and one has to be left out everywhere. */
  boolean leavesNoSlot(int cores) {
    return rooms(cores).stream()
        .allMatch(room -> ClassRoom.sum(room.slots(1)) == 0 && room.leftOutOf(1).isPresent());
  }

  private Optional<Candidate> candidate(int cores, boolean everySlot) {
    if (cores < 1 || cores > mostFreeCores()) {
      return Optional.empty();
    }
    List<ClassRoom> rooms = rooms(cores);
    return memory(rooms, everySlot)
        .map(memory -> withPageCache(memory, rooms))
        .map(memory -> candidate(new ExecutorShape(cpus(cores), memory), rooms))
        .filter(candidate -> candidate.slots() > 0);
  }

  private Optional<ExecutorMemory> memory(List<ClassRoom> rooms, boolean everySlot) {
    Optional<ExecutorMemory> largest = ExecutorMemory.largestWithin(ANY_POD, policy.memory());
    if (largest.isEmpty()) {
      return Optional.empty();
    }
    ExecutorMemory best = null;
    double bestProduct = 0;
    long slots = 0;
    for (Map.Entry<Long, Integer> step : steps(rooms, largest.get().podBytes()).entrySet()) {
      Optional<ExecutorMemory> memory =
          ExecutorMemory.largestWithin(step.getKey(), policy.memory());
      if (memory.isEmpty()) {
        break;
      }
      slots += step.getValue();
      // CPUs used and memory used are both in proportion to the slots.
      double product = (double) slots * slots * memory.get().podBytes();
      if (everySlot || product >= bestProduct) {
        best = memory.get();
        bestProduct = product;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * The same executor with what its slot's share of a NUMA node leaves it for files: the smallest
   * share counts, because all executors are alike.
   */
  private ExecutorMemory withPageCache(ExecutorMemory memory, List<ClassRoom> rooms) {
    PageCachePolicy pageCache = policy.memory().pageCache();
    long share =
        rooms.stream()
            .mapToLong(room -> room.share(memory.podBytes()))
            .min()
            .orElse(Long.MAX_VALUE);
    long most = pageCache.maxBytes() / ExecutorMemory.MIB * ExecutorMemory.MIB;
    long left = (share - memory.podBytes()) / ExecutorMemory.MIB * ExecutorMemory.MIB;
    long more = Math.min(left, most - memory.pageCacheBytes());
    return share == Long.MAX_VALUE || more <= 0
        ? memory
        : memory.withPageCacheBytes(memory.pageCacheBytes() + more);
  }

  /** The slots that are added when executors shrink to each size, largest size first. */
  private static SortedMap<Long, Integer> steps(List<ClassRoom> rooms, long largestPod) {
    SortedMap<Long, Integer> steps = new TreeMap<>(Collections.reverseOrder());
    for (ClassRoom room : rooms) {
      room.eachSlotsLargestPod(
          bytes ->
              steps.merge(Math.min(bytes, largestPod), room.nodeClass().nodes(), Integer::sum));
    }
    return steps;
  }

  private static Candidate candidate(ExecutorShape shape, List<ClassRoom> rooms) {
    long podBytes = shape.memory().podBytes();
    int slots = 0;
    int strandedCpus = 0;
    int straddling = 0;
    int cacheDomains = 0;
    long strandedBytes = 0;
    List<ClassSlots> classes = new ArrayList<>();
    for (ClassRoom room : rooms) {
      List<Integer> here = room.slots(podBytes);
      int nodes = room.nodeClass().nodes();
      int sum = ClassRoom.sum(here);
      slots += sum * nodes;
      strandedCpus += (room.allocatableCpus() - sum * shape.cpus().cpus()) * nodes;
      straddling += room.straddling(here) * nodes;
      cacheDomains = Math.max(cacheDomains, room.cacheDomains(here));
      strandedBytes =
          saturatedSum(strandedBytes, saturatedProduct(room.strandedBytes(here, podBytes), nodes));
      classes.add(new ClassSlots(room.nodeClass().name(), here));
    }
    return new Candidate(
        shape, slots, strandedCpus, strandedBytes, straddling, cacheDomains, classes);
  }

  private static long saturatedSum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static long saturatedProduct(long bytes, int nodes) {
    return nodes > 0 && bytes > Long.MAX_VALUE / nodes ? Long.MAX_VALUE : bytes * nodes;
  }

  private ExecutorCpus cpus(int cores) {
    return policy.cpus(cores, threadsPerCore);
  }

  private List<ClassRoom> rooms(int cores) {
    return classes.stream().map(c -> room(c, cpus(cores).cpus())).toList();
  }

  private ClassRoom room(NodeClass nodeClass, int cpus) {
    return new ClassRoom(nodeClass, cpus, model, policy.memory().freePercent());
  }
}
