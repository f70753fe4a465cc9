package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.notes.Notes;
import java.util.List;
import java.util.Optional;

/**
 * Spark's properties of an Apache application: those that numaspark has a field for move there, the
 * others stay.
 */
final class ApacheConf {
  private static final String VERSION = "{{SPARK_VERSION}}";

  /** How a property's text becomes a field's value. */
  private enum Form {
    TEXT,
    NUMBER,
    BOOLEAN
  }

  private record Move(String property, String field, Form form) {}

  private static final List<Move> MOVES =
      List.of(
          new Move("spark.kubernetes.container.image", "image", Form.TEXT),
          new Move("spark.kubernetes.container.image.pullPolicy", "imagePullPolicy", Form.TEXT),
          new Move("spark.kubernetes.driver.container.image", "driver.image", Form.TEXT),
          new Move("spark.kubernetes.executor.container.image", "executor.image", Form.TEXT),
          new Move(
              "spark.kubernetes.authenticate.driver.serviceAccountName",
              "driver.serviceAccount",
              Form.TEXT),
          new Move("spark.driver.cores", "driver.cores", Form.NUMBER),
          new Move("spark.driver.memory", "driver.memory", Form.TEXT),
          new Move("spark.driver.memoryOverhead", "driver.memoryOverhead", Form.TEXT),
          new Move("spark.kubernetes.driver.request.cores", "driver.coreRequest", Form.TEXT),
          new Move("spark.kubernetes.driver.limit.cores", "driver.coreLimit", Form.TEXT),
          new Move("spark.executor.instances", "executor.instances", Form.NUMBER),
          new Move("spark.executor.cores", "executor.cores", Form.NUMBER),
          new Move("spark.executor.memory", "executor.memory", Form.TEXT),
          new Move("spark.executor.memoryOverhead", "executor.memoryOverhead", Form.TEXT),
          new Move("spark.kubernetes.executor.request.cores", "executor.coreRequest", Form.TEXT),
          new Move("spark.kubernetes.executor.limit.cores", "executor.coreLimit", Form.TEXT),
          new Move("spark.dynamicAllocation.enabled", "dynamicAllocation.enabled", Form.BOOLEAN),
          new Move(
              "spark.dynamicAllocation.initialExecutors",
              "dynamicAllocation.initialExecutors",
              Form.NUMBER),
          new Move(
              "spark.dynamicAllocation.minExecutors",
              "dynamicAllocation.minExecutors",
              Form.NUMBER),
          new Move(
              "spark.dynamicAllocation.maxExecutors",
              "dynamicAllocation.maxExecutors",
              Form.NUMBER),
          new Move(
              "spark.dynamicAllocation.shuffleTracking.enabled",
              "dynamicAllocation.shuffleTrackingEnabled",
              Form.BOOLEAN));

  private final ObjectNode spec;
  private final Notes notes;

  ApacheConf(ObjectNode spec, Notes notes) {
    this.spec = spec;
    this.notes = notes;
  }

  /**
   * Puts the properties into the spec.
   *
   * @param version what {{SPARK_VERSION}} stands for in the names of images
   */
  void move(JsonNode sparkConf, Optional<String> version) {
    if (!(sparkConf instanceof ObjectNode given)) {
      return;
    }
    ObjectNode conf = given.deepCopy();
    for (Move move : MOVES) {
      if (!conf.path(move.property()).isTextual()) {
        continue;
      }
      String text = conf.get(move.property()).textValue();
      if (move.property().endsWith("container.image")) {
        text = image(move.property(), text, version);
      }
      Optional<JsonNode> value = value(text, move.form());
      if (value.isPresent()) {
        set(move.field(), value.get());
        conf.remove(move.property());
      }
    }
    for (String property :
        List.of(
            "spark.kubernetes.driver.podTemplateContainerName",
            "spark.kubernetes.executor.podTemplateContainerName")) {
      conf.remove(property);
    }
    RunProperties.drop(conf, "spec.sparkConf", notes);
    if (!conf.isEmpty()) {
      spec.set("sparkConf", conf);
    }
  }

  private String image(String property, String text, Optional<String> version) {
    if (text.contains(VERSION) && version.isEmpty()) {
      notes.refuse(
          "spec.sparkConf." + property,
          "requests "
              + VERSION
              + ", but spec.runtimeVersions.sparkVersion is not a version; write the image's tag");
    }
    return version.map(known -> text.replace(VERSION, known)).orElse(text);
  }

  private static Optional<JsonNode> value(String text, Form form) {
    JsonNodeFactory factory = JsonNodeFactory.instance;
    String plain = text.strip();
    return switch (form) {
      case NUMBER ->
          plain.matches("[0-9]{1,9}")
              ? Optional.of(factory.numberNode(Long.parseLong(plain)))
              : Optional.empty();
      case BOOLEAN ->
          plain.matches("(?i)true|false")
              ? Optional.of(factory.booleanNode(Boolean.parseBoolean(plain)))
              : Optional.empty();
      case TEXT -> plain.isEmpty() ? Optional.empty() : Optional.of(factory.textNode(plain));
    };
  }

  private void set(String field, JsonNode value) {
    int dot = field.indexOf('.');
    if (dot < 0) {
      spec.set(field, value);
      return;
    }
    String parent = field.substring(0, dot);
    ObjectNode object =
        spec.get(parent) instanceof ObjectNode existing ? existing : spec.putObject(parent);
    object.set(field.substring(dot + 1), value);
  }
}
