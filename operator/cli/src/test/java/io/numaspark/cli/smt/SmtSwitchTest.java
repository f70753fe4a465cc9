package io.numaspark.cli.smt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.cli.text.InputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmtSwitchTest {
  private final FakeNode node = new FakeNode();
  private final List<String> said = new ArrayList<>();
  private boolean agrees = true;
  private boolean dryRun;
  private boolean deleteEmptyDirData;
  private boolean force;

  /** One run of the command. */
  private void run(FakeNode on, SmtTarget target) {
    Person person =
        new Person() {
          @Override
          public void say(String line) {
            said.add(line);
          }

          @Override
          public boolean agrees(String question) {
            said.add(question);
            return agrees;
          }
        };
    new SmtSwitch(
            on,
            new SmtSwitch.Request(
                FakeNode.NAME,
                target,
                dryRun,
                Optional.empty(),
                new DrainOptions(deleteEmptyDirData, force, Duration.ofMinutes(15)),
                "run-" + on.calls),
            person,
            on)
        .run();
  }

  private void run(SmtTarget target) {
    run(node, target);
  }

  /** Whether the run was killed; a later call never comes. */
  private boolean isKilledAt(int call, FakeNode on) {
    on.killAt = on.calls + call;
    try {
      run(on, SmtTarget.OFF);
      return false;
    } catch (FakeNode.Killed e) {
      return true;
    } finally {
      on.killAt = -1;
    }
  }

  private static void assertReleased(FakeNode released) {
    assertThat(released.cordoned).isFalse();
    assertThat(released.annotation).isNull();
    assertThat(released.namespaces).isEmpty();
    assertThat(released.pods).containsKey("kube-system/agent");
  }

  @Test
  void switchesADrainedNode() {
    run(SmtTarget.OFF);
    assertThat(node.events)
        .containsExactly("cordon", "evict default/etl-exec-1", "switch off", "uncordon");
    assertThat(node.control).isEqualTo("off");
    assertReleased(node);
    assertThat(said)
        .contains(
            "Pods to be evicted: default/etl-exec-1",
            "Evict 1 pods and switch SMT of node numa-0 off?",
            "SMT of node numa-0 is off, with 8 CPUs and reservedSystemCPUs 0")
        .anySatisfy(line -> assertThat(line).contains("nosmt"));

    run(SmtTarget.ON);
    assertThat(node.control).isEqualTo("on");
    assertReleased(node);
  }

  @Test
  void whatIsSoAlreadyIsLeftAlone() {
    run(SmtTarget.ON);
    assertThat(said).containsExactly("SMT of node numa-0 is on already, with 16 CPUs");
    assertThat(node.events).isEmpty();
  }

  @Test
  void continuesWhereverItWasKilled() {
    int call = 0;
    for (boolean isKilled = true; isKilled; ) {
      call++;
      FakeNode fresh = new FakeNode();
      isKilled = isKilledAt(call, fresh);
      if (isKilled) {
        run(fresh, SmtTarget.OFF);
      }
      assertThat(fresh.control).as("killed at call %d", call).isEqualTo("off");
      assertThat(fresh.cordoned).as("killed at call %d", call).isFalse();
      assertThat(fresh.annotation).as("killed at call %d", call).isNull();
      assertThat(fresh.events)
          .as("killed at call %d", call)
          .filteredOn(event -> !event.equals("switch off"))
          .containsExactly("cordon", "evict default/etl-exec-1", "uncordon");
    }
    assertThat(call).isGreaterThan(25);
  }

  @Test
  void aCordonOfAPersonStaysWhereverItWasKilled() {
    int call = 0;
    for (boolean isKilled = true; isKilled; ) {
      call++;
      FakeNode fresh = new FakeNode();
      fresh.cordoned = true;
      isKilled = isKilledAt(call, fresh);
      if (isKilled) {
        run(fresh, SmtTarget.OFF);
      }
      assertThat(fresh.cordoned).as("killed at call %d", call).isTrue();
      assertThat(fresh.annotation).isNull();
      assertThat(fresh.events).doesNotContain("cordon", "uncordon");
    }
  }

  @Test
  void aBudgetIsWaitedFor() {
    node.budgetRefusals = 3;
    run(SmtTarget.OFF);
    assertThat(node.control).isEqualTo("off");
  }

  @Test
  void aDrainThatTakesTooLongLeavesTheNodeCordonedAndCanBeGivenUp() {
    node.budgetRefusals = Integer.MAX_VALUE;
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(NotSwitched.class)
        .hasMessageContaining(
            "PodDisruptionBudgets do not allow the eviction of default/etl-exec-1")
        .hasMessageContaining("--to on to give up");
    assertThat(node.cordoned).isTrue();
    assertThat(node.events).doesNotContain("switch off");

    run(SmtTarget.ON);
    assertReleased(node);
    assertThat(node.events).doesNotContain("switch on", "evict default/etl-exec-1");
  }

  @Test
  void theOtherDirectionIsSwitchedIfTheNodeMayHaveChanged() {
    node.switchAnswer = "{\"state\": \"failed\", \"message\": \"the kubelet is broken\"}";
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .hasMessageContaining("the kubelet is broken")
        .hasMessageContaining("stays cordoned");
    assertThat(node.cordoned).isTrue();
    assertThat(SwitchMark.of(node.node(FakeNode.NAME).orElseThrow())).isPresent();
    node.switchAnswer = null;
    run(SmtTarget.ON);
    assertThat(node.events).contains("switch on");
    assertReleased(node);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rolledBack", "refused"})
  void aNodeThatWasNotSwitchedIsReleased(String state) {
    node.switchAnswer = "{\"state\": \"%s\", \"message\": \"a reason\"}".formatted(state);
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(NotSwitched.class)
        .hasMessageContaining("the node is as before: a reason");
    assertReleased(node);
  }

  @Test
  void aKubeletThatCannotBeChangedIsFoundBeforeTheDrain() {
    node.checkAnswer = "{\"state\": \"refused\", \"message\": \"remove the flag --reserved-cpus\"}";
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(NotSwitched.class)
        .hasMessageContaining("remove the flag --reserved-cpus")
        .hasMessageContaining("Nothing was changed");
    assertThat(node.events).isEmpty();
    assertReleased(node);
  }

  @Test
  void aResultThatNobodyConfirmsKeepsTheNodeCordoned() {
    node.switchAnswer = "{\"state\": \"switched\", \"cpus\": 8}";
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .hasMessageContaining("the kubelet counts 16 CPUs, and 8 are online")
        .hasMessageContaining("stays cordoned");
    assertThat(node.cordoned).isTrue();
  }

  @Test
  void dryRunChangesNothing() {
    dryRun = true;
    run(SmtTarget.OFF);
    assertThat(node.events).isEmpty();
    assertReleased(node);
    assertThat(said).contains("Pods to be evicted: default/etl-exec-1");
  }

  @Test
  void aPersonWhoDoesNotAgreeChangesNothing() {
    agrees = false;
    assertThatThrownBy(() -> run(SmtTarget.OFF)).hasMessage("nothing was changed");
    assertThat(node.events).isEmpty();
    assertReleased(node);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forceoff     | nosmt=force",
        "notsupported | one thread",
        "4            | only on and off"
      })
  void whatTheKernelCannotSwitchIsRefused(String control, String why) {
    node.control = control;
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(why);
    assertThat(node.events).isEmpty();
  }

  @Test
  void podsThatWouldBeLostAreNamed() {
    node.add("team", "scratch", "ReplicaSet", "main", "emptyDir: {}");
    node.add("team", "lonely", "", "main", "{}");
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("team/scratch have emptyDir volumes")
        .hasMessageContaining("team/lonely have no controller")
        .hasMessageContaining("--delete-emptydir-data")
        .hasMessageContaining("--force");
    assertThat(node.events).isEmpty();
    deleteEmptyDirData = true;
    force = true;
    run(SmtTarget.OFF);
    assertThat(node.events).contains("evict team/scratch", "evict team/lonely");
  }

  @Test
  void aNodeThatIsNotReadyIsRefused() {
    node.ready = false;
    assertThatThrownBy(() -> run(SmtTarget.OFF)).hasMessageContaining("not Ready");
  }

  @Test
  void withoutAgentTheImageIsMissing() {
    node.pods.remove("kube-system/agent");
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("--image");
  }

  @Test
  void anImageWithoutTheProgramIsNamed() {
    node.lostPods = Integer.MAX_VALUE;
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .hasMessageContaining("StartError: exec: no such file")
        .hasMessageContaining("numaspark/agent:dev needs numaspark-smt");
    assertThat(node.events).isEmpty();
  }

  @Test
  void anImageThatCannotBePulledIsNamed() {
    node.waitingReason = "ImagePullBackOff";
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .hasMessageContaining("ImagePullBackOff")
        .hasMessageContaining("--image");
  }

  @Test
  void aLostPodIsCreatedAgain() {
    node.lostPods = 2;
    run(SmtTarget.OFF);
    assertReleased(node);
  }

  @Test
  void anApiServerMayFailForAWhile() {
    int[] outages = {1};
    node.beforeUpdate = () -> node.outages = outages[0]-- > 0 ? 3 : 0;
    run(SmtTarget.OFF);
    assertReleased(node);
    node.beforeUpdate = () -> node.outages = Integer.MAX_VALUE;
    assertThatThrownBy(() -> run(SmtTarget.ON)).isInstanceOf(InputException.class);
  }

  @Test
  void ofTwoRunsTheLaterOneContinues() {
    node.budgetRefusals = Integer.MAX_VALUE;
    boolean[] took = {false};
    node.onEviction =
        () -> {
          if (!took[0]) {
            took[0] = true;
            node.changedByAnother(
                () ->
                    node.annotation =
                        SwitchMark.of(node.node(FakeNode.NAME).orElseThrow())
                            .orElseThrow()
                            .continuedBy("another", SmtTarget.OFF)
                            .text());
          }
        };
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(NotSwitched.class)
        .hasMessageContaining("another run of this command");
    assertThat(node.cordoned).isTrue();
    assertThat(node.events).doesNotContain("switch off");
  }

  @Test
  void anUncordonMeanwhileStopsIt() {
    node.budgetRefusals = Integer.MAX_VALUE;
    node.onEviction = () -> node.changedByAnother(() -> node.cordoned = false);
    assertThatThrownBy(() -> run(SmtTarget.OFF)).hasMessageContaining("uncordoned meanwhile");
    assertThat(node.events).doesNotContain("switch off");
  }

  @Test
  void aConflictIsTriedAgain() {
    int[] conflicts = {3};
    node.beforeUpdate =
        () -> {
          if (conflicts[0]-- > 0) {
            node.changedByAnother(() -> {});
          }
        };
    run(SmtTarget.OFF);
    assertReleased(node);
  }

  @Test
  void theMarkOfAnotherProgramIsRefused() {
    node.annotation = "{\"to\": \"sideways\"}";
    assertThatThrownBy(() -> run(SmtTarget.OFF))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("numaspark.io/smt-switch");
  }

  @Test
  void showsTheState() {
    var seen = node.node(FakeNode.NAME).orElseThrow();
    assertThat(SmtText.of(seen, SmtSwitch.state(node, seen)))
        .isEqualTo(
            """
            Node:     numa-0
            SMT:      on
            CPUs:     0-15 (16 of 8 cores); the kubelet counts 16
            Reserved: 0-1
            Reported: 2026-01-01T09:59:00Z
            """);
    node.budgetRefusals = Integer.MAX_VALUE;
    assertThatThrownBy(() -> run(SmtTarget.OFF)).isInstanceOf(NotSwitched.class);
    seen = node.node(FakeNode.NAME).orElseThrow();
    assertThat(SmtText.of(seen, SmtSwitch.state(node, seen)))
        .contains("Node:     numa-0, cordoned", "Switch:   to off since 2026-01-01T10:00")
        .contains("draining; to continue: numaspark smt numa-0 --to off");
  }
}
