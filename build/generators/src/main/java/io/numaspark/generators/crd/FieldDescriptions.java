package io.numaspark.generators.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Says of every field of a CRD's schema what it is, so that {@code kubectl explain} does.
 *
 * <p>Limit: our own fields are described where they are declared; here are only those of
 * Kubernetes' types, by their name and that of the field that holds them.
 */
final class FieldDescriptions {
  private final Properties ofKubernetes = new Properties();
  private final List<String> missing = new ArrayList<>();

  FieldDescriptions() throws IOException {
    try (var in =
        new InputStreamReader(
            FieldDescriptions.class.getResourceAsStream("kubernetes-fields.properties"),
            StandardCharsets.UTF_8)) {
      ofKubernetes.load(in);
    }
  }

  /** Describes what has no description yet; the paths of fields that still have none. */
  List<String> describe(JsonNode root) {
    fields("", "", root);
    return missing;
  }

  private void fields(String path, String holder, JsonNode schema) {
    schema
        .path("properties")
        .properties()
        .forEach(
            field -> {
              String name = field.getKey();
              String at = path.isEmpty() ? name : path + "." + name;
              field(at, path.isEmpty() ? name : holder + "." + name, (ObjectNode) field.getValue());
              fields(at, name, field.getValue());
            });
    for (String within : List.of("items", "additionalProperties")) {
      if (schema.path(within).isObject()) {
        fields(path, holder, schema.path(within));
      }
    }
  }

  private void field(String path, String name, ObjectNode schema) {
    if (!schema.has("description")) {
      String description = ofKubernetes.getProperty(name);
      if (description == null) {
        missing.add(path);
      } else {
        schema.put("description", description);
      }
    }
  }
}
