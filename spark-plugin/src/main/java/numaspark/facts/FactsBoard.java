package numaspark.facts;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last facts of each executor that the application has; safe for any thread. It grows with the
 * number of executors, as the driver itself does.
 */
final class FactsBoard {
  /** A message can overtake the news that its executor is lost, but not by a thousand executors. */
  private static final int REMEMBERED = 1000;

  private final Map<String, ExecutorFacts> last = new TreeMap<>(FactsBoard::byNumber);
  private final Map<String, Boolean> lost =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };
  private double throttledSecondsOfLost;
  private boolean throttlingKnown;

  synchronized void put(ExecutorFacts facts) {
    if (!lost.containsKey(facts.executorId())) {
      last.put(facts.executorId(), facts);
      throttlingKnown |= facts.throttling() != null;
    }
  }

  synchronized void forget(String executorId) {
    lost.put(executorId, true);
    ExecutorFacts facts = last.remove(executorId);
    if (facts != null && facts.throttling() != null) {
      throttledSecondsOfLost += facts.throttling().seconds();
    }
  }

  synchronized Collection<ExecutorFacts> executors() {
    return Collections.unmodifiableList(List.copyOf(last.values()));
  }

  /** With the executors that are gone, so that it only grows; NaN when none has ever known. */
  synchronized double throttledSeconds() {
    double now = FactsSummary.sum(last.values(), FactsSummary::throttledSeconds);
    return throttlingKnown ? throttledSecondsOfLost + (Double.isNaN(now) ? 0 : now) : Double.NaN;
  }

  /** Ids are numbers, except the one of a driver that runs tasks itself. */
  private static int byNumber(String one, String other) {
    int byLength = Integer.compare(one.length(), other.length());
    return byLength != 0 ? byLength : one.compareTo(other);
  }
}
