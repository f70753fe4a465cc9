package io.numaspark.render.sparkpod;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.schema.NullFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads the JSON trees of an application as Kubernetes' types, as strictly as an API server that is
 * asked to validate fields: unknown names, and values of another kind, are refused.
 *
 * <p>Limit: knows the fields of the Kubernetes release that the client library was made from.
 */
public final class ModelReader {
  private static final JsonMapper MAPPER =
      strict(JsonMapper.builder())
          .annotationIntrospector(new WithoutAnySetter())
          .addMixIn(Quantity.class, StrictQuantity.class)
          .build();

  private ModelReader() {}

  /** A mapper that refuses unknown fields and values of another kind, as an API server does. */
  public static <M extends ObjectMapper, B extends MapperBuilder<M, B>> B strict(B mapper) {
    return mapper
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .withCoercionConfig(
            LogicalType.Textual,
            config -> {
              config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
              config.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
              config.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            });
  }

  /**
   * Reads one object.
   *
   * @param field path of the tree in the application, for messages
   * @throws IllegalArgumentException naming the part that does not fit, and what is expected there
   */
  public static <T> T read(String field, JsonNode tree, Class<T> type) {
    return read(field, tree, type, MAPPER.readerFor(type));
  }

  /**
   * Reads one object like {@link #read(String, JsonNode, Class)}, but leaves out the fields that
   * its types do not have, as a controller does with a tree that has no schema.
   *
   * @throws IllegalArgumentException naming the value of another kind, and what is expected there
   */
  static <T> Known<T> readKnown(String field, JsonNode tree, Class<T> type) {
    UnknownFields unknown = new UnknownFields(field);
    T value = read(field, tree, type, MAPPER.readerFor(type).withHandler(unknown));
    return new Known<>(value, List.copyOf(unknown.found));
  }

  /**
   * What was read.
   *
   * @param unknown fields that were left out, with the type that does not have them; at most ten
   */
  record Known<T>(T value, List<String> unknown) {}

  private static <T> T read(String field, JsonNode tree, Class<T> type, ObjectReader reader) {
    if (!tree.isObject()) {
      throw new IllegalArgumentException(
          field + ": is " + shown(tree) + "; give an object, core/v1 " + type.getSimpleName());
    }
    JsonNode given = tree.deepCopy();
    NullFields.drop(given, field).stream()
        .findFirst()
        .ifPresent(
            item -> {
              throw new IllegalArgumentException(item + ": is empty; give it a value or remove it");
            });
    try {
      return reader.readValue(given);
    } catch (UnrecognizedPropertyException e) {
      throw new IllegalArgumentException(
          field
              + path(e)
              + ": is not a field of core/v1 "
              + e.getReferringClass().getSimpleName()
              + "; remove it, or write its name as Kubernetes does",
          e);
    } catch (MismatchedInputException e) {
      throw new IllegalArgumentException(
          field + path(e) + ": is " + shown(at(given, e)) + "; give " + expected(e.getTargetType()),
          e);
    } catch (JsonMappingException e) {
      throw new IllegalArgumentException(
          field
              + path(e)
              + ": is "
              + shown(at(given, e))
              + ", which cannot be read as core/v1 "
              + type.getSimpleName()
              + "; write it as Kubernetes does",
          e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field
              + ": cannot be read as core/v1 "
              + type.getSimpleName()
              + "; write it as Kubernetes does",
          e);
    }
  }

  private static String path(JsonMappingException e) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : e.getPath()) {
      path.append(
          step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName());
    }
    return path.toString();
  }

  private static JsonNode at(JsonNode tree, JsonMappingException e) {
    JsonNode node = tree;
    for (JsonMappingException.Reference step : e.getPath()) {
      node =
          step.getFieldName() == null ? node.path(step.getIndex()) : node.path(step.getFieldName());
    }
    return node;
  }

  private static String shown(JsonNode node) {
    if (node.isContainerNode()) {
      return node.isArray() ? "a list" : "an object";
    }
    String text = node.toString();
    return text.isEmpty() || node.isNull()
        ? "empty"
        : text.length() > 40 ? text.substring(0, 40) + "..." : text;
  }

  private static String expected(Class<?> type) {
    if (type == null || Map.class.isAssignableFrom(type)) {
      return "an object";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type == String.class) {
      return "text, in quotes";
    }
    if (type == Quantity.class) {
      return "a quantity, for example 500m or 2Gi";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    return Number.class.isAssignableFrom(type)
        ? "a whole number"
        : "an object, core/v1 " + type.getSimpleName();
  }

  /** The library keeps what it does not know in a map; here it is an error. */
  private static final class WithoutAnySetter extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }

  /** Remembers and passes over fields that a type does not have. */
  private static final class UnknownFields extends DeserializationProblemHandler {
    private static final int MOST = 10;

    private final String root;
    private final List<String> found = new ArrayList<>();

    UnknownFields(String root) {
      this.root = root;
    }

    @Override
    public boolean handleUnknownProperty(
        DeserializationContext context,
        JsonParser parser,
        JsonDeserializer<?> deserializer,
        Object beanOrClass,
        String name)
        throws IOException {
      if (found.size() < MOST) {
        Class<?> type = beanOrClass instanceof Class<?> known ? known : beanOrClass.getClass();
        String path = parser.getParsingContext().pathAsPointer().toString();
        found.add(
            root
                + path.replaceAll("/([0-9]+)(?=/|$)", "[$1]").replace('/', '.')
                + ": is not a field of core/v1 "
                + type.getSimpleName());
      }
      parser.skipChildren();
      return true;
    }
  }

  /** The library takes any text for a quantity. */
  @JsonDeserialize(using = QuantityReader.class)
  private interface StrictQuantity {}

  /**
   * Reads what resource.ParseQuantity of Kubernetes reads, but no signs: no size of a pod is
   * negative.
   */
  private static final class QuantityReader extends StdScalarDeserializer<Quantity> {
    private static final long serialVersionUID = 1L;
    private static final Pattern QUANTITY =
        Pattern.compile(
            "([0-9]{1,19}(\\.[0-9]{0,9})?|\\.[0-9]{1,9})"
                + "([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?");

    QuantityReader() {
      super(Quantity.class);
    }

    @Override
    public Quantity deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String text = parser.getValueAsString();
      if (text == null || !QUANTITY.matcher(text).matches()) {
        return (Quantity) context.handleWeirdStringValue(Quantity.class, text, "no quantity");
      }
      return new Quantity(text);
    }
  }

  /**
   * The items of a list that may be absent.
   *
   * @throws IllegalArgumentException if an item is empty
   */
  static <T> List<T> items(String field, List<T> list) {
    if (list == null) {
      return List.of();
    }
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) == null) {
        throw new IllegalArgumentException(
            field + "[" + i + "]: is empty; give it a value or remove it");
      }
    }
    return list;
  }
}
