package io.numaspark.render.inject;

import static io.numaspark.render.inject.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.inject.Review.Left;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationReviewTest {
  private static final String RECORD = "/metadata/annotations/numaspark.io~1injected";
  private static final String SUMMARY = "/metadata/annotations/numaspark.io~1injection";
  private static final String REASON = "/metadata/annotations/numaspark.io~1not-injected";

  private static final String KUBEFLOW =
      """
      apiVersion: sparkoperator.k8s.io/v1beta2
      kind: SparkApplication
      metadata: {name: etl, namespace: jobs}
      spec:
        type: Scala
        sparkVersion: 4.1.0
        executor: {instances: 2, cores: 12, memory: 10g, labels: {team: a}}
      """;

  private final ApplicationReview review =
      new ApplicationReview(
          name ->
              Optional.of(name)
                  .filter("test"::equals)
                  .<PinningOffer>map(known -> Trees.offer())
                  .orElse(new PinningOffer.None("there is no SparkNodeProfile " + name)));

  private final ObjectNode stored = ((Pinned) review.created(tree(KUBEFLOW), "test")).object();

  @Test
  void aNewApplicationIsSplit() {
    JsonNode executor = stored.at("/spec/executor");
    assertThat(executor.path("instances").asInt()).isEqualTo(4);
    assertThat(executor.path("cores").asInt()).isEqualTo(6);
    assertThat(executor.path("coreRequest").asText()).isEqualTo("6");
    assertThat(executor.path("labels").path("team").asText()).isEqualTo("a");
    assertThat(executor.at("/template/spec/nodeSelector/example.com~1pool").asText())
        .isEqualTo("spark");
    assertThat(
            executor
                .at("/template/spec/containers/0/resources/limits/slots.numaspark.io~1test")
                .asText())
        .isEqualTo("1");
    assertThat(stored.at(SUMMARY).asText())
        .startsWith("SparkApplication etl: 2 x 12 cores and 10g become 4 x 6 cores");
  }

  @Test
  void theSecondCallForANewApplicationChangesNothing() {
    assertThat(review.created(stored, "test")).isEqualTo(new Unchanged());
  }

  @Test
  void numbersOfEitherTypeAreEqual() {
    ObjectNode ints = tree(stored.toString());
    assertThat(review.created(ints, "test")).isEqualTo(new Unchanged());
    assertThat(review.changed(stored, ints, "test")).isEqualTo(new Unchanged());
  }

  @Test
  void whatCannotBePinnedStaysAndSaysWhy() {
    ObjectNode sent = tree(KUBEFLOW);
    sent.withObject("/spec/executor").putArray("sidecars").addObject().put("name", "proxy");
    Left left = (Left) review.created(sent, "test");
    assertThat(left.object().at("/spec")).isEqualTo(InjectionRecord.normal(sent).at("/spec"));
    assertThat(left.object().at(REASON).asText())
        .startsWith("spec.executor.sidecars[0] (proxy): has no cpu limit");
  }

  @Test
  void aProfileThatCannotBeUsedIsNamed() {
    Left left = (Left) review.created(tree(KUBEFLOW), "gone");
    assertThat(left.reasons()).containsExactly("there is no SparkNodeProfile gone");
    assertThat(left.object().at(REASON).asText()).isEqualTo("there is no SparkNodeProfile gone");
  }

  @Test
  void whatSomebodyInjectedForAnotherProfileStays() {
    assertThat(review.created(stored, "other")).isEqualTo(new Unchanged());
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource({
    "/spec/suspend, true",
    "/spec/timeToLiveSeconds, 60",
    "/spec/executor/labels/team, b",
    "/metadata/labels/x, y"
  })
  void otherFieldsDoNotBringANewPlan(String pointer, String value) {
    ObjectNode now = changed(stored, tree -> put(tree, pointer, value));
    ApplicationReview later = new ApplicationReview(name -> new PinningOffer.None("no plan now"));
    assertThat(review.changed(stored, now, "test")).isEqualTo(new Unchanged());
    assertThat(later.changed(stored, now, "test")).isEqualTo(new Unchanged());
  }

  @Test
  void theSameManifestAppliedAgainGetsTheSameValues() {
    ObjectNode now =
        changed(
            stored,
            tree -> {
              ObjectNode executor = (ObjectNode) tree.at("/spec/executor");
              executor.put("instances", 2).put("cores", 12).put("memory", "10g");
            });
    assertThat(((Pinned) review.changed(stored, now, "test")).object()).isEqualTo(stored);
    ApplicationReview later = new ApplicationReview(name -> new PinningOffer.None("no plan now"));
    assertThat(((Pinned) later.changed(stored, now, "test")).object()).isEqualTo(stored);
  }

  @Test
  void aReplacedManifestGetsTheSameValues() {
    assertThat(((Pinned) review.changed(stored, tree(KUBEFLOW), "test")).object())
        .isEqualTo(stored);
  }

  @Test
  void aNewWishIsSplitAnew() {
    ObjectNode now = tree(KUBEFLOW);
    now.withObject("/spec/executor").put("instances", 5);
    JsonNode executor =
        ((Pinned) review.changed(stored, now, "test")).object().at("/spec/executor");
    assertThat(executor.path("instances").asInt()).isEqualTo(10);
    assertThat(executor.path("cores").asInt()).isEqualTo(6);
  }

  /** kubectl apply sends what differs from the stored object: the cores, and not the instances. */
  @Test
  void aWishThatEqualsAnInjectedValueCounts() {
    ObjectNode now =
        changed(
            stored,
            tree -> ((ObjectNode) tree.at("/spec/executor")).put("cores", 12).put("memory", "10g"));
    assertThat(now.at("/spec/executor/instances").asInt()).isEqualTo(4);
    JsonNode executor =
        ((Pinned) review.changed(stored, now, "test")).object().at("/spec/executor");
    assertThat(executor.path("instances").asInt()).isEqualTo(8);
    assertThat(executor.path("cores").asInt()).isEqualTo(6);
  }

  @Test
  void anEditOfWhatWasInjectedCountsInExecutorsOfTheProfile() {
    ObjectNode now =
        changed(stored, tree -> ((ObjectNode) tree.at("/spec/executor")).put("instances", 5));
    ObjectNode object = ((Pinned) review.changed(stored, now, "test")).object();
    assertThat(object.at("/spec/executor/instances").asInt()).isEqualTo(5);
    assertThat(object.at("/spec/executor/cores").asInt()).isEqualTo(6);
    assertThat(object.at("/spec/executor/template"))
        .isEqualTo(stored.at("/spec/executor/template"));
    assertThat(review.changed(object, object, "test")).isEqualTo(new Unchanged());
  }

  @Test
  void aSidecarThatComesLaterTakesTheInjectionBack() {
    ObjectNode now =
        changed(
            stored,
            tree ->
                ((ObjectNode) tree.at("/spec/executor"))
                    .putArray("sidecars")
                    .addObject()
                    .put("name", "proxy"));
    Left left = (Left) review.changed(stored, now, "test");
    assertThat(left.object().at("/spec/executor/instances").asInt()).isEqualTo(2);
    assertThat(left.object().at("/spec/executor").has("template")).isFalse();
    assertThat(left.object().at(RECORD).isMissingNode()).isTrue();
    assertThat(left.object().at(REASON).asText()).contains("proxy");
  }

  @Test
  void anApplicationFromBeforeTheOptInIsNotTouched() {
    ObjectNode before = tree(KUBEFLOW);
    ObjectNode now = changed(before, tree -> put(tree, "/spec/suspend", "true"));
    assertThat(review.changed(before, now, "test")).isEqualTo(new Unchanged());
    ObjectNode larger =
        changed(before, tree -> ((ObjectNode) tree.at("/spec/executor")).put("instances", 4));
    assertThat(review.changed(before, larger, "test")).isInstanceOf(Pinned.class);
  }

  @Test
  void valuesReturnToTheRightContainerOnly() {
    ObjectNode sent = tree(KUBEFLOW);
    ObjectNode spark = sent.withArray("/spec/executor/template/spec/containers").addObject();
    spark.put("name", "spark-kubernetes-executor");
    ObjectNode old = ((Pinned) review.created(sent, "test")).object();
    ObjectNode now = tree(KUBEFLOW);
    var containers = now.withArray("/spec/executor/template/spec/containers");
    containers
        .addObject()
        .put("name", "log")
        .putObject("resources")
        .set("limits", tree("{cpu: 100m, memory: 64Mi}"));
    containers.addObject().put("name", "spark-kubernetes-executor");
    JsonNode result =
        ((Pinned) review.changed(old, now, "test"))
            .object()
            .at("/spec/executor/template/spec/containers");
    assertThat(result.get(0).at("/resources/limits").has("slots.numaspark.io/test")).isFalse();
    assertThat(result.get(1).at("/resources/limits").has("slots.numaspark.io/test")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no JSON
          '{"profile":"test","set":{"/spec/executor/cores":6},"was":{}}'
          '{"profile":"test","set":{"x":1,"/-":[1],"/spec/executor/labels/-":[1]},"was":{}}'
          '{"profile":"test","set":{"/metadata":{}},"was":{"/metadata":1}}'
          """)
  void aForgedRecordChangesNothingElse(String record) {
    ObjectNode sent = tree(KUBEFLOW);
    sent.withObject("/metadata/annotations").put("numaspark.io/injected", record);
    ObjectNode now = changed(sent, tree -> put(tree, "/spec/suspend", "true"));
    for (Review result : List.of(review.created(sent, "test"), review.changed(sent, now, "test"))) {
      ObjectNode object =
          result instanceof Pinned pinned ? pinned.object() : ((Left) result).object();
      assertThat(object.at("/metadata/name").asText()).isEqualTo("etl");
      assertThat(object.at("/metadata/namespace").asText()).isEqualTo("jobs");
      assertThat(object.at("/spec/type").asText()).isEqualTo("Scala");
      assertThat(object.at("/spec/executor/labels/team").asText()).isEqualTo("a");
    }
  }

  @ParameterizedTest(name = "{0} changes, pointers of {1} characters")
  @CsvSource({"501, 20", "1, 1001"})
  void aRecordThatIsTooLargeIsNotRead(int changes, int length) {
    ObjectNode record = tree("{profile: test, set: {}, was: {}}");
    for (int i = 0; i < changes; i++) {
      record.withObject("/set").put("/" + "x".repeat(length - 5) + (1000 + i), 1);
    }
    ObjectNode sent = tree(KUBEFLOW);
    sent.withObject("/metadata/annotations").put("numaspark.io/injected", record.toString());
    Left left = (Left) review.created(sent, "test");
    assertThat(left.reasons().get(0)).contains("is not what numaspark inject writes");
    assertThat(left.object().at("/spec")).isEqualTo(InjectionRecord.normal(sent).at("/spec"));
  }

  @Test
  void annotationsThatAreFullStayAsTheyAre() {
    ObjectNode sent = tree(KUBEFLOW);
    sent.withObject("/metadata/annotations").put("a", "x".repeat((256 << 10) - 100));
    Left left = (Left) review.created(sent, "test");
    assertThat(left.object()).isEqualTo(InjectionRecord.normal(sent));
    assertThat(left.reasons().get(0)).startsWith("metadata.annotations: have no room");
  }

  @Test
  void applicationsOfApacheKeepTheirShapeToo() {
    ObjectNode sent =
        tree(
            """
            apiVersion: spark.apache.org/v1
            kind: SparkApplication
            metadata: {name: pi}
            spec:
              mainClass: a.Main
              sparkConf: {spark.executor.instances: '2', spark.executor.cores: '12', spark.executor.memory: 10g}
            """);
    ObjectNode old = ((Pinned) review.created(sent, "test")).object();
    assertThat(old.at("/spec/sparkConf/spark.executor.instances").asText()).isEqualTo("4");
    assertThat(((Pinned) review.changed(old, sent, "test")).object()).isEqualTo(old);
  }

  private static ObjectNode changed(ObjectNode tree, Consumer<ObjectNode> change) {
    ObjectNode copy = tree.deepCopy();
    change.accept(copy);
    return copy;
  }

  private static void put(ObjectNode tree, String pointer, String value) {
    int slash = pointer.lastIndexOf('/');
    ObjectNode parent = tree.withObject(pointer.substring(0, slash));
    JsonNode typed =
        Map.<String, JsonNode>of("true", tree.booleanNode(true), "60", tree.numberNode(60L))
            .getOrDefault(value, tree.textNode(value));
    parent.set(pointer.substring(slash + 1), typed);
  }
}
