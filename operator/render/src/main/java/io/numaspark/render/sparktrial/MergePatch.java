package io.numaspark.render.sparktrial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.StreamSupport;

/** JSON merge patches (RFC 7396). */
final class MergePatch {
  private MergePatch() {}

  /** The target with the patch applied; both are left as they are. */
  static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode result =
        target != null && target.isObject()
            ? target.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    patch
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isNull()) {
                result.remove(field.getKey());
              } else {
                result.set(field.getKey(), apply(result.get(field.getKey()), field.getValue()));
              }
            });
    return result;
  }

  /** How many values a patch changes. */
  static int changes(JsonNode patch) {
    if (patch == null || patch.isMissingNode()) {
      return 0;
    }
    return patch.isObject()
        ? StreamSupport.stream(patch.spliterator(), false).mapToInt(MergePatch::changes).sum()
        : 1;
  }
}
