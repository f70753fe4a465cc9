package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSelectorTest {
  private static final Map<String, String> LABELS = Map.of("pool", "metal", "zone", "a");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                    | true
          {matchLabels: {pool: metal}}                                          | true
          {matchLabels: {pool: metal, zone: b}}                                 | false
          {matchLabels: {rack: r1}}                                             | false
          {matchExpressions: [{key: pool, operator: In, values: [x, metal]}]}   | true
          {matchExpressions: [{key: rack, operator: In, values: [r1]}]}         | false
          {matchExpressions: [{key: pool, operator: NotIn, values: [metal]}]}   | false
          {matchExpressions: [{key: rack, operator: NotIn, values: [r1]}]}      | true
          {matchExpressions: [{key: pool, operator: Exists}]}                   | true
          {matchExpressions: [{key: rack, operator: Exists}]}                   | false
          {matchExpressions: [{key: rack, operator: DoesNotExist}]}             | true
          {matchExpressions: [{key: pool, operator: DoesNotExist, values: []}]} | false
          {matchLabels: {zone: a}, matchExpressions: [{key: rack, operator: Exists}]} | false
          """)
  void matchesAsKubernetesDoes(String selector, boolean matches) {
    assertThat(selector(selector).matches(LABELS)).isEqualTo(matches);
  }

  @Test
  void aNodeWithoutLabelsMatchesOnlyWhatAsksForNone() {
    assertThat(selector("{}").matches(null)).isTrue();
    assertThat(selector("{matchLabels: {pool: metal}}").matches(null)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {key: pool, operator: in, values: [a]}     | operator 'in' of key 'pool' is not one of In, NotIn, Exists, DoesNotExist
          {key: pool, operator: Gt, values: ["1"]}   | operator 'Gt' of key 'pool' is not one of
          {key: pool}                                | operator 'null' of key 'pool' is not one of
          {key: pool, operator: In}                  | operator In of key 'pool' needs values
          {key: pool, operator: NotIn, values: []}   | operator NotIn of key 'pool' needs values
          {key: pool, operator: Exists, values: [a]} | operator Exists of key 'pool' takes no values
          """)
  void aBadExpressionIsRefusedAtOnce(String expression, String text) {
    assertThatThrownBy(() -> selector("{matchExpressions: [" + expression + "]}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("spec.nodeSelector.matchExpressions: ")
        .hasMessageContaining(text);
  }

  private static NodeSelector selector(String yaml) {
    return new NodeSelector(Serialization.unmarshal("--- " + yaml, LabelSelector.class));
  }
}
