package io.numaspark.cli.smt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DrainTest {
  private static final DrainOptions CAREFUL = new DrainOptions(false, false, Duration.ofMinutes(1));

  private static Pod pod(String metadata, String spec, String status) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: Pod\nmetadata: {namespace: n, name: p%s}\nspec: {%s}\nstatus: {%s}\n"
            .formatted(metadata, spec, status),
        Pod.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "annotations: {kubernetes.io/config.mirror: x}",
        "ownerReferences: [{apiVersion: v1, kind: DaemonSet, name: d, uid: u, controller: true}]"
      })
  void whatBelongsToTheNodeStays(String metadata) {
    assertThat(Drain.of(List.of(pod(", " + metadata, "", "")), CAREFUL))
        .isEqualTo(new Drain(List.of(), List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Succeeded", "Failed"})
  void whatHasEndedStays(String phase) {
    assertThat(Drain.of(List.of(pod("", "", "phase: " + phase)), CAREFUL).toEvict()).isEmpty();
  }

  /** An owner that is not the controller, as a driver's ConfigMap has one, creates no pod again. */
  @Test
  void anOwnerIsNotAController() {
    Pod pod = pod(", ownerReferences: [{apiVersion: v1, kind: Pod, name: d, uid: u}]", "", "");
    assertThat(Drain.of(List.of(pod), CAREFUL).refusals())
        .containsExactly(
            "n/p have no controller that creates them again: end them, or add --force");
    assertThat(
            Drain.of(List.of(pod), new DrainOptions(false, true, Duration.ofMinutes(1))).toEvict())
        .containsExactly(pod);
  }

  @Test
  void namesAreBounded() {
    List<Pod> pods = IntStream.range(0, 12).mapToObj(i -> pod("", "", "")).toList();
    assertThat(Drain.names(pods)).endsWith("n/p and 2 more");
  }

  @ParameterizedTest
  @CsvSource({"90s, 90", "15m, 900", "2h, 7200"})
  void readsTimes(String text, long seconds) {
    assertThat(new DrainOptions.TimeConverter().convert(text)).hasSeconds(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0s", "15", "-1m", "1d", "1000000s"})
  void refusesOtherTimes(String text) {
    assertThatThrownBy(() -> new DrainOptions.TimeConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("90s, 15m or 2h");
  }
}
