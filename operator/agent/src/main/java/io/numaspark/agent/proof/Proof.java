package io.numaspark.agent.proof;

import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.agent.proof.KernelUsage.QuotaCounters;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The node's containers with CPUs or memory of their own, as the kubelet and the kernel see them.
 *
 * <p>Immutable: {@link #next} gives the proof of a later reading, {@link #written} the same one
 * with its counters taken as the new start. The kubelet and the kernel are not read at the same
 * moment, so a contradiction counts only when it has lasted for {@link #DOUBT}; until then what was
 * said before stays. Limit: a kubelet with a longer cpuManagerReconcilePeriod leaves newly
 * exclusive CPUs with running containers for longer, which then is told.
 */
public final class Proof {
  /** Longest list of containers; SparkNodeTopologyStatus.exclusive allows no more. */
  public static final int LIMIT = 1024;

  /** The kubelet takes newly exclusive CPUs from running containers every 10 s by default. */
  public static final Duration DOUBT = Duration.ofSeconds(12);

  private static final Comparator<String> ABSENT_LAST =
      Comparator.nullsLast(Comparator.naturalOrder());

  private static final Comparator<ExclusiveContainer> ORDER =
      Comparator.comparing(ExclusiveContainer::namespace, ABSENT_LAST)
          .thenComparing(ExclusiveContainer::pod, ABSENT_LAST)
          .thenComparing(ExclusiveContainer::container, ABSENT_LAST)
          .thenComparing(ExclusiveContainer::podUid, ABSENT_LAST)
          .thenComparing(ExclusiveContainer::containerId, ABSENT_LAST);

  private final Map<String, ExclusiveContainer> entries;
  private final Map<String, Instant> suspected;
  private final Map<String, QuotaCounters> baseline;
  private final Map<String, QuotaCounters> latest;

  private Proof(
      Map<String, ExclusiveContainer> entries,
      Map<String, Instant> suspected,
      Map<String, QuotaCounters> baseline,
      Map<String, QuotaCounters> latest) {
    this.entries = entries;
    this.suspected = suspected;
    this.baseline = baseline;
    this.latest = latest;
  }

  /** Before the first reading. */
  public static Proof start() {
    return new Proof(Map.of(), Map.of(), Map.of(), Map.of());
  }

  /**
   * Joins a later reading with this one.
   *
   * @param node the node's CPUs
   * @param given what the kubelet said, read before {@code running}
   * @param running what the kernel said
   * @param now when that was
   */
  public Proof next(
      NodeCpus node, List<PodResources> given, List<KernelContainer> running, Instant now) {
    EntryWriter writer = new EntryWriter(node, baseline);
    Map<String, ExclusiveContainer> said = new HashMap<>();
    Map<String, Instant> suspects = new HashMap<>();
    Map<String, QuotaCounters> counters = new HashMap<>();
    for (Pair pair : Join.of(node, given, running)) {
      pair.quota().ifPresent(quota -> counters.put(pair.running().containerId(), quota));
      ExclusiveContainer entry = writer.write(pair);
      if (pair.isContradiction()) {
        Instant since = suspected.getOrDefault(pair.claim(), now);
        suspects.put(pair.claim(), since);
        if (now.isBefore(since.plus(DOUBT))) {
          entry = earlier(pair.key(), entry);
        }
      }
      if (entry != null) {
        said.put(pair.key(), entry);
      }
    }
    Map<String, QuotaCounters> start = new HashMap<>(counters);
    start.replaceAll((id, quota) -> baseline.getOrDefault(id, quota));
    return new Proof(said, suspects, start, counters);
  }

  /** What was said before of the same container and the same CPUs; null if nothing. */
  private ExclusiveContainer earlier(String key, ExclusiveContainer now) {
    ExclusiveContainer before = entries.get(key);
    return before != null && Objects.equals(before.cpus(), now.cpus()) ? before : null;
  }

  /** To call when {@link #exclusive} was written: throttling is counted from here on. */
  public Proof written() {
    return new Proof(entries, suspected, latest, latest);
  }

  /** For the node's status: sorted, at most {@value #LIMIT}. */
  public List<ExclusiveContainer> exclusive() {
    List<ExclusiveContainer> sorted = new ArrayList<>(entries.values());
    sorted.sort(ORDER);
    return List.copyOf(sorted.subList(0, Math.min(LIMIT, sorted.size())));
  }

  /** How many entries were left out of {@link #exclusive} because it was full. */
  public int omitted() {
    return Math.max(0, entries.size() - LIMIT);
  }
}
