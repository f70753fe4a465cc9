package io.numaspark.agent.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.numaspark.agent.answer.Json;
import io.numaspark.api.v1alpha1.CpuModel;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.WantedKnobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnTopologyTest {
  private static final Map<String, Object> KNOBS =
      Map.of(
          "profile",
          "p",
          "scope",
          "Executors",
          "settings",
          Map.of("memory.swappiness", "1"),
          "enforced",
          List.of("memory.swappiness"));

  @TempDir Path directory;
  private FakeApiServer server;
  private OwnTopology topology;

  @BeforeEach
  void start() throws Exception {
    server = new FakeApiServer(directory);
    topology = new OwnTopology(server.address(), "n");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void makesTheObjectOnceAndThenWritesOnlyDifferences() throws IOException {
    assertThat(topology.refresh()).isFalse();
    assertThat(topology.hasSpec(spec(1, "static"))).isFalse();
    assertThat(topology.writeSpec(spec(1, "static"))).as("made").isTrue();
    assertThat(server.object()).containsEntry("kind", "SparkNodeTopology");
    assertThat(topology.hasSpec(spec(1, "static"))).isTrue();
    assertThat(topology.hasSpec(spec(2, "static"))).isFalse();
    assertThat(topology.writeSpec(spec(2, "static"))).as("made").isFalse();
    assertThat(memory()).isEqualTo(2);
  }

  @Test
  void keepsWhatTheOperatorHasWrittenInBetween() throws IOException {
    topology.writeSpec(spec(1, "static"));
    server.beforeNextWrite(() -> server.put("knobs", KNOBS));
    topology.writeSpec(spec(2, "static"));
    assertThat(memory()).isEqualTo(2);
    assertThat(Json.object(server.object(), "spec")).containsEntry("knobs", KNOBS);
    assertThat(topology.hasSpec(spec(2, "static"))).isTrue();
    assertThat(topology.wishes().knobs())
        .contains(
            new WantedKnobs(
                "p",
                WantedKnobs.Scope.Executors,
                new TreeMap<>(Map.of("memory.swappiness", "1")),
                List.of("memory.swappiness")));
  }

  @Test
  void keepsTheKubeletsSettingsWhileTheyAreNotKnown() throws IOException {
    topology.writeSpec(spec(1, "static"));
    assertThat(topology.hasSpec(spec(1, null))).isTrue();
    topology.writeSpec(spec(2, null));
    assertThat(Json.object(Json.object(server.object(), "spec"), "kubelet"))
        .containsEntry("cpuManagerPolicy", "static");
  }

  @Test
  void makesAnObjectAnewThatSomebodyHasDeleted() throws IOException {
    topology.writeSpec(spec(1, "static"));
    server.delete();
    assertThat(topology.writeSpec(spec(1, "static"))).isTrue();
    assertThat(memory()).isEqualTo(1);
  }

  @Test
  void writesTheStatusWhoeverHasWrittenBefore() throws IOException {
    topology.writeSpec(spec(1, "static"));
    server.put("knobs", KNOBS);
    topology.writeStatus(status(1L, "boot"));
    assertThat(Json.object(server.object(), "status")).containsEntry("bootId", "boot");
    assertThat(Json.object(server.object(), "spec")).containsKey("knobs");
  }

  @Test
  void writesNoStatusOfWhatDoesNotExist() throws IOException {
    topology.refresh();
    server.requests.clear();
    topology.writeStatus(status(null, ""));
    assertThat(server.requests).isEmpty();
  }

  @Test
  void givesUpWhenEveryWriteIsAConflict() throws IOException {
    topology.writeSpec(spec(1, "static"));
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          server.put("knobs", KNOBS);
          server.beforeNextWrite(again[0]);
        };
    server.beforeNextWrite(again[0]);
    assertThatThrownBy(() -> topology.writeSpec(spec(2, "static")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("409: the object has been modified");
  }

  @Test
  void learnsFromAWatch() throws IOException {
    topology.writeSpec(spec(1, "static"));
    server.tell(
        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"8\"}}}",
        "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\",\"generation\":7},"
            + "\"spec\":{\"knobs\":{\"profile\":\"q\",\"settings\":{\"memory.swappiness\":\"5\"}}}}}");
    List<Long> generations = new ArrayList<>();
    topology.watch(() -> generations.add(topology.wishes().generation()));
    assertThat(generations).containsExactly(7L);
    assertThat(topology.wishes().knobs().orElseThrow().settings())
        .containsEntry("memory.swappiness", "5");

    server.tell("{\"type\":\"DELETED\",\"object\":{}}");
    topology.watch(() -> {});
    assertThat(topology.wishes().knobs()).isEmpty();
    assertThat(topology.hasSpec(spec(1, "static"))).isFalse();
  }

  @Test
  void saysThatAWatchHasToBeginAnew() throws IOException {
    topology.writeSpec(spec(1, "static"));
    server.tell("{\"type\":\"ERROR\",\"object\":{\"code\":410,\"message\":\"too old\"}}");
    assertThatThrownBy(() -> topology.watch(() -> {}))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.gone()).isTrue());
  }

  /** Each would take the whole heap, or the whole stack. */
  @ParameterizedTest
  @ValueSource(strings = {"long", "deep", "null"})
  void refusesAChangeThatNoServerTells(String kind) throws Exception {
    topology.writeSpec(spec(1, "static"));
    server.tell(
        switch (kind) {
          case "long" -> "{\"type\":\"" + "x".repeat(3 * 1024 * 1024) + "\"}";
          case "deep" -> "{\"object\":" + "[".repeat(900) + "]".repeat(900) + "}";
          default -> "null";
        });
    Throwable[] thrown = new Throwable[1];
    Thread small =
        new Thread(
            null,
            () -> thrown[0] = catchThrowable(() -> topology.watch(() -> {})),
            "image",
            256 * 1024);
    small.start();
    small.join();
    assertThat(thrown[0]).isInstanceOf(IOException.class);
  }

  @Test
  void showsItsTokenToNobodyThatItIsSentTo() throws IOException {
    server.redirect();
    assertThatThrownBy(() -> topology.refresh()).hasMessageContaining("302");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void readsTheTokenForEachRequest() throws IOException {
    Files.writeString(directory.resolve("token"), "old");
    assertThatThrownBy(() -> topology.refresh())
        .isInstanceOf(ApiException.class)
        .hasMessage("the API server answers 401: Unauthorized");
    Files.writeString(directory.resolve("token"), "a-token");
    assertThat(topology.refresh()).isFalse();
  }

  private static SparkNodeTopologyStatus status(Long generation, String bootId) {
    return new SparkNodeTopologyStatus(
        generation, "now", "1", bootId, null, List.of(), List.of(), List.of());
  }

  private Number memory() {
    Map<String, Object> spec = Json.object(server.object(), "spec");
    return (Number) ((Map<?, ?>) ((List<?>) spec.get("numaNodes")).get(0)).get("memory");
  }

  private static SparkNodeTopologySpec spec(long memory, String cpuManagerPolicy) {
    return new SparkNodeTopologySpec(
        new CpuModel("GenuineIntel", 6, 62, "on", null),
        List.of(new NumaNodeSpec(0, 0, memory, null, List.of(10), List.of("0,1"), null)),
        cpuManagerPolicy == null
            ? null
            : new KubeletSpec(
                cpuManagerPolicy, null, null, null, null, null, "0", null, null, null, null));
  }
}
