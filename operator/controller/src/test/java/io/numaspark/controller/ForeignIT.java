package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Executors that others create are counted and announced, and nothing else is done with them; the
 * tests play driver, webhook, kubelet and agent.
 */
class ForeignIT extends OperatorAgainstApiServer {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final Map<String, String> WEBHOOK = Map.of("NUMASPARK_WEBHOOK", "true");
  private static final String CPUS =
      "requests: {cpu: 4, memory: 2Gi}, limits: {cpu: 4, memory: 2Gi}";

  @Test
  void thoseWithSlotsAreCountedByWhatTheAgentSays() {
    start(WEBHOOK);
    node("others", "f1");
    create(Samples.dualSocket("others"));
    create(Samples.profile("lent", "f1"));
    eventually(() -> assertReady(profileStatus("lent").conditions(), "True", "SlotsPublished"));
    slotted("seen", "lent");
    slotted("lacking", "lent");
    executor("plain", "app-1", "", CPUS);
    runs("seen");
    runs("lacking");
    runs("plain");
    eventually(() -> assertThat(metrics()).contains(series("lent", "unknown") + " 2.0"));
    agentTells("seen");
    eventually(
        () ->
            assertThat(metrics())
                .contains(series("lent", "true") + " 1.0", series("lent", "false") + " 1.0")
                .doesNotContain(series("lent", "unknown")));

    String version = pod("lacking").getMetadata().getResourceVersion();
    remove("seen");
    eventually(() -> assertThat(metrics()).doesNotContain(series("lent", "true")));
    assertThat(pod("lacking").getMetadata().getResourceVersion())
        .as("what others created is not touched")
        .isEqualTo(version);
    remove("lacking");
    eventually(() -> assertThat(metrics()).doesNotContain("numaspark_foreign_executors{"));
  }

  @Test
  void whatTheWebhookLeftIsSaidOnceForAnApplication() {
    start(WEBHOOK);
    optIn("dual");
    String why = "numaspark.io/not-injected: \"spark.executor.memory: set 2g\"";
    executor("left-1", "app-1", why, CPUS);
    executor("left-2", "app-1", why, CPUS);
    executor("left-3", "app-2", why, CPUS);
    eventually(
        () -> {
          assertThat(events("NotInjected"))
              .hasSize(2)
              .allSatisfy(
                  event -> assertThat(event.getNote()).isEqualTo("spark.executor.memory: set 2g"))
              .allSatisfy(event -> assertThat(event.getType()).isEqualTo("Warning"));
          assertThat(metrics())
              .contains(
                  "numaspark_foreign_executors_not_injected{namespace=\"%s\"} 3.0"
                      .formatted(namespace));
        });
    executor("left-4", "app-1", why, CPUS);
    stays(() -> assertThat(events("NotInjected")).hasSize(2));

    // Another leader says it at most once more, and a later one not at all.
    stop();
    start(WEBHOOK);
    eventually(
        () ->
            assertThat(metrics())
                .contains("numaspark_foreign_executors_not_injected{namespace=\"" + namespace));
    stays(() -> assertThat(events("NotInjected")).hasSizeBetween(2, 4));
    int said = events("NotInjected").size();
    stop();
    start(WEBHOOK, Clock.offset(Clock.systemUTC(), Duration.ofMinutes(11)));
    eventually(
        () ->
            assertThat(metrics())
                .contains("numaspark_foreign_executors_not_injected{namespace=\"" + namespace));
    stays(() -> assertThat(events("NotInjected")).hasSize(said));
    assertThat(events("NotReviewed")).isEmpty();
  }

  @Test
  void whatNobodyReviewedIsSaidOnlyOfPodsThatTheWebhookShouldHaveSeen() throws Exception {
    start(WEBHOOK);
    executor("before", "app-0", "", CPUS);
    optIn("dual");
    // Creation times have a resolution of one second, and the API server's cache follows.
    Thread.sleep(8_000);
    executor("reviewed", "app-1", "numaspark.io/injection: \"has 1 slot\"", CPUS);
    slotted("template", "dual");
    executor("missed-1", "app-2", "", CPUS);
    executor("missed-2", "app-2", "", CPUS);
    client
        .pods()
        .inNamespace(namespace)
        .resource(ofOthers("opted-out", "app-3", "", CPUS, ", numaspark.io/inject: \"false\""))
        .create();
    eventually(
        () ->
            assertThat(events("NotReviewed"))
                .singleElement()
                .satisfies(
                    event -> {
                      assertThat(event.getRegarding().getName()).startsWith("missed-");
                      assertThat(event.getNote()).contains("no slot of profile dual");
                    }));
    stays(() -> assertThat(events("NotReviewed")).hasSize(1));

    stop();
    start(WEBHOOK);
    stays(() -> assertThat(events("NotReviewed")).hasSize(1));
  }

  /** Without a webhook the operator has no right to read namespaces. */
  @Test
  void withoutAWebhookOrThePodsOfOthersNothingIsWatched() {
    for (Map<String, String> settings :
        List.of(
            Map.<String, String>of(),
            Map.of("NUMASPARK_WEBHOOK", "true", "NUMASPARK_FOREIGN_PODS", "false"))) {
      start(settings);
      optIn("dual");
      executor("left", "app-1", "numaspark.io/not-injected: why", CPUS);
      stays(
          () -> {
            assertThat(metrics()).doesNotContain("numaspark_foreign_executors");
            assertThat(events("NotInjected")).isEmpty();
          });
      stop();
      remove("left");
    }
  }

  private String series(String profile, String pinned) {
    return "numaspark_foreign_executors{namespace=\"%s\",pinned=\"%s\",profile=\"%s\"}"
        .formatted(namespace, pinned, profile);
  }

  private void optIn(String profile) {
    client
        .namespaces()
        .withName(namespace)
        .patch(
            MERGE,
            "{\"metadata\": {\"labels\": {\"numaspark.io/inject\": \"%s\"}}}".formatted(profile));
  }

  private void slotted(String name, String profile) {
    executor(
        name,
        "app-s",
        "",
        "requests: {cpu: 4, memory: 2Gi, slots.numaspark.io/%s: 1}, limits: {cpu: 4, memory: 2Gi, slots.numaspark.io/%s: 1}"
            .formatted(profile, profile));
  }

  private void executor(String name, String application, String annotations, String resources) {
    client
        .pods()
        .inNamespace(namespace)
        .resource(ofOthers(name, application, annotations, resources, ""))
        .create();
  }

  private static Pod ofOthers(
      String name, String application, String annotations, String resources, String labels) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          labels: {spark-role: executor, spark-app-selector: %s, spark-exec-id: "1"%s}
          annotations: {%s}
        spec:
          nodeName: others
          terminationGracePeriodSeconds: 0
          containers:
          - {name: spark-kubernetes-executor, image: i, resources: {%s}}
        """
            .formatted(name, application, labels, annotations, resources),
        Pod.class);
  }

  private Pod pod(String name) {
    return client.pods().inNamespace(namespace).withName(name).get();
  }

  private void remove(String name) {
    client.pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
  }

  private void runs(String name) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(name)
        .subresource("status")
        .patch(
            MERGE,
            """
            {"status": {"phase": "Running", "containerStatuses": [{"name": "spark-kubernetes-executor", "image": "i", "imageID": "i",
              "ready": true, "restartCount": 0, "containerID": "containerd://%s", "state": {"running": {"startedAt": "%s"}}}]}}
            """
                .formatted(name, Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS)));
  }

  /** A complete report, in which only this executor has CPUs of its own. */
  private void agentTells(String name) {
    client
        .resources(SparkNodeTopology.class)
        .withName("others")
        .subresource("status")
        .patch(
            MERGE,
            """
            {"status": {"heartbeat": "%s", "conditions": [{"type": "PinningRead", "status": "True", "reason": "Read", "message": "", "lastTransitionTime": "%s"}],
              "exclusive": [{"namespace": "%s", "pod": "%s", "container": "spark-kubernetes-executor", "podUid": "%s", "containerId": "%s",
                "cpus": "1-2,9-10", "memoryNodes": "0", "kernelCpus": "1-2,9-10", "kernelMemoryNodes": "0"}]}}
            """
                .formatted(
                    Instant.now(),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS),
                    namespace,
                    name,
                    pod(name).getMetadata().getUid(),
                    name));
  }

  private List<Event> events(String reason) {
    return client.events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }
}
