package io.numaspark.render.sparktrial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 7396, appendix A. */
class MergePatchTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      textBlock =
          """
          {"a":"b"}           | {"a":"c"}                    | {"a":"c"}
          {"a":"b"}           | {"b":"c"}                    | {"a":"b","b":"c"}
          {"a":"b"}           | {"a":null}                   | {}
          {"a":"b","b":"c"}   | {"a":null}                   | {"b":"c"}
          {"a":["b"]}         | {"a":"c"}                    | {"a":"c"}
          {"a":"c"}           | {"a":["b"]}                  | {"a":["b"]}
          {"a":{"b":"c"}}     | {"a":{"b":"d","c":null}}     | {"a":{"b":"d"}}
          {"a":[{"b":"c"}]}   | {"a":[1]}                    | {"a":[1]}
          ["a","b"]           | ["c","d"]                    | ["c","d"]
          {"a":"b"}           | ["c"]                        | ["c"]
          {"a":"foo"}         | null                         | null
          {"a":"foo"}         | "bar"                        | "bar"
          {"e":null}          | {"a":1}                      | {"e":null,"a":1}
          [1,2]               | {"a":"b","c":null}           | {"a":"b"}
          {}                  | {"a":{"bb":{"ccc":null}}}    | {"a":{"bb":{}}}
          """)
  void examplesOfTheStandard(String target, String patch, String result) throws Exception {
    JsonNode before = JSON.readTree(target);
    JsonNode copy = before.deepCopy();
    assertThat(MergePatch.apply(before, JSON.readTree(patch))).isEqualTo(JSON.readTree(result));
    assertThat(before).isEqualTo(copy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      textBlock =
          """
          {}                          | 0
          {"a":1}                     | 1
          {"a":{"b":1,"c":null}}      | 2
          {"a":[1,2,3]}               | 1
          """)
  void changesAreValues(String patch, int changes) throws Exception {
    assertThat(MergePatch.changes(JSON.readTree(patch))).isEqualTo(changes);
    assertThat(MergePatch.changes(null)).isZero();
  }
}
