package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.PinnerExecutor;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.pins.PinnerReport;
import io.numaspark.render.pins.PinnerReport.NotWorking;
import io.numaspark.render.pins.PinnerReport.Reading;
import io.numaspark.render.pins.PinnerReport.Working;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slots of a node that its container runtime pins: what is free is what the pinner says. */
class NodeCounterTest {
  private static final NodePlan PLAN = plan();

  private static NodePlan plan() {
    var found = PinnedNodes.byRuntime();
    return new NodePlan(
        "p", ((Plan) found.result()).shape(), found.layoutByNode().values().iterator().next());
  }

  private static Pod executor(String uid) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("exec-" + uid)
        .withNamespace("team")
        .withUid(uid)
        .addToLabels("spark-app-selector", "spark-1")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("spark-kubernetes-executor")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity("4"), "slots.numaspark.io/p", new Quantity("1")))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private static Reading says(int free, String... served) {
    List<PinnerExecutor> executors = new ArrayList<>();
    for (String uid : served) {
      executors.add(new PinnerExecutor("team", "exec-" + uid, uid, "Pinned", List.of("s")));
    }
    List<String> slots = new ArrayList<>();
    for (int i = 0; i < free; i++) {
      slots.add("free-" + i);
    }
    return new Working(new PinnerReport(slots, executors, 0));
  }

  @ParameterizedTest
  @CsvSource({
    // free by the pinner, pods that it serves, pods bound, published, free
    "2, '',  '',  2, 0",
    "1, 'a', 'a', 2, 1",
    "2, '',  'a', 2, 1",
    "0, 'a b', 'a b', 2, 2",
    "1, 'a', '',  1, 0",
    "0, 'a b', 'c', 1, 1",
    "1, 'a', 'a b c', 3, 3",
  })
  void freeIsWhatThePinnerSaysLessPodsThatAreOnTheirWay(
      int free, String served, String bound, int published, int used) {
    SlotCount slots = count(says(free, words(served)), words(bound));
    assertThat(slots.capacity()).isEqualTo(published);
    assertThat(slots.used()).isEqualTo(used);
    assertThat(slots.planned()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "'a', 1", "'a b', 2"})
  void nothingIsFreeWhileThePinnerDoesNotWork(String bound, int published) {
    SlotCount slots = count(new NotWorking("NoSocket", "no socket"), words(bound));
    assertThat(slots.capacity()).isEqualTo(published);
    assertThat(slots.free()).isZero();
  }

  private static SlotCount count(Reading reading, String... bound) {
    List<Pod> pods = new ArrayList<>();
    for (String uid : bound) {
      pods.add(executor(uid));
    }
    return NodeCounter.count("a", PLAN, pods, List.of(), Optional.of(reading), Optional.empty())
        .slots();
  }

  private static String[] words(String text) {
    return text.isBlank() ? new String[0] : text.split(" ");
  }
}
