package io.numaspark.cli.convert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.notes.Notes;
import io.numaspark.render.sparkpod.ModelReader;
import java.util.List;
import java.util.Optional;

/**
 * Holds a converted spec to numaspark's API: fields that it does not have are taken out with a
 * warning, values that it cannot take are refused.
 */
final class KnownFields {
  private static final ObjectMapper STRICT = ModelReader.strict(JsonMapper.builder()).build();

  private KnownFields() {}

  /**
   * Changes the spec in place.
   *
   * @param spec the spec of a SparkApplication or, with its template, of a
   *     ScheduledSparkApplication
   */
  static void keep(ObjectNode spec, boolean scheduled, Notes notes) {
    if (scheduled) {
      bind(spec, ScheduledSparkApplicationSpec.class, notes)
          .ifPresent(bound -> check(bound.template(), "spec.template.", notes));
    } else {
      bind(spec, SparkApplicationSpec.class, notes)
          .ifPresent(bound -> check(bound, "spec.", notes));
    }
  }

  /** Every turn takes out one field, so it ends. */
  private static <T> Optional<T> bind(ObjectNode spec, Class<T> type, Notes notes) {
    while (true) {
      try {
        return Optional.of(STRICT.treeToValue(spec, type));
      } catch (UnrecognizedPropertyException e) {
        if (!remove(spec, e.getPath())) {
          notes.refuse(field(e.getPath()), "there is no such field; remove it");
          return Optional.empty();
        }
        notes.warn(field(e.getPath()), "is left out: numaspark has no such field");
      } catch (JsonMappingException e) {
        notes.refuse(
            field(e.getPath()), "the value is not of the type that the field takes; correct it");
        return Optional.empty();
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("a tree is always read", e);
      }
    }
  }

  /** An object that is left without fields goes too, as it says nothing any more. */
  private static boolean remove(ObjectNode spec, List<Reference> path) {
    JsonNode parent = at(spec, path.subList(0, path.size() - 1));
    if (!(parent instanceof ObjectNode object)
        || object.remove(path.get(path.size() - 1).getFieldName()) == null) {
      return false;
    }
    if (object.isEmpty() && path.size() > 1) {
      remove(spec, path.subList(0, path.size() - 1));
    }
    return true;
  }

  private static JsonNode at(ObjectNode spec, List<Reference> path) {
    JsonNode node = spec;
    for (Reference part : path) {
      node =
          part.getFieldName() == null ? node.path(part.getIndex()) : node.path(part.getFieldName());
    }
    return node;
  }

  private static String field(List<Reference> path) {
    StringBuilder field = new StringBuilder("spec");
    for (Reference part : path) {
      field.append(
          part.getFieldName() == null ? "[" + part.getIndex() + "]" : "." + part.getFieldName());
    }
    return field.toString();
  }

  /**
   * Says what would become of the result.
   *
   * @param path what fields of the application begin with in the document
   */
  private static void check(SparkApplicationSpec spec, String path, Notes notes) {
    if (spec == null || spec.driver() == null || spec.executor() == null) {
      return;
    }
    Optional<Refusal> refusal = ApplicationRenderer.refusal(spec);
    refusal.ifPresent(why -> notes.warn("numaspark will refuse the result", why.message()));
    if (refusal.isEmpty()) {
      ApplicationRenderer.withoutEffect(spec)
          .forEach(warning -> notes.warn(warning.replaceFirst("^spec\\.", path)));
    }
  }
}
