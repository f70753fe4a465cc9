package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.slots.RejectionJudge;
import io.numaspark.controller.store.PlanStore.PlanInput;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which rejected pods are believed: an executor that is one, and what forgers make of it. */
class RejectionInboxTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private final PlanStore plans = new PlanStore();
  private final SparkApplication application = Samples.application("app", "nodeProfile: dual");
  private final RejectionInbox inbox;

  RejectionInboxTest() {
    SparkNodeProfile profile = Samples.profile("dual", "a");
    plans.put(
        profile,
        new PlanInput("uid", profile.getSpec(), Map.of(), Map.of()),
        ProfilePlanner.plan(
            profile.getSpec(),
            List.of(new MatchedNode("n-1", Optional.of(Samples.dualSocket("n-1")))),
            false));
    application.setStatus(
        Serialization.unmarshal(
            """
            applicationState: {state: RUNNING}
            sparkApplicationId: spark-1
            driverInfo: {podUid: driver-uid}
            executorShape: {slots: 1}
            """,
            SparkApplicationStatus.class));
    RejectionJudge judge =
        new RejectionJudge(
            plans::onNode,
            (namespace, name) ->
                Optional.of(application)
                    .filter(known -> namespace.equals("default") && name.equals("app")));
    inbox = new RejectionInbox(judge::isOfKnownAttempt, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @Test
  void anExecutorThatASchedulerBoundIsBelievedOnce() {
    Pod bound = bound();
    Pod rejected = rejected();
    // The informer's cache has the version before without what slots do not depend on.
    inbox.offer(Optional.of(BoundPods.trimmed(bound)), rejected);
    inbox.offer(Optional.of(BoundPods.trimmed(rejected)), rejected);
    assertThat(inbox.take("n-1")).hasSize(1);
    assertThat(inbox.take("n-1")).isEmpty();
  }

  @Test
  void aKubeletThatKeepsTheConditionIsBelievedAtFirstSight() {
    Pod rejected = rejected();
    rejected.getStatus().setConditions(bound().getStatus().getConditions());
    inbox.offer(Optional.empty(), rejected);
    assertThat(inbox.take("n-1")).hasSize(1);
  }

  @Test
  void aPodWhoseAuthorWroteTheNodesNameIsNotBelieved() {
    Pod bound = bound();
    bound.getStatus().setConditions(List.of());
    inbox.offer(Optional.of(bound), rejected());
    inbox.offer(Optional.empty(), rejected());
    assertThat(inbox.take("n-1")).isEmpty();
  }

  static Stream<Arguments> forgeries() {
    return Stream.of(
        forgery("of another application", pod -> label(pod, "numaspark.io/application", "other")),
        forgery("of no application", pod -> label(pod, "numaspark.io/application", null)),
        forgery("of another namespace", pod -> pod.getMetadata().setNamespace("theirs")),
        forgery("of a profile that does not exist", pod -> label(pod, "numaspark.io/profile", "x")),
        forgery("of an earlier attempt", pod -> label(pod, "spark-app-selector", "spark-0")),
        forgery("no executor", pod -> label(pod, "spark-role", "driver")),
        forgery("nobody's", pod -> pod.getMetadata().setOwnerReferences(List.of())),
        forgery(
            "of another driver",
            pod -> pod.getMetadata().getOwnerReferences().get(0).setUid("other")),
        forgery("on a node without slots", pod -> pod.getSpec().setNodeName("n-2")),
        forgery("without a slot", pod -> resource(pod, "slots.numaspark.io/dual", null)),
        forgery("of two slots", pod -> resource(pod, "slots.numaspark.io/dual", "2")),
        forgery("of 2^31 slots", pod -> resource(pod, "slots.numaspark.io/dual", "2147483648")),
        forgery("of more CPUs than a slot", pod -> resource(pod, "cpu", "5")),
        forgery("of 999 CPUs", pod -> resource(pod, "cpu", "999")),
        forgery("of more memory than a slot", pod -> resource(pod, "memory", "9Gi")),
        forgery("of no number", pod -> resource(pod, "memory", "1e999999999")),
        forgery("of the shared pool", pod -> resource(pod, "cpu", "3500m")),
        forgery("of a device", pod -> resource(pod, "example.com/gpu", "1")),
        forgery("not rejected", pod -> pod.getStatus().setReason("NodeAffinity")),
        forgery("not failed", pod -> pod.getStatus().setPhase("Pending")));
  }

  private static Arguments forgery(String name, Consumer<Pod> change) {
    return Arguments.of(name, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forgeries")
  void otherPodsAreNotBelieved(String name, Consumer<Pod> change) {
    Pod bound = bound();
    Pod rejected = rejected();
    change.accept(rejected);
    inbox.offer(Optional.of(bound), rejected);
    assertThat(inbox.take("n-1")).isEmpty();
    assertThat(inbox.take("n-2")).isEmpty();
  }

  @Test
  void anAttemptThatHasEndedIsNotBelieved() {
    application.setStatus(
        Serialization.unmarshal(
            """
            applicationState: {state: COMPLETED}
            sparkApplicationId: spark-1
            terminationTime: "2026-11-21T07:00:00Z"
            driverInfo: {podUid: driver-uid}
            """,
            SparkApplicationStatus.class));
    inbox.offer(Optional.of(bound()), rejected());
    assertThat(inbox.take("n-1")).isEmpty();
  }

  @Test
  void theInboxOfANodeIsBounded() {
    for (int i = 0; i < RejectionInbox.MOST_OF_A_NODE + 10; i++) {
      Pod rejected = rejected();
      rejected.getMetadata().setUid("uid-" + i);
      inbox.offer(Optional.of(bound()), rejected);
    }
    assertThat(inbox.take("n-1")).hasSize(RejectionInbox.MOST_OF_A_NODE);
  }

  private static void label(Pod pod, String label, String value) {
    Map<String, String> labels = new HashMap<>(pod.getMetadata().getLabels());
    labels.put(label, value);
    labels.values().removeIf(given -> given == null);
    pod.getMetadata().setLabels(labels);
  }

  private static void resource(Pod pod, String resource, String amount) {
    var resources = pod.getSpec().getContainers().get(0).getResources();
    Map<String, Quantity> requests = new HashMap<>(resources.getRequests());
    requests.remove(resource);
    if (amount != null) {
      requests.put(resource, new Quantity(amount));
    }
    resources.setRequests(requests);
    resources.setLimits(requests);
  }

  private static Pod bound() {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: e-1
          namespace: default
          uid: uid-1
          labels:
            numaspark.io/application: app
            numaspark.io/profile: dual
            spark-role: executor
            spark-app-selector: spark-1
          ownerReferences: [{apiVersion: v1, kind: Pod, name: driver, uid: driver-uid, controller: true}]
        spec:
          nodeName: n-1
          containers:
          - name: main
            resources:
              requests: {cpu: "4", memory: 1Gi, slots.numaspark.io/dual: "1"}
              limits: {cpu: "4", memory: 1Gi, slots.numaspark.io/dual: "1"}
        status:
          phase: Pending
          qosClass: Guaranteed
          conditions: [{type: PodScheduled, status: "True"}]
        """,
        Pod.class);
  }

  /** As a kubelet leaves it: without the condition that the API server set. */
  private static Pod rejected() {
    Pod pod = bound();
    pod.getStatus().setConditions(List.of());
    pod.getStatus().setPhase("Failed");
    pod.getStatus().setReason("TopologyAffinityError");
    pod.getStatus().setMessage("Pod was rejected");
    return pod;
  }
}
