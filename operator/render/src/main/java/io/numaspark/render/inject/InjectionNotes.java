package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.inject.Review.Left;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The annotations by which an object says what was done with it: {@link InjectionRecord#ANNOTATION}
 * for the next injection, and one sentence for people.
 */
public final class InjectionNotes {
  /** On an object whose executors get a profile's shape: which. */
  public static final String SUMMARY = "numaspark.io/injection";

  /** On an object that was left as it is: why. */
  public static final String REASON = "numaspark.io/not-injected";

  private static final List<String> METADATA = List.of("metadata", "annotations");

  /** Of a reason; a message of many fields says the first ones. */
  private static final int LONGEST = 1000;

  /** Of all annotations of an object (apimachinery, ValidateAnnotationsSize). */
  private static final int MOST_BYTES = 256 << 10;

  private InjectionNotes() {}

  /** Removes all of them. */
  static void remove(ObjectNode object) {
    if (ManifestField.at(object, METADATA) instanceof ObjectNode annotations) {
      annotations.remove(List.of(InjectionRecord.ANNOTATION, SUMMARY, REASON));
      if (annotations.isEmpty()) {
        ((ObjectNode) object.get("metadata")).remove("annotations");
      }
    }
  }

  /** Says what was done; the annotation that says why not goes. */
  static void summarize(ObjectNode object, String summary) {
    ObjectNode annotations = ManifestField.mapping(object, METADATA);
    annotations.remove(REASON);
    if (!summary.isEmpty()) {
      annotations.put(SUMMARY, shortened(summary));
    }
  }

  /** The object with an annotation that says why nothing was done, if there is room for it. */
  static Left left(ObjectNode tree, List<String> reasons) {
    ObjectNode object = tree.deepCopy();
    ManifestField.mapping(object, METADATA).put(REASON, shortened(String.join("; ", reasons)));
    return new Left(fit(object) ? object : tree, reasons);
  }

  /** The value of an annotation; empty if it is not there. */
  public static String of(JsonNode object, String name) {
    return ManifestField.at(object, METADATA).path(name).asText("");
  }

  /** Whether the API server would take all annotations; it refuses an object with more. */
  public static boolean fit(ObjectNode object) {
    long bytes = 0;
    for (Map.Entry<String, JsonNode> entry : ManifestField.at(object, METADATA).properties()) {
      bytes += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += entry.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes <= MOST_BYTES;
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
