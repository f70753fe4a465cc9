package numaspark.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import numaspark.feature.DaemonThread;

/**
 * All shuffles in pages that this executor has written or read.
 *
 * <p>A reading task holds a {@link Lease}; memory of a removed shuffle is unmapped when no task
 * holds one, and then only after a pause, because a thread that feeds a Python worker may look at a
 * row a moment after its task has ended.
 */
final class PageStore implements AutoCloseable {
  private static final long PAUSE_SECONDS = 5;
  private static final long SWEEP_SECONDS = 60;
  private static final long IDLE_SECONDS = 3;

  private final Optional<NodeFolder> node;
  private final String executor;
  private final PageBudget budget;
  private final RunMemory runs;
  private final boolean shares;
  private final Map<Integer, Shuffle> shuffles = new HashMap<>();

  /** Ids that Spark has told to remove: a task that comes later writes no pages. A bit each. */
  private final BitSet removed = new BitSet();

  private final ScheduledExecutorService undertaker = DaemonThread.scheduled("numaspark-pages");

  /** Of removed shuffles; still mapped. */
  private final Set<ShuffleFolder> unread = new HashSet<>();

  private final AtomicLong outputs = new AtomicLong();
  private final AtomicLong outputsOnDisk = new AtomicLong();
  private boolean closed;

  /**
   * @param node absent where no folder can be had: every output is then on disk as a whole
   * @param runs of the same budget
   * @param shares whether tasks read pages of other executors; else those are fetched as from
   *     another node
   */
  PageStore(
      Optional<NodeFolder> node,
      String executor,
      PageBudget budget,
      RunMemory runs,
      boolean shares) {
    this.node = node;
    this.executor = executor;
    this.budget = budget;
    this.runs = runs;
    this.shares = shares;
    undertaker.scheduleWithFixedDelay(runs::freeIdle, IDLE_SECONDS, IDLE_SECONDS, TimeUnit.SECONDS);
    node.ifPresent(
        folder ->
            undertaker.scheduleWithFixedDelay(
                folder::sweepSiblings, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS));
  }

  /** Whether tasks point at the pages of an executor, if they are here. */
  boolean reads(String executorId) {
    return shares || executorId.equals(executor);
  }

  /** What this process knows of one shuffle. */
  private static final class Shuffle {
    private final Map<String, ShuffleFolder> folders = new HashMap<>();
    private OwnShuffle own;
    private int leases;
    private boolean removed;
  }

  /** A task's right to read mapped pages of one shuffle. */
  final class Lease implements AutoCloseable {
    private final Shuffle shuffle;
    private final int shuffleId;
    private boolean ended;

    private Lease(int shuffleId, Shuffle shuffle) {
      this.shuffleId = shuffleId;
      this.shuffle = shuffle;
    }

    /**
     * Where an executor's outputs of the shuffle are.
     *
     * @return null when the executor is not on this node, or shares no folder with this one
     */
    ShuffleFolder folder(String executorId) {
      synchronized (PageStore.this) {
        if (executorId.equals(executor)) {
          return shuffle.own;
        }
        ShuffleFolder known = shuffle.folders.get(executorId);
        if (known == null) {
          if (node.isEmpty()) {
            return null;
          }
          Path path = node.get().of(executorId).resolve(Integer.toString(shuffleId));
          if (!Files.isDirectory(path)) {
            return null;
          }
          known = new ShuffleFolder(path);
          shuffle.folders.put(executorId, known);
        }
        return known;
      }
    }

    /**
     * What this executor itself has written.
     *
     * @return null when that is nothing
     */
    ShuffleFolder own() {
      return folder(executor);
    }

    @Override
    public void close() {
      synchronized (PageStore.this) {
        if (!ended) {
          ended = true;
          shuffle.leases--;
          if (shuffle.leases == 0 && shuffle.own == null && removed.get(shuffleId)) {
            // A reader that came after the removal made it known again; nobody will say so again.
            shuffles.remove(shuffleId, shuffle);
            shuffle.removed = true;
          }
          buryIfUnused(shuffle);
        }
      }
    }
  }

  synchronized Lease lease(int shuffleId) {
    Shuffle shuffle = shuffles.computeIfAbsent(shuffleId, id -> new Shuffle());
    shuffle.leases++;
    return new Lease(shuffleId, shuffle);
  }

  /**
   * This executor's own part of a shuffle, made when it is first written.
   *
   * <p>Spark may remove a shuffle and compute it again. The second time its outputs are on disk, so
   * that no task which was late leaves pages that nobody removes.
   */
  synchronized OwnShuffle toWrite(int shuffleId) throws IOException {
    if (closed) {
      throw new IOException("the executor is shutting down");
    }
    Shuffle shuffle = shuffles.computeIfAbsent(shuffleId, id -> new Shuffle());
    if (shuffle.own == null) {
      shuffle.own =
          OwnShuffle.in(
              node.filter(folder -> !removed.get(shuffleId))
                  .map(folder -> folder.own().resolve(Integer.toString(shuffleId))));
    }
    return shuffle.own;
  }

  /**
   * Bytes of the budget for pages.
   *
   * @return false when there are none
   */
  boolean takePages(long bytes) {
    return budget.take(bytes) || (runs.freeIdle() && budget.take(bytes));
  }

  /** A task has written its output. */
  void count(MapOutput output) {
    outputs.incrementAndGet();
    if (output.overflow()) {
      outputsOnDisk.incrementAndGet();
    }
  }

  PagesUse use(String executorId) {
    return new PagesUse(
        executorId,
        Math.max(0, budget.used() - runs.held()),
        budget.most(),
        outputs.get(),
        outputsOnDisk.get());
  }

  PageBudget budget() {
    return budget;
  }

  /** Whether this executor has written or read the shuffle in pages. */
  synchronized boolean knows(int shuffleId) {
    return shuffles.containsKey(shuffleId);
  }

  RunMemory runs() {
    return runs;
  }

  /** Deletes what this executor holds of a shuffle, and forgets what it knows of the siblings'. */
  void remove(int shuffleId) {
    OwnShuffle own;
    synchronized (this) {
      removed.set(shuffleId);
      Shuffle shuffle = shuffles.remove(shuffleId);
      if (shuffle == null) {
        return;
      }
      shuffle.removed = true;
      own = shuffle.own;
      buryIfUnused(shuffle);
    }
    if (own != null) {
      budget.giveBack(own.remove());
    }
  }

  private void buryIfUnused(Shuffle shuffle) {
    if (!shuffle.removed || shuffle.leases > 0) {
      return;
    }
    List<ShuffleFolder> folders = new ArrayList<>(shuffle.folders.values());
    if (shuffle.own != null) {
      folders.add(shuffle.own);
    }
    unread.addAll(folders);
    if (!undertaker.isShutdown()) {
      undertaker.schedule(() -> bury(folders), PAUSE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private synchronized void bury(List<ShuffleFolder> folders) {
    folders.forEach(ShuffleFolder::close);
    unread.removeAll(folders);
  }

  @Override
  public void close() {
    List<Integer> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(shuffles.keySet());
    }
    all.forEach(this::remove);
    undertaker.shutdownNow();
    synchronized (this) {
      unread.forEach(ShuffleFolder::close);
    }
    runs.freeIdle();
    node.ifPresent(NodeFolder::close);
  }
}
