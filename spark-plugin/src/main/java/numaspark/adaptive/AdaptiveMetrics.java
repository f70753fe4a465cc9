package numaspark.adaptive;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import numaspark.adaptive.Messages.Decision;
import numaspark.adaptive.Messages.GateTime;
import numaspark.adaptive.Messages.StageKey;

/** The driver's metrics; their number does not grow with stages or executors. */
final class AdaptiveMetrics {
  private final Map<Outcome, Counter> decisions = new EnumMap<>(Outcome.class);
  private final Map<String, GateTime> gates = new ConcurrentHashMap<>();
  private final TreeMap<String, Integer> threads = new TreeMap<>();
  private StageKey last;

  AdaptiveMetrics() {
    for (Outcome outcome : Outcome.values()) {
      decisions.put(outcome, new Counter());
    }
  }

  void register(MetricRegistry registry, IntSupplier withheld) {
    decisions.forEach(
        (outcome, count) -> registry.register("adaptive.decisions." + outcome.label(), count));
    gauge(registry, "gateMillis", () -> gates.values().stream().mapToLong(GateTime::millis).sum());
    gauge(registry, "gatedTasks", () -> gates.values().stream().mapToLong(GateTime::tasks).sum());
    gauge(registry, "threads.min", () -> (long) ofLastStage(0));
    gauge(registry, "threads.median", () -> (long) ofLastStage(0.5));
    gauge(registry, "threads.max", () -> (long) ofLastStage(1));
    gauge(registry, "withheldCores", () -> (long) withheld.getAsInt());
  }

  private static void gauge(MetricRegistry registry, String name, Gauge<Long> value) {
    registry.register("adaptive." + name, value);
  }

  synchronized void decided(Decision decision) {
    decisions.get(decision.outcome()).inc();
    if (!decision.stage().equals(last)) {
      last = decision.stage();
      threads.clear();
    }
    threads.put(decision.executor(), decision.threads());
  }

  void waited(GateTime time) {
    gates.put(time.executor(), time);
  }

  /** Over the executors that decided on the last stage; 0 before the first decision. */
  private synchronized int ofLastStage(double quantile) {
    List<Integer> sorted = new ArrayList<>(threads.values());
    sorted.sort(null);
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.round(quantile * (sorted.size() - 1)));
  }
}
