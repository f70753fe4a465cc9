package io.numaspark.render.picture;

import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.topology.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A node or a node class, ready to be drawn: each thread with what holds it.
 *
 * @param description a sentence or two about it
 * @param holders all holders, also those that hold no CPUs of their own
 * @param notes findings, and what else should stand beside it
 * @param links to its nodes, for pages
 */
public record NodePicture(
    String name,
    String description,
    List<SocketBox> sockets,
    List<CpuHolder> holders,
    List<Note> notes,
    List<Link> links) {
  public NodePicture {
    sockets = List.copyOf(sockets);
    holders = List.copyOf(holders);
    notes = List.copyOf(notes);
    links = List.copyOf(links);
  }

  /** A socket. */
  public record SocketBox(int id, List<NumaBox> numaNodes) {
    public SocketBox {
      numaNodes = List.copyOf(numaNodes);
    }
  }

  /**
   * A NUMA node.
   *
   * @param caches its last-level cache domains; none if it has only memory
   * @param limitedBy why there is no further slot
   */
  public record NumaBox(int id, MemoryBox memory, List<CacheBox> caches, String limitedBy) {
    public NumaBox {
      caches = List.copyOf(caches);
    }

    /** All threads. */
    List<Cell> cells() {
      return caches.stream()
          .flatMap(cache -> cache.cores().stream())
          .flatMap(core -> core.cells().stream())
          .toList();
    }

    /** The holders on its CPUs, in the order of the CPUs. */
    List<CpuHolder> holders() {
      return cells().stream()
          .flatMap(
              cell -> cell.use() instanceof HeldBy held ? Stream.of(held.holder()) : Stream.empty())
          .distinct()
          .toList();
    }

    /** The CPUs that something holds. */
    CpuSet held(CpuUse use) {
      return CpuSet.of(cells().stream().filter(cell -> cell.use().equals(use)).mapToInt(Cell::cpu));
    }
  }

  /**
   * Memory of a NUMA node in bytes.
   *
   * @param reservedBytes what pods cannot get: reservations and huge pages
   * @param strandedBytes what no slot takes
   */
  public record MemoryBox(long bytes, long reservedBytes, long strandedBytes) {}

  /**
   * A last-level cache domain.
   *
   * @param cpus its CPUs; empty if the topology does not tell
   */
  public record CacheBox(CpuSet cpus, List<CoreBox> cores) {
    public CacheBox {
      cores = List.copyOf(cores);
    }
  }

  /** A physical core. */
  public record CoreBox(List<Cell> cells) {
    public CoreBox {
      cells = List.copyOf(cells);
    }

    /** Whether one use has all threads. */
    boolean isWhole() {
      return cells.stream().map(Cell::use).distinct().count() == 1;
    }
  }

  /** A hardware thread. */
  public record Cell(int cpu, CpuUse use) {}

  /** What has a thread. */
  public sealed interface CpuUse {}

  /** A thread that no holder holds. */
  public enum Unheld implements CpuUse {
    RESERVED("reserved", "R", "kept by the kubelet for the system"),
    /** Where the container runtime pins. */
    SHARED("reserved", "shared", "O", "the other containers run on them"),
    STRANDED("stranded", "S", "no executor slot can use them"),
    /** Stranded where the container runtime pins. */
    SPARE("stranded", "stranded", "S", "too few for a slot, so the other containers run on them"),
    FREE("free", "F", "nobody has them now");

    private final String style;
    private final String word;
    private final String initial;
    private final String meaning;

    Unheld(String word, String initial, String meaning) {
      this(word, word, initial, meaning);
    }

    Unheld(String style, String word, String initial, String meaning) {
      this.style = style;
      this.word = word;
      this.initial = initial;
      this.meaning = meaning;
    }

    /** The class of the style sheet. */
    String style() {
      return style;
    }

    String word() {
      return word;
    }

    String initial() {
      return initial;
    }

    String meaning() {
      return meaning;
    }
  }

  /** A thread that belongs to a holder. */
  public record HeldBy(CpuHolder holder) implements CpuUse {
    public HeldBy {
      Objects.requireNonNull(holder);
    }
  }

  /**
   * The picture of a node class, or of one node of it.
   *
   * <p>Why an executor is not pinned is added to the notes.
   *
   * @param holders of two that claim the same CPU the first has it; the other is drawn beside the
   *     CPUs
   */
  public static NodePicture of(
      String name, String description, Layout layout, List<CpuHolder> holders, List<Note> notes) {
    List<Note> all = new ArrayList<>(notes);
    holders.stream()
        .filter(holder -> holder.pinning().verdict() == PinState.Verdict.NOT_PINNED)
        .map(
            holder ->
                new Note(
                    Severity.WARNING,
                    holder.title() + " is not pinned",
                    holder.pinning().why(),
                    ""))
        .forEach(all::add);
    return new NodePicture(
        name, description, new HolderPlacement(layout, holders).sockets(), holders, all, List.of());
  }

  /** The same picture with links. */
  public NodePicture withLinks(List<Link> more) {
    return new NodePicture(name, description, sockets, holders, notes, more);
  }

  /** All NUMA nodes. */
  List<NumaBox> numaNodes() {
    return sockets.stream().flatMap(socket -> socket.numaNodes().stream()).toList();
  }

  /** Holders that are on no CPU of the picture. */
  List<CpuHolder> beside() {
    List<CpuHolder> placed = numaNodes().stream().flatMap(numa -> numa.holders().stream()).toList();
    return holders.stream().filter(holder -> !placed.contains(holder)).toList();
  }

  /** The CPUs that something holds. */
  CpuSet held(CpuUse use) {
    return CpuSet.unionOf(numaNodes().stream().map(numa -> numa.held(use)).toList());
  }
}
