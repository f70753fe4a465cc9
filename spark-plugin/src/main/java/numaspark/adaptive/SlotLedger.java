package numaspark.adaptive;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import numaspark.adaptive.Messages.StageKey;

/**
 * How many cores of each executor the scheduler must not offer: those that all active stages
 * together cannot use. A stage without a number on an executor can use all of it, so while one such
 * stage is active nothing is withheld there; a barrier stage never gets a number.
 */
final class SlotLedger {
  /** Tasks at once of a stage on an executor, and what each takes. */
  private record Limit(int threads, double cpusPerTask) {
    double cores() {
      return threads * cpusPerTask;
    }
  }

  private final Map<StageKey, Map<String, Limit>> active = new HashMap<>();
  private final Map<String, Integer> cores = new TreeMap<>();
  private final Map<String, Integer> withheld = new HashMap<>();

  synchronized void stageStarts(StageKey stage) {
    active.putIfAbsent(stage, new HashMap<>());
  }

  synchronized void stageEnds(StageKey stage) {
    active.remove(stage);
  }

  synchronized void executorComes(String executor, int itsCores) {
    cores.put(executor, itsCores);
  }

  /** Its account at the scheduler goes with it: nothing has to be given back. */
  synchronized void executorGoes(String executor) {
    cores.remove(executor);
    withheld.remove(executor);
    active.values().forEach(limits -> limits.remove(executor));
  }

  /** A stage that is not active, because it has just ended, is left alone. */
  synchronized void limit(StageKey stage, String executor, int threads, double cpusPerTask) {
    Map<String, Limit> limits = active.get(stage);
    if (limits != null && cores.containsKey(executor)) {
      limits.put(executor, new Limit(threads, cpusPerTask));
    }
  }

  /** The stage looks for its number on the executor anew. */
  synchronized void unlimit(StageKey stage, String executor) {
    Map<String, Limit> limits = active.get(stage);
    if (limits != null) {
      limits.remove(executor);
    }
  }

  /**
   * What has to change at the scheduler now, by executor: cores to give back, or negative, to
   * withhold. Counted as changed.
   */
  synchronized Map<String, Integer> changes() {
    Map<String, Integer> changes = new TreeMap<>();
    cores.forEach(
        (executor, total) -> {
          int wanted = wanted(executor, total);
          int now = withheld.getOrDefault(executor, 0);
          if (wanted != now) {
            changes.put(executor, now - wanted);
            withheld.put(executor, wanted);
          }
        });
    return changes;
  }

  private int wanted(String executor, int total) {
    double usable = 0;
    for (Map<String, Limit> limits : active.values()) {
      Limit limit = limits.get(executor);
      if (limit == null) {
        return 0;
      }
      usable += limit.cores();
    }
    return active.isEmpty() ? 0 : Math.max(0, total - (int) Math.ceil(usable));
  }

  /** Cores withheld now, over all executors. */
  synchronized int withheld() {
    return withheld.values().stream().mapToInt(Integer::intValue).sum();
  }

  synchronized int executors() {
    return cores.size();
  }

  /** Cores of an executor; 0 when it is not known. */
  synchronized int cores(String executor) {
    return cores.getOrDefault(executor, 0);
  }
}
