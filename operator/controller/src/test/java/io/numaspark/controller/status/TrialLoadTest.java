package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Load;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.PodLoad;
import io.numaspark.api.v1alpha1.SparkTrialStatus.NodeLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TrialLoadTest {
  private static final Set<String> OWN = Set.of("one", "two", "driver");

  /** A reading with the CPU times of pods in milliseconds, as name=time. */
  private static Load load(long total, long busy, long stolen, String... pods) {
    List<PodLoad> times = new ArrayList<>();
    for (String pod : pods) {
      String[] parts = pod.split("=");
      times.add(new PodLoad(parts[0], Long.parseLong(parts[1])));
    }
    return new Load(total, busy, stolen, times);
  }

  private static SortedMap<String, Load> on(String node, Load load) {
    return new TreeMap<>(Map.of(node, load));
  }

  @Test
  void othersTookWhatTheNodeWasBusyWithoutThePodsOfTheRun() {
    List<NodeLoad> first =
        TrialLoad.next(null, on("a", load(1000, 500, 10, "one=100", "web=300")), OWN);
    assertThat(first).hasSize(1);
    assertThat(TrialLoad.busiest(first)).isEmpty();
    // Of 1000 ms the node was busy for 700, one executor had 400 of them, the other 250 since its
    // start.
    List<NodeLoad> second =
        TrialLoad.next(first, on("a", load(2000, 1200, 40, "one=500", "two=250", "web=350")), OWN);
    NodeLoad busiest = TrialLoad.busiest(second).orElseThrow();
    assertThat(busiest.othersPercent()).isEqualTo(5);
    assertThat(busiest.stolenPercent()).isEqualTo(3);
    assertThat(busiest.ownPods()).isEqualTo(2);
  }

  @Test
  void anExecutorThatHasGoneIsNotTakenForOthers() {
    List<NodeLoad> first = TrialLoad.next(null, on("a", load(0, 0, 0, "one=0", "two=0")), OWN);
    List<NodeLoad> second =
        TrialLoad.next(first, on("a", load(1000, 800, 0, "one=400", "two=390")), OWN);
    List<NodeLoad> third = TrialLoad.next(second, on("a", load(2000, 1600, 0, "one=800")), OWN);
    assertThat(third).isEqualTo(second);
    assertThat(TrialLoad.next(third, on("a", load(3000, 2000, 0, "web=9")), OWN)).isEqualTo(second);
    assertThat(TrialLoad.busiest(third).orElseThrow().othersPercent()).isEqualTo(1);
  }

  @Test
  void nodesWithoutPodsOfTheRunDoNotCountAndTheBusiestDoes() {
    SortedMap<String, Load> now = new TreeMap<>();
    now.put("a", load(100, 0, 0, "one=0"));
    now.put("b", load(100, 0, 0, "two=0"));
    now.put("c", load(100, 0, 0, "web=0"));
    List<NodeLoad> first = TrialLoad.next(null, now, OWN);
    assertThat(first).extracting(NodeLoad::node).containsExactly("a", "b");
    now.put("a", load(200, 50, 0, "one=48"));
    now.put("b", load(200, 50, 0, "two=30"));
    now.put("c", load(200, 100, 0, "web=100"));
    NodeLoad busiest = TrialLoad.busiest(TrialLoad.next(first, now, OWN)).orElseThrow();
    assertThat(busiest.node()).isEqualTo("b");
    assertThat(busiest.othersPercent()).isEqualTo(20);
  }

  @Test
  void whatCannotBeIsNotBelieved() {
    List<NodeLoad> first = TrialLoad.next(null, on("a", load(1000, 500, 0, "one=100")), OWN);
    assertThat(TrialLoad.next(first, on("a", load(900, 400, 0, "one=100")), OWN))
        .as("a node that was started again")
        .isEqualTo(first);
    assertThat(TrialLoad.next(first, on("a", load(1000, 500, 0, "one=100")), OWN))
        .as("the same report again")
        .isEqualTo(first);
    assertThat(TrialLoad.next(first, on("a", new Load(2000L, null, 0L, List.of())), OWN))
        .isEqualTo(first);
    assertThat(TrialLoad.next(first, on("a", new Load(2000L, 1L, 0L, null)), OWN)).isEqualTo(first);
    // More than all: clocks of two files.
    assertThat(
            TrialLoad.next(first, on("a", load(2000, 1000, 0, "one=900")), OWN)
                .get(0)
                .othersPercent())
        .isZero();
    assertThat(TrialLoad.next(null, new TreeMap<>(), OWN)).isEmpty();
  }
}
