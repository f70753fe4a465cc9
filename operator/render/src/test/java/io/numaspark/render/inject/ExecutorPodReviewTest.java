package io.numaspark.render.inject;

import static io.numaspark.render.inject.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.inject.Review.Left;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorPodReviewTest {
  private static final String REASON = "/metadata/annotations/numaspark.io~1not-injected";
  private static final String LIMITS = "/spec/containers/0/resources/limits";

  private final ExecutorPodReview review = new ExecutorPodReview(Trees.offer());

  /** As Spark's driver makes it (BasicExecutorFeatureStep). */
  private static ObjectNode pod(String resources) {
    return tree(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: etl-exec-1
          labels: {spark-role: executor, spark-exec-id: '1', spark-app-selector: spark-1}
        spec:
          tolerations: [{key: example.com/other, operator: Exists}]
          containers:
            - name: spark-kubernetes-executor
              args: [executor]
              resources: %s
        """
            .formatted(resources));
  }

  private static String resources(String cpu, String cpuLimit, String memory) {
    return "{requests: {cpu: '%s', memory: %s}, limits: {%smemory: %s}}"
        .formatted(cpu, memory, cpuLimit.isEmpty() ? "" : "cpu: '" + cpuLimit + "', ", memory);
  }

  @ParameterizedTest(name = "{0} CPUs, limit {1}, {2}: {3} slots")
  @CsvSource({
    "6, '', 5Gi, 1",
    "6, 6, 5Gi, 1",
    "6000m, '', 4505Mi, 1",
    "4, '', 1408Mi, 1",
    "8, '', 1408Mi, 3",
    "2, 2, 10137Mi, 3"
  })
  void anExecutorThatFitsGetsSlots(String cpu, String limit, String memory, String slots) {
    ObjectNode sent = pod(resources(cpu, limit, memory));
    ObjectNode pod = ((Pinned) review.created(sent)).object();
    assertThat(pod.at(LIMITS).path("cpu").asText()).isEqualTo(limit.isEmpty() ? cpu : limit);
    for (String part : new String[] {"limits", "requests"}) {
      assertThat(
              pod.at("/spec/containers/0/resources/" + part)
                  .path("slots.numaspark.io/test")
                  .asText())
          .isEqualTo(slots);
    }
    assertThat(pod.at("/spec/tolerations")).hasSize(2);
    assertThat(pod.at("/spec/nodeSelector/example.com~1pool").asText()).isEqualTo("spark");
    assertThat(pod.at("/metadata/annotations").has("numaspark.io/pin")).isFalse();
    assertThat(review.created(pod)).as("the second call").isEqualTo(new Unchanged());
  }

  @ParameterizedTest(name = "{0} CPUs, limit {1}, {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          7500m | ''   | 5Gi  | spark.kubernetes.executor.request.cores: is 7.5, and only whole CPUs are pinned
          6     | 8    | 5Gi  | spark.kubernetes.executor.limit.cores: is 8, above the request of 6
          3     | ''   | 1Gi  | spark.kubernetes.executor.request.cores, spark.executor.memory: an executor of 3 CPUs and 1024 MiB is not made of whole cores
          14    | ''   | 5Gi  | spark.kubernetes.executor.request.cores, spark.executor.memory: an executor of 14 CPUs and 5120 MiB takes 3 slots
          6     | ''   | 40Gi | spark.kubernetes.executor.request.cores, spark.executor.memory: an executor of 6 CPUs and 40960 MiB takes
          99999999999 | '' | 5Gi | spark.kubernetes.executor.request.cores: is 99999999999
          """)
  void anyOtherStaysAndSaysWhichPropertyToChange(
      String cpu, String limit, String memory, String reason) {
    ObjectNode sent = pod(resources(cpu, limit, memory));
    Left left = (Left) review.created(sent);
    assertThat(left.object().at(REASON).asText()).startsWith(reason);
    assertThat(left.object().at("/spec")).isEqualTo(sent.at("/spec"));
  }

  @Test
  void memoryThatAWebhookChangedKeepsItFromBeingPinned() {
    ObjectNode sent = pod("{requests: {cpu: 6, memory: 5Gi}, limits: {memory: 6Gi}}");
    assertThat(((Left) review.created(sent)).reasons().get(0))
        .startsWith("spec.containers[0].resources.limits.memory: differs from the request");
  }

  @Test
  void aSidecarThatIsAddedBetweenTwoCallsTakesThePinningBack() {
    ObjectNode sent = pod(resources("6", "", "5Gi"));
    ObjectNode pinned = ((Pinned) review.created(sent)).object();
    ((com.fasterxml.jackson.databind.node.ArrayNode) pinned.at("/spec/containers"))
        .addObject()
        .put("name", "mesh");
    Left left = (Left) review.created(pinned);
    assertThat(left.object().at(REASON).asText()).startsWith("spec.containers[1] (mesh)");
    assertThat(left.object().at(LIMITS).has("cpu")).isFalse();
    assertThat(left.object().at(LIMITS).has("slots.numaspark.io/test")).isFalse();
    assertThat(left.object().at("/spec").has("nodeSelector")).isFalse();
    assertThat(left.object().at("/metadata/annotations").size()).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {nodeName: numa-0}                                | spec.nodeName: bypasses
          {resources: {limits: {cpu: 8}}}                   | spec.resources: pod-level resources
          {initContainers: [{name: fetch}]}                 | spec.initContainers[0] (fetch): has no cpu limit
          {nodeSelector: {example.com/pool: other}}         | 'spec.nodeSelector["example.com/pool"]: is other'
          {containers: [{name: a}, {name: b}]}              | spec.containers: none of 2 is called
          {containers: []}                                  | spec.containers: none of 0 is called
          {tolerations: yes}                                | spec.tolerations: it is not a list
          """)
  void whatThePodHasBesideKeepsItFromBeingPinned(String fields, String reason) {
    ObjectNode sent = pod(resources("6", "", "5Gi"));
    ((ObjectNode) sent.get("spec")).setAll(tree(fields));
    Left left = (Left) review.created(sent);
    assertThat(left.object().at(REASON).asText()).startsWith(reason);
    assertThat(left.object().at("/spec")).isEqualTo(InjectionRecord.normal(sent).at("/spec"));
  }

  @Test
  void anExecutorWithASlotOfItsOwnStays() {
    ObjectNode sent = pod(resources("6", "6", "5Gi"));
    ((ObjectNode) sent.at(LIMITS)).put("slots.numaspark.io/other", "1");
    assertThat(review.created(sent)).isEqualTo(new Unchanged());
  }

  @Test
  void theOnlyContainerIsTheExecutor() {
    ObjectNode sent = pod(resources("6", "", "5Gi"));
    ((ObjectNode) sent.at("/spec/containers/0")).put("name", "mine");
    assertThat(review.created(sent)).isInstanceOf(Pinned.class);
  }

  @Test
  void theRuntimeGetsNoLimitAndIsToldHowManyCpus() {
    ProfileContext context = Trees.byRuntime();
    ExecutorPodReview byRuntime =
        new ExecutorPodReview(new PinningOffer.Usable(new Injection(context, Trees.NODES, true)));
    ObjectNode pod = ((Pinned) byRuntime.created(pod(resources("4", "4", "2Gi")))).object();
    JsonNode annotations = pod.at("/metadata/annotations");
    assertThat(pod.at(LIMITS).has("cpu")).isFalse();
    assertThat(annotations.path("numaspark.io/pin").asText()).isEqualTo("test");
    assertThat(annotations.path("numaspark.io/pin-slots").asText()).isEqualTo("1");
    assertThat(annotations.path("numaspark.io/pin-cpus").asText()).isEqualTo("4");
    assertThat(byRuntime.created(pod)).isEqualTo(new Unchanged());
  }

  @Test
  void aForgedRecordIsRefused() {
    ObjectNode sent = pod(resources("6", "", "5Gi"));
    sent.withObject("/metadata/annotations")
        .put("numaspark.io/injected", "{\"profile\":\"x\",\"set\":{\"/spec\":1},\"was\":{}}");
    Left left = (Left) review.created(sent);
    assertThat(left.object().at(REASON).asText()).contains("remove the annotation");
    assertThat(left.object().at("/spec")).isEqualTo(sent.at("/spec"));
  }

  @Test
  void withoutAPlanItSaysWhy() {
    Left left =
        (Left)
            new ExecutorPodReview(new PinningOffer.None("no node has a slot; add nodes"))
                .created(pod(resources("6", "", "5Gi")));
    assertThat(left.object().at(REASON).asText()).isEqualTo("no node has a slot; add nodes");
  }
}
