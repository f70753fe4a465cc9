package io.numaspark.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class NullFieldsTest {
  @Test
  void fieldsGoAndItemsAreReported() throws IOException {
    JsonNode tree = tree("{'a': null, 'b': {'c': null, 'd': [1, null, {'e': null, 'f': [null]}]}}");
    assertThat(NullFields.drop(tree, "")).containsExactly("b.d[1]", "b.d[2].f[0]");
    assertThat(tree).isEqualTo(tree("{'b': {'d': [1, null, {'f': [null]}]}}"));
  }

  @Test
  void pathsBeginWithTheNameOfTheTree() throws IOException {
    assertThat(NullFields.drop(tree("{'a': [null]}"), "spec.driver"))
        .containsExactly("spec.driver.a[0]");
    assertThat(NullFields.drop(tree("[null]"), "")).containsExactly("[0]");
    assertThat(NullFields.drop(tree("1"), "")).isEmpty();
  }

  private static JsonNode tree(String json) throws IOException {
    return new ObjectMapper().readTree(json.replace('\'', '"'));
  }
}
