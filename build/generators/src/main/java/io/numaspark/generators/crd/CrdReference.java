package io.numaspark.generators.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.generators.GeneratedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A page of docs/reference: the fields of a kind, as its CRD has them. */
final class CrdReference {
  private CrdReference() {}

  static GeneratedFile of(ObjectNode complete) {
    JsonNode crd = complete.deepCopy();
    withoutTemplate(crd);
    JsonNode names = crd.at("/spec/names");
    return new GeneratedFile(
        "docs/reference/" + names.path("singular").asText() + ".md", page(crd, names));
  }

  private static String page(JsonNode crd, JsonNode names) {
    JsonNode schema = crd.at("/spec/versions/0/schema/openAPIV3Schema");
    StringBuilder page = new StringBuilder();
    page.append("# ").append(names.path("kind").asText());
    page.append("\n\n<!-- Generated from crds/: `make generate`. -->\n\n");
    page.append(schema.path("description").asText());
    page.append("\n\nScope: ").append(crd.at("/spec/scope").asText()).append(". Short name: `");
    String shortName = names.at("/shortNames/0").asText();
    page.append(shortName).append("`. The same in a terminal: `kubectl explain ");
    page.append(shortName).append(".spec`.\n");
    for (String part : List.of("spec", "status")) {
      page.append("\n## ").append(part).append("\n\n");
      page.append(
          "| field | type | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n");
      rows("", schema.path("properties").path(part), page);
    }
    rules(schema, page);
    return page.toString();
  }

  /** A schedule's template is the spec of an application, which has a page. */
  private static void withoutTemplate(JsonNode crd) {
    JsonNode template =
        crd.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/template");
    if (template instanceof ObjectNode schema) {
      String description = schema.path("description").asText();
      schema.removeAll();
      schema.put("type", "object");
      schema.put("description", description + " [Its fields](sparkapplication.md#spec).");
    }
  }

  private static void rows(String path, JsonNode schema, StringBuilder page) {
    Set<String> required = new TreeSet<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    schema
        .path("properties")
        .properties()
        .forEach(
            field -> {
              String at = path + field.getKey();
              JsonNode value = field.getValue();
              List<String> cells =
                  List.of(
                      "`" + at + "`" + (required.contains(field.getKey()) ? " (required)" : ""),
                      type(value),
                      value.has("default") ? "`" + value.path("default") + "`" : "",
                      allowed(value),
                      value.path("description").asText());
              page.append("| ");
              page.append(
                  cells.stream().map(CrdReference::cell).collect(Collectors.joining(" | ")));
              page.append(" |\n");
              rows(at + ".", value, page);
              rows(at + "[].", value.path("items"), page);
              rows(at + ".*.", value.path("additionalProperties"), page);
            });
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }

  private static String type(JsonNode schema) {
    if (schema.has("items")) {
      return "list of " + type(schema.path("items"));
    }
    if (schema.path("additionalProperties").isObject()) {
      return "map of " + type(schema.path("additionalProperties"));
    }
    return schema.path("x-kubernetes-int-or-string").asBoolean()
        ? "integer or string"
        : schema.path("type").asText("any");
  }

  /** What the schema itself refuses; rules over several fields are in a section of their own. */
  private static String allowed(JsonNode schema) {
    List<String> allowed = new ArrayList<>();
    if (schema.has("enum")) {
      allowed.add(
          StreamSupport.stream(schema.path("enum").spliterator(), false)
              .map(value -> "`" + value.asText() + "`")
              .collect(Collectors.joining(", ")));
    }
    range(schema.path("minimum"), schema.path("maximum"), "", allowed);
    range(schema.path("minLength"), schema.path("maxLength"), " characters", allowed);
    range(schema.path("minItems"), schema.path("maxItems"), " entries", allowed);
    range(schema.path("minProperties"), schema.path("maxProperties"), " entries", allowed);
    if (schema.has("pattern")) {
      allowed.add("`" + schema.path("pattern").asText() + "`");
    }
    return String.join("; ", allowed);
  }

  private static void range(JsonNode least, JsonNode most, String unit, List<String> allowed) {
    if (!least.isMissingNode() && !most.isMissingNode()) {
      allowed.add(number(least) + " to " + number(most) + unit);
    } else if (!least.isMissingNode()) {
      allowed.add("at least " + number(least) + unit);
    } else if (!most.isMissingNode()) {
      allowed.add("at most " + number(most) + unit);
    }
  }

  private static String number(JsonNode value) {
    return String.valueOf(value.asLong());
  }

  private static void rules(JsonNode schema, StringBuilder page) {
    Set<String> messages = new TreeSet<>();
    schema
        .findValues("x-kubernetes-validations")
        .forEach(rules -> rules.forEach(rule -> messages.add(rule.path("message").asText())));
    messages.remove("");
    if (!messages.isEmpty()) {
      page.append(
          "\n## Rules\n\nWhat the API server refuses beyond the tables, with its messages:\n\n");
      messages.forEach(message -> page.append("- ").append(message).append("\n"));
    }
  }
}
