package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.numaspark.render.inject.InjectionResult.Injected;
import io.numaspark.render.inject.InjectionResult.Refused;
import io.numaspark.render.inject.PinningOffer.None;
import io.numaspark.render.inject.PinningOffer.Usable;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import io.numaspark.render.text.SparkPropertiesText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides about the ConfigMap with which spark-submit starts a driver in cluster mode: the only
 * place where the number and the size of its executors can be changed.
 *
 * <p>Limit: what another operator submits stays, as its application was reviewed, and so do
 * properties that {@code numaspark inject} wrote with a pod template. Slots and tolerations have no
 * property; the executors' pods get them.
 */
public record DriverConfigReview(PinningOffer offer) {
  /**
   * The names that Spark and Apache's operator give (KubernetesClientUtils.configMapNameDriver).
   */
  public static final String NAME = "(.+-)?spark-drv-.+-conf-map";

  private static final String KEY = "spark.properties";

  /** Labels by which the operators know the drivers that they submit. */
  private static final List<String> OF_OPERATORS =
      List.of(
          "spark.kubernetes.driver.label.sparkoperator.k8s.io/",
          "spark.kubernetes.driver.label.spark.operator/");

  /** Of all values together (ValidateConfigMap); the API server refuses more. */
  private static final int MOST_BYTES = 1 << 20;

  /** A ConfigMap as spark-submit sent it, or as an earlier call left it. */
  public Review created(ObjectNode object) {
    ObjectNode sent = (ObjectNode) InjectionRecord.normal(object);
    JsonNode text = sent.path("data").path(KEY);
    if (!text.isTextual()) {
      return new Unchanged();
    }
    try {
      ObjectNode properties = parse(text.textValue());
      if (isOfOperator(properties) || SubmitTemplate.isInjected(properties)) {
        return new Unchanged();
      }
      return offer instanceof Usable usable
          ? split(usable.injection(), properties, sent)
          : InjectionNotes.left(sent, List.of(((None) offer).why()));
    } catch (IllegalArgumentException e) {
      return InjectionNotes.left(sent, List.of(e.getMessage()));
    }
  }

  private static boolean isOfOperator(ObjectNode properties) {
    return properties.properties().stream()
        .anyMatch(property -> OF_OPERATORS.stream().anyMatch(property.getKey()::startsWith));
  }

  private static Review split(Injection injection, ObjectNode properties, ObjectNode sent) {
    InjectionResult result = injection.into(SparkSubmitProperties.ofReviewedPods(properties));
    if (result instanceof Refused refused) {
      return InjectionNotes.left(sent, refused.reasons());
    }
    Injected injected = (Injected) result;
    ObjectNode object = sent.deepCopy();
    if (!injected.tree().equals(properties)) {
      object.withObject("/data").put(KEY, SparkPropertiesText.format(sorted(injected.tree())));
    }
    InjectionNotes.summarize(object, injected.summary());
    if (bytes(object) > MOST_BYTES || !InjectionNotes.fit(object)) {
      return InjectionNotes.left(
          sent, List.of("data: has no room for what is injected; shorten the properties"));
    }
    return object.equals(sent) ? new Unchanged() : new Pinned(object, injected.warnings());
  }

  private static ObjectNode parse(String text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("data[\"" + KEY + "\"]: " + e.getMessage(), e);
    }
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    properties.stringPropertyNames().stream()
        .sorted()
        .forEach(key -> tree.set(key, TextNode.valueOf(properties.getProperty(key).trim())));
    return tree;
  }

  private static SortedMap<String, String> sorted(ObjectNode tree) {
    SortedMap<String, String> properties = new TreeMap<>();
    tree.properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
    return properties;
  }

  private static long bytes(ObjectNode object) {
    long bytes = 0;
    for (String field : List.of("data", "binaryData")) {
      for (JsonNode value : object.path(field)) {
        bytes += value.asText().getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return bytes;
  }
}
