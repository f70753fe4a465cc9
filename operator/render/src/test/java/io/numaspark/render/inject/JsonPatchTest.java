package io.numaspark.render.inject;

import static io.numaspark.render.inject.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {
  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}           | {a: 1}             | '[]'
          {a: 1}           | {a: 2}             | '[{op: replace, path: /a, value: 2}]'
          {a: 1}           | {}                 | '[{op: remove, path: /a}]'
          {}               | {a: {b: 1}}        | '[{op: add, path: /a, value: {b: 1}}]'
          {a: {b: 1}}      | {a: {b: 1, c/~: 2}} | '[{op: add, path: /a/c~1~0, value: 2}]'
          {a: [1]}         | {a: [1, 2, 3]}     | '[{op: add, path: /a/-, value: 2}, {op: add, path: /a/-, value: 3}]'
          {a: [1, 2]}      | {a: [1]}           | '[{op: replace, path: /a, value: [1]}]'
          {a: [{b: 1}]}    | {a: [{b: 2}]}      | '[{op: replace, path: /a, value: [{b: 2}]}]'
          {a: null}        | {a: 1}             | '[{op: replace, path: /a, value: 1}]'
          {a: 1}           | {a: null}          | '[{op: replace, path: /a, value: null}]'
          """)
  void theOperationsAreTheLeastThatAreSafe(String before, String after, String operations) {
    JsonNode wanted = tree("{all: " + operations + "}").get("all");
    assertThat(JsonPatch.between(tree(before), tree(after))).isEqualTo(wanted);
  }

  @Test
  void aLongListOfAStrangerTakesNoTime() {
    ObjectNode before = tree("{a: []}");
    for (int i = 0; i < 200_000; i++) {
      before.withArray("/a").add(i);
    }
    ObjectNode after = before.deepCopy();
    after.withArray("/a").insert(0, -1);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertThat(JsonPatch.between(before, after)).hasSize(1));
  }
}
