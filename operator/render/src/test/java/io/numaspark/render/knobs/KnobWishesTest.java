package io.numaspark.render.knobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.PrefetchSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedKnobs.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KnobWishesTest {
  static Stream<Arguments> profiles() {
    return Stream.of(
        Arguments.of(
            "observing", "prefetch: {l1NextLine: Disabled}", "prefetch.l1NextLine=Disabled", ""),
        Arguments.of(
            "enforcing prefetchers, observing memory",
            "prefetch: {mode: Enforce, l2Stream: Enabled}\nmemory: {transparentHugePages: Madvise}",
            "memory.transparentHugePages=Madvise prefetch.l2Stream=Enabled",
            "prefetch.l2Stream"),
        Arguments.of(
            "every memory knob",
            "memory: {mode: Enforce, transparentHugePages: Never, numaBalancing: Disabled, zoneReclaim: Enabled, swappiness: 0}",
            "memory.numaBalancing=Disabled memory.swappiness=0 memory.transparentHugePages=Never memory.zoneReclaim=Enabled",
            "memory.transparentHugePages memory.numaBalancing memory.zoneReclaim memory.swappiness"),
        Arguments.of(
            "what is not managed is not named",
            "prefetch: {mode: Enforce, l1Stride: Unmanaged, llcStream: Disabled}",
            "prefetch.llcStream=Disabled",
            "prefetch.llcStream"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void wishesAreWhatIsManaged(String name, String yaml, String settings, String enforced) {
    WantedKnobs wanted = KnobWishes.of("p", spec(yaml)).orElseThrow();
    assertThat(wanted.profile()).isEqualTo("p");
    assertThat(wanted.scope()).isEqualTo(Scope.Node);
    assertThat(
            wanted.settings().entrySet().stream()
                .map(Map.Entry::toString)
                .collect(Collectors.joining(" ")))
        .isEqualTo(settings);
    assertThat(String.join(" ", wanted.enforced())).isEqualTo(enforced);
  }

  static Stream<String> empty() {
    return Stream.of(
        "prefetch: {}",
        "prefetch: {mode: Enforce}\nmemory: {mode: Enforce}",
        "memory: {numaBalancing: Unmanaged}",
        "executor: {}");
  }

  @ParameterizedTest
  @MethodSource("empty")
  void nothingManagedIsNoWish(String yaml) {
    assertThat(KnobWishes.of("p", spec(yaml))).isEmpty();
  }

  @Test
  void theScopeIsThatOfThePrefetchers() {
    assertThat(KnobWishes.of("p", spec("prefetch: {scope: Executors, l1Stride: Disabled}")))
        .map(WantedKnobs::scope)
        .contains(Scope.Executors);
  }

  /** A prefetcher that is added to the API must not be forgotten here. */
  @Test
  void everyPrefetcherOfTheApiBecomesAKnobOfItsName() {
    List<String> names =
        Arrays.stream(PrefetchSpec.class.getRecordComponents())
            .filter(component -> component.getType() == PrefetchSpec.Prefetcher.class)
            .map(component -> component.getName())
            .toList();
    String all = names.stream().map(name -> name + ": Disabled").collect(Collectors.joining(", "));
    Set<String> knobs =
        KnobWishes.of("p", spec("prefetch: {" + all + "}")).orElseThrow().settings().keySet();
    assertThat(knobs)
        .hasSize(10)
        .containsExactlyInAnyOrderElementsOf(
            names.stream().map(name -> "prefetch." + name).toList());
  }

  private static SparkNodeProfileSpec spec(String yaml) {
    return Serialization.unmarshal("nodeSelector: {}\n" + yaml, SparkNodeProfileSpec.class);
  }
}
