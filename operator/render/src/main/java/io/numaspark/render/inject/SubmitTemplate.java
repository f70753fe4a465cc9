package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * The pod template that goes with properties of spark-submit, for what has no property.
 *
 * @param location what the property says if a template is needed: the path or URI at which
 *     spark-submit, or a driver in client mode, reads it
 * @param own what the user has
 */
public record SubmitTemplate(String location, Own own) {
  /** Names the file; spark-submit reads it and ships it to a driver in the cluster. */
  public static final String PROPERTY = "spark.kubernetes.executor.podTemplateFile";

  private static final String POINTER = "/" + PROPERTY;

  /** The user's own template. */
  public sealed interface Own {

    /** There is none. */
    record None() implements Own {}

    /** One that could be read. */
    record Read(ObjectNode pod) implements Own {}

    /**
     * One that could not be read.
     *
     * @param why reason and remedy
     */
    record Unreadable(String why) implements Own {}
  }

  /**
   * The template that the user names, also if an injection has replaced its name; empty for none.
   *
   * @throws IllegalArgumentException if the mark of an injection was edited
   */
  public static String ownLocation(ObjectNode properties) {
    String record = properties.path(InjectionRecord.PROPERTY).asText("");
    String now = properties.path(PROPERTY).asText("");
    if (record.isEmpty()) {
      return now;
    }
    InjectionRecord injection = InjectionRecord.parse(InjectionRecord.PROPERTY, record);
    return injection.set().has(POINTER) ? injection.was().path(POINTER).asText("") : now;
  }

  /** Whether an injection wrote the name of a template. */
  static boolean isInjected(ObjectNode properties) {
    String record = properties.path(InjectionRecord.PROPERTY).asText("");
    return !record.isEmpty()
        && InjectionRecord.parse(InjectionRecord.PROPERTY, record).set().has(POINTER);
  }

  /** The pod to start from. */
  ObjectNode pod() {
    if (own instanceof Own.Read read) {
      return read.pod().deepCopy();
    }
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.set("apiVersion", TextNode.valueOf("v1"));
    pod.set("kind", TextNode.valueOf("Pod"));
    return pod;
  }
}
