package io.numaspark.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The API server's words for a value that breaks a keyword of a schema
 * (k8s.io/apimachinery/pkg/util/validation/field, k8s.io/kube-openapi/pkg/validation/errors).
 */
final class AdmissionText {
  /** A value is a stranger's text, and the text goes into statuses. */
  private static final int LONGEST_VALUE = 256;

  private AdmissionText() {}

  static String of(String field, Error error) {
    JsonNode value = error.getInstanceNode();
    JsonNode limit = error.getSchemaNode();
    String types =
        limit.isArray()
            ? limit.valueStream().map(JsonNode::asText).collect(Collectors.joining(","))
            : limit.asText();
    return switch (error.getKeyword()) {
      case "required" -> "Required value";
      case "type" ->
          invalid(
              field,
              "\"" + type(value) + "\"",
              "must be of type " + types + ": \"" + type(value) + "\"");
      case "enum" ->
          "Unsupported value: "
              + shown(value)
              + ": supported values: "
              + limit.valueStream().map(JsonNode::toString).collect(Collectors.joining(", "));
      case "minimum" ->
          invalid(field, shown(value), "should be greater than or equal to " + number(limit));
      case "maximum" ->
          invalid(field, shown(value), "should be less than or equal to " + number(limit));
      case "pattern" -> invalid(field, shown(value), "should match '" + limit.asText() + "'");
      case "minLength" ->
          invalid(field, shown(value), "should be at least " + limit + " chars long");
      case "maxLength" -> "Too long: may not be more than " + limit + " bytes";
      case "minItems" ->
          invalid(field, String.valueOf(value.size()), "should have at least " + limit + " items");
      case "maxItems", "maxProperties" ->
          "Too many: " + value.size() + ": must have at most " + limit + " items";
      default -> throw new IllegalStateException(error.getKeyword() + " is in no CRD");
    };
  }

  /** How a value of the right type is written. */
  static String remedy(Error error) {
    return error.getKeyword().equals("type")
        ? switch (error.getSchemaNode().asText()) {
          case "integer" -> "; write for example 4, without quotes";
          case "string" -> "; put it in quotes";
          case "boolean" -> "; write true or false, without quotes";
          case "array" -> "; write its items below it, each after a dash";
          case "object" -> "; write its fields below it, as name: value";
          default -> "";
        }
        : "";
  }

  private static String invalid(String field, String value, String rule) {
    return "Invalid value: " + value + ": " + field + " in body " + rule;
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
  }

  private static String type(JsonNode node) {
    return switch (node.getNodeType()) {
      case NUMBER -> node.isIntegralNumber() ? "integer" : "number";
      default -> node.getNodeType().name().toLowerCase(Locale.ROOT);
    };
  }

  private static String number(JsonNode limit) {
    return new BigDecimal(limit.asText()).stripTrailingZeros().toPlainString();
  }
}
