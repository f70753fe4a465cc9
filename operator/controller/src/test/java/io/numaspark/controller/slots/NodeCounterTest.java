package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.PinnerExecutor;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.pins.PinLayout;
import io.numaspark.render.pins.PinnerReport;
import io.numaspark.render.pins.PinnerReport.NotWorking;
import io.numaspark.render.pins.PinnerReport.Reading;
import io.numaspark.render.pins.PinnerReport.Working;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slots of a node that its container runtime pins: what is free is what the pinner says. */
class NodeCounterTest {
  private static final NodePlan PLAN = plan(PinnedNodes.byRuntime());
  private static final WantedPins WANTED = PinLayout.of("p", PLAN.layout()).orElseThrow();

  private static NodePlan plan(ProfilePlan found) {
    return new NodePlan(
        "p", ((Plan) found.result()).shape(), found.layoutByNode().values().iterator().next());
  }

  private static Pod executor(String uid) {
    return executor(uid, 1, true);
  }

  private static Pod executor(String uid, int slots, boolean annotated) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("exec-" + uid)
        .withNamespace("team")
        .withUid(uid)
        .addToLabels("spark-app-selector", "spark-1")
        .addToAnnotations(annotated ? Map.of("numaspark.io/pin", "p") : Map.of())
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("spark-kubernetes-executor")
        .withNewResources()
        .withRequests(
            Map.of(
                "cpu",
                new Quantity("4"),
                "slots.numaspark.io/p",
                new Quantity(String.valueOf(slots))))
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
    assertThat(slots.lost()).as("no other pod is there").isZero();
    assertThat(slots.withheldSlots()).isEqualTo(2 - published);
    assertThat(slots.pinnerTrouble()).contains("NoSocket");
  }

  /**
   * What the pinner gives back a moment later is neither lost nor withheld: no status is written.
   */
  @Test
  void anExecutorThatHasEndedChangesNothingButTheUse() {
    NodeCount before = counted(says(1, "a"), List.of(executor("a")), Allocatable.UNKNOWN);
    NodeCount after = counted(says(1, "a"), List.of(), Allocatable.UNKNOWN);
    assertThat(after.slots().free()).isEqualTo(1);
    assertThat(after.slots().lost()).isZero();
    assertThat(after.slots().withheldSlots()).isZero();
    assertThat(new SlotChange(Optional.of(before), Optional.of(after)).concernsStatus()).isFalse();
  }

  /** An executor of its own size: it requests 3 slots of the scheduler, and has 2. */
  @Test
  void whatIsRequestedIsHeldWhileItRuns() {
    NodePlan plan = plan(PinnedNodes.byRuntime(8));
    Pod wide = executor("w", 3, true);
    assertThat(counted(plan, says(8), List.of(wide), Allocatable.UNKNOWN).slots().free())
        .as("on its way")
        .isEqualTo(5);
    Reading has =
        new Working(
            new PinnerReport(
                List.of("1", "2", "3", "4", "5", "6"),
                List.of(new PinnerExecutor("team", "exec-w", "w", "Pinned", List.of("7", "8"))),
                0));
    SlotCount slots = counted(plan, has, List.of(wide), Allocatable.UNKNOWN).slots();
    assertThat(slots.capacity()).isEqualTo(8);
    assertThat(slots.free()).isEqualTo(5);
  }

  /** It keeps what an earlier layout gave, and blocks no slot, one or two. */
  @ParameterizedTest
  @CsvSource({"8, 7", "7, 7", "6, 6"})
  void anExecutorOfAnEarlierLayoutGetsNoSlot(int free, int published) {
    Reading reading =
        new Working(
            new PinnerReport(
                List.of("1", "2", "3", "4", "5", "6", "7", "8").subList(0, free),
                List.of(new PinnerExecutor("team", "exec-a", "a", "EarlierLayout", List.of())),
                0));
    NodePlan plan = plan(PinnedNodes.byRuntime(8));
    assertThat(counted(plan, reading, List.of(executor("a")), Allocatable.UNKNOWN).slots().free())
        .isEqualTo(published);
  }

  /** From before its profile was pinned by the runtime, and before all executors had it. */
  @Test
  void anExecutorWithoutTheAnnotationIsOnNoWay() {
    SlotCount slots =
        counted(says(2), List.of(executor("old", 1, false)), Allocatable.UNKNOWN).slots();
    assertThat(slots.free()).isEqualTo(2);
    assertThat(slots.capacity()).isEqualTo(3);
    assertThat(slots.lost()).isZero();
  }

  /** Two slots of 4 CPUs and 7 GiB or so each. */
  @ParameterizedTest
  @CsvSource({
    // allocatable, requested by another pod, free, lost, shared CPUs are too few
    "14,  64Gi, 6,    1Gi,  2, 0, false",
    "14,  64Gi, 6001m, 1Gi, 1, 1, false",
    "14,  64Gi, 11,   1Gi,  0, 2, true",
    "14,  64Gi, 2,    62Gi, 0, 2, false",
    "14,  64Gi, 1e30, 1Gi,  0, 2, true",
    ",    ,     11,   1Gi,  2, 0, true",
  })
  void whatTheSchedulerFindsNoRoomForIsLost(
      String cpus, String memory, String taken, String bytes, int free, int lost, boolean tooFew) {
    Pod other =
        new PodBuilder()
            .withNewMetadata()
            .withName("db")
            .withUid("db")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("db")
            .withNewResources()
            .withRequests(Map.of("cpu", new Quantity(taken), "memory", new Quantity(bytes)))
            .endResources()
            .endContainer()
            .endSpec()
            .build();
    SlotCount slots =
        counted(says(2), List.of(other), new Allocatable(amount(cpus), amount(memory))).slots();
    assertThat(slots.free()).isEqualTo(free);
    assertThat(slots.lost()).isEqualTo(lost);
    assertThat(SharedCpus.of(WANTED, List.of(other)).areTooFew())
        .as("8 CPUs are shared")
        .isEqualTo(tooFew);
  }

  private static Optional<BigDecimal> amount(String quantity) {
    return Optional.ofNullable(quantity).map(text -> new Quantity(text).getNumericalAmount());
  }

  private static SlotCount count(Reading reading, String... bound) {
    List<Pod> pods = new ArrayList<>();
    for (String uid : bound) {
      pods.add(executor(uid));
    }
    return counted(reading, pods, Allocatable.UNKNOWN).slots();
  }

  private static NodeCount counted(Reading reading, List<Pod> pods, Allocatable allocatable) {
    return counted(PLAN, reading, pods, allocatable);
  }

  private static NodeCount counted(
      NodePlan plan, Reading reading, List<Pod> pods, Allocatable allocatable) {
    return NodeCounter.count(
        "a", plan, pods, List.of(), allocatable, Optional.of(reading), Optional.empty());
  }

  private static String[] words(String text) {
    return text.isBlank() ? new String[0] : text.split(" ");
  }
}
