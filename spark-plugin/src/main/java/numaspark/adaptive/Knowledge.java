package numaspark.adaptive;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import numaspark.adaptive.Messages.Learnt;

/**
 * What executors found out about stages, by signature. An executor gets what it found itself, or
 * what all others agree on: they may sit on different devices. Lives as long as the application.
 */
final class Knowledge {
  private static final int SIGNATURES_KEPT = 1000;

  private final Map<String, Map<String, Learnt>> bySignature =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<String, Learnt>> eldest) {
          return size() > SIGNATURES_KEPT;
        }
      };

  synchronized void learn(String signature, String executor, Learnt learnt) {
    bySignature.computeIfAbsent(signature, s -> new LinkedHashMap<>()).put(executor, learnt);
  }

  /** The executor has seen the contrary; what others say is doubtful with it. */
  synchronized void forget(String signature) {
    bySignature.remove(signature);
  }

  synchronized Optional<Learnt> of(String signature, String executor) {
    Map<String, Learnt> found = bySignature.getOrDefault(signature, Map.of());
    if (found.containsKey(executor)) {
      return Optional.of(found.get(executor));
    }
    List<Learnt> others = List.copyOf(found.values());
    boolean agree = others.stream().map(Learnt::threads).distinct().count() == 1;
    return agree ? Optional.of(others.get(0)) : Optional.empty();
  }
}
