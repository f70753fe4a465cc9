package io.numaspark.render.picture;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Something that holds CPUs: an executor, a free slot, or another pod.
 *
 * @param id Spark's id of the executor, the number of the slot, or the name of the pod
 * @param owner the application; empty for slots and other pods
 * @param cpus the CPUs of its own; empty if it shares the kubelet's pool
 * @param memory empty if it is not known
 * @param counted what it does with its CPUs, if that is counted: a line each
 */
public record CpuHolder(
    Kind kind,
    String id,
    Optional<Owner> owner,
    CpuSet cpus,
    Optional<Memory> memory,
    PinState pinning,
    List<String> counted) {

  public CpuHolder {
    counted = List.copyOf(counted);
  }

  /** A holder of which nothing is counted. */
  public CpuHolder(
      Kind kind,
      String id,
      Optional<Owner> owner,
      CpuSet cpus,
      Optional<Memory> memory,
      PinState pinning) {
    this(kind, id, owner, cpus, memory, pinning, List.of());
  }

  /** What holds the CPUs. */
  public enum Kind {
    EXECUTOR("Executor"),
    SLOT("Slot"),
    POD("Pod");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /**
   * Whose executor it is.
   *
   * @param pod its pod; empty in a plan, where there is none yet
   */
  public record Owner(String application, Optional<String> pod) {}

  /**
   * Memory of one executor in bytes.
   *
   * @param pageCacheBytes what of its pod is meant for files, see ExecutorMemory
   */
  public record Memory(long heapBytes, long pageCacheBytes, long podBytes) {}

  /** The application, empty text if it belongs to none. */
  String application() {
    return owner.map(Owner::application).orElse("");
  }

  /** Memory that it takes from the NUMA nodes of its CPUs, in bytes; 0 if it is not known. */
  long podBytes() {
    return memory.map(Memory::podBytes).orElse(0L);
  }

  /** The part of it that is meant for files. */
  long pageCacheBytes() {
    return memory.map(Memory::pageCacheBytes).orElse(0L);
  }

  /** For example Executor 3 of pi. */
  String title() {
    return kind.word + " " + id + owner.map(o -> " of " + o.application()).orElse("");
  }

  /** What a person wants to know of it, a line each. */
  List<String> facts() {
    List<String> facts = new ArrayList<>();
    owner.flatMap(Owner::pod).ifPresent(pod -> facts.add("Pod " + pod));
    facts.add(cpus.isEmpty() ? "No CPUs of its own" : "CPUs " + cpus + " (" + cpus.size() + ")");
    memory.map(CpuHolder::parts).ifPresent(facts::add);
    if (kind != Kind.POD) {
      String text = pinning.text();
      facts.add(Character.toUpperCase(text.charAt(0)) + text.substring(1));
    }
    facts.addAll(counted);
    return facts;
  }

  private static String parts(Memory memory) {
    return "Heap %s%s, pod %s"
        .formatted(
            MemorySize.toQuantity(memory.heapBytes()),
            memory.pageCacheBytes() == 0
                ? ""
                : ", page cache " + MemorySize.toQuantity(memory.pageCacheBytes()),
            MemorySize.toQuantity(memory.podBytes()));
  }

  /** Title and facts in one sentence, for screen readers. */
  public String spoken() {
    return title() + ". " + String.join(". ", facts());
  }

  /** What may be written on it, the longest first. */
  List<String> labels() {
    String mark = pinning.verdict().mark();
    String number = id + mark;
    return switch (kind) {
      case EXECUTOR ->
          Stream.of(application() + " " + number, "executor " + number, "exec " + number, number)
              .filter(label -> !label.isBlank())
              .toList();
      case SLOT -> List.of("slot " + number, number);
      case POD -> List.of("pod " + id, "pod", "P");
    };
  }
}
