package io.numaspark.render.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.defaults.Defaulting.Filled;
import io.numaspark.render.defaults.Defaulting.Unchanged;
import io.numaspark.render.inject.InjectionNotes;
import io.numaspark.render.inject.InjectionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fills what a new SparkApplication leaves open with the defaults of its namespace, and says so in
 * an annotation of it.
 *
 * <p>What is written is never replaced, so a second call changes nothing. Limit: the tree was not
 * checked against the schema yet; what has another type there stays, for the API server to refuse.
 */
public record DefaultsReview(NamespaceDefaults defaults) {
  /** On an application: which fields were filled in when it was created. */
  public static final String ANNOTATION = ApiGroup.NAME + "/defaults-applied";

  /**
   * The only kind of ours whose applications get defaults. The controller of a SparkConnect would
   * write its own spec again, and the runs of a SparkTrial would not be what it compares.
   */
  private static final String SCHEDULE = "ScheduledSparkApplication";

  private static final String NO_ROOM =
      "metadata.annotations: have no room to say which defaults are filled in, so none are; remove some of them";

  /** A new application as it was sent, or as an earlier call left it. */
  public Defaulting created(ObjectNode sent) {
    if (isLeftToItsOwner(sent)) {
      return new Unchanged(List.of());
    }
    ObjectNode before = (ObjectNode) InjectionRecord.normal(sent);
    ObjectNode object = before.deepCopy();
    note(object, fill(object));
    if (object.equals(before)) {
      return new Unchanged(defaults.warnings());
    }
    if (!InjectionNotes.fit(object)) {
      List<String> warnings = new ArrayList<>(defaults.warnings());
      warnings.add(0, NO_ROOM);
      return new Unchanged(List.copyOf(warnings));
    }
    return new Filled(object, defaults.warnings());
  }

  private static boolean isLeftToItsOwner(ObjectNode object) {
    for (JsonNode owner : object.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()
          && owner.path("apiVersion").asText().startsWith(ApiGroup.NAME + "/")
          && !owner.path("kind").asText().equals(SCHEDULE)) {
        return true;
      }
    }
    return false;
  }

  /** Which fields were absent and have a default now. */
  private Set<DefaultField> fill(ObjectNode object) {
    Set<DefaultField> filled = EnumSet.noneOf(DefaultField.class);
    if (object.path("spec") instanceof ObjectNode spec) {
      defaults
          .values()
          .forEach(
              (field, value) -> {
                boolean isOfGivenImage =
                    field == DefaultField.SPARK_VERSION && !filled.contains(DefaultField.IMAGE);
                if (!isOfGivenImage && !field.isGiven(spec) && put(spec, field.written(value))) {
                  filled.add(field);
                }
              });
    }
    return filled;
  }

  /** Writes all values, or none if something is in the way of one. */
  private static boolean put(ObjectNode spec, Map<String, JsonNode> values) {
    if (!values.keySet().stream().allMatch(pointer -> hasRoom(spec, pointer))) {
      return false;
    }
    values.forEach(
        (pointer, value) -> {
          int end = pointer.lastIndexOf('/');
          ObjectNode parent = end == 0 ? spec : spec.withObject(pointer.substring(0, end));
          parent.set(pointer.substring(end + 1), value);
        });
    return true;
  }

  /** Whether all that is above a pointer is a mapping, or not there. */
  private static boolean hasRoom(ObjectNode spec, String pointer) {
    for (int end = pointer.indexOf('/', 1); end > 0; end = pointer.indexOf('/', end + 1)) {
      JsonNode parent = spec.at(pointer.substring(0, end));
      if (!parent.isObject() && !parent.isMissingNode() && !parent.isNull()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Names what was filled in now, or by an earlier call if that still holds. Copied manifests bring
   * annotations of other namespaces with them.
   */
  private void note(ObjectNode object, Set<DefaultField> filled) {
    String tail = " from namespace " + defaults.namespace();
    String before = InjectionNotes.of(object, ANNOTATION);
    Set<String> earlier = new HashSet<>();
    if (before.endsWith(tail)) {
      earlier.addAll(
          Arrays.asList(before.substring(0, before.length() - tail.length()).split(", ")));
    }
    List<String> names = new ArrayList<>();
    defaults
        .values()
        .forEach(
            (field, value) -> {
              if (filled.contains(field)
                  || earlier.contains(field.label())
                      && holds(object.path("spec"), field.written(value))) {
                names.add(field.label());
              }
            });
    if (!names.isEmpty()) {
      object.withObject("/metadata/annotations").put(ANNOTATION, String.join(", ", names) + tail);
    } else if (!before.isEmpty()) {
      object.withObject("/metadata/annotations").remove(ANNOTATION);
    }
  }

  private static boolean holds(JsonNode spec, Map<String, JsonNode> values) {
    return values.entrySet().stream()
        .allMatch(value -> value.getValue().equals(spec.at(value.getKey())));
  }
}
