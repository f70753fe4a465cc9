package io.numaspark.render.executors;

import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.fixture.Specs.withDefaults;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another operator's executors are those that our own operator would start. */
class PinnedExecutorsTest {
  private final ProfileContext profile =
      context(profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}"), node("a", 7));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "type: Scala, executor: {instances: 3, cores: 5}",
        "type: Python, executor: {instances: 9, memory: 20g}",
        "type: Java, executor: {javaOptions: -XX:+UseG1GC}",
        "type: Java, workload: ShuffleHeavy, executor: {instances: 1}"
      })
  void agreesWithTheRenderer(String fields) {
    SparkApplication application =
        Resources.application(
            "{metadata: {name: a, namespace: b, uid: c}, spec: {driver: {}, image: i, mainClass: m,"
                + " mainApplicationFile: f, nodeProfile: test, "
                + fields
                + "}}");
    Manifests ours =
        (Manifests) new ApplicationRenderer("spark").render(application, Optional.of(profile));
    PinnedExecutors theirs = PinnedExecutors.of(withDefaults(application), profile).orElseThrow();
    assertThat(theirs.executors()).isEqualTo(ours.executors());
    assertThat(ours.sparkConf()).containsAllEntriesOf(theirs.sparkConf());
    assertThat(theirs.sparkConf())
        .containsKeys("spark.kubernetes.executor.limit.cores", "spark.executor.memoryOverhead");
  }

  /** A static kubelet pins Guaranteed pods: without the limit they are none. */
  @Test
  void executorsThatAreOnlyObservedHaveNoCpuLimitAndTheSameSize() {
    SparkApplication application =
        Resources.application(
            "{metadata: {name: a, namespace: b, uid: c}, spec: {driver: {}, image: i, mainClass: m,"
                + " mainApplicationFile: f, nodeProfile: test, type: Scala}}");
    ProfileContext observed =
        context(
            profile(
                "pinning: {mode: Observe}, "
                    + "executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}"),
            node("a", 7));
    Map<String, String> pinned = conf(application, profile);
    Map<String, String> free = conf(application, observed);
    assertThat(free).doesNotContainKey("spark.kubernetes.executor.limit.cores");
    pinned.remove("spark.kubernetes.executor.limit.cores");
    assertThat(free).isEqualTo(pinned);
  }

  private static Map<String, String> conf(SparkApplication application, ProfileContext profile) {
    Manifests manifests =
        (Manifests) new ApplicationRenderer("spark").render(application, Optional.of(profile));
    return new TreeMap<>(manifests.sparkConf());
  }
}
