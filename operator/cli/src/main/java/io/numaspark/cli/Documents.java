package io.numaspark.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.render.application.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.profile.ProfileTranslator;
import io.numaspark.render.profile.TopologyTranslator;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The custom resources in a set of YAML or JSON files.
 *
 * <p>Unknown fields, wrong types and what the translators cannot take are refused. Limit: lengths
 * of texts and lists are only checked by the API server.
 */
record Documents(
    List<SparkNodeTopology> topologies,
    List<SparkNodeProfile> profiles,
    List<SparkApplication> applications) {

  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "SparkNodeTopology", SparkNodeTopology.class,
          "SparkNodeProfile", SparkNodeProfile.class,
          "SparkApplication", SparkApplication.class);

  /**
   * Reads files, folders of {@code *.yaml}, {@code *.yml} and {@code *.json} files, and {@code -}
   * for standard input.
   *
   * @throws InputException naming the file, the field and the remedy
   */
  static Documents read(List<String> names, InputStream standardInput) {
    List<HasMetadata> all = new ArrayList<>();
    for (String name : names) {
      try {
        if (name.equals("-")) {
          all.addAll(
              parse("standard input", YAML.readerFor(JsonNode.class).readValues(standardInput)));
        } else {
          for (Path file : files(Path.of(name))) {
            try (Reader reader = Files.newBufferedReader(file)) {
              all.addAll(parse(file.toString(), YAML.readerFor(JsonNode.class).readValues(reader)));
            }
          }
        }
      } catch (NoSuchFileException e) {
        throw new InputException(e.getFile() + ": there is no such file", e);
      } catch (JsonProcessingException e) {
        throw new InputException(name + ": " + explain(e), e);
      } catch (IOException e) {
        throw new InputException(name + ": cannot be read: " + e.getMessage(), e);
      }
    }
    return new Documents(
        only(all, SparkNodeTopology.class),
        only(all, SparkNodeProfile.class),
        only(all, SparkApplication.class));
  }

  private static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().matches(".*\\.(ya?ml|json)")).sorted().toList();
    }
  }

  private static List<HasMetadata> parse(String file, MappingIterator<JsonNode> documents)
      throws IOException {
    List<HasMetadata> resources = new ArrayList<>();
    while (documents.hasNextValue()) {
      JsonNode document = documents.nextValue();
      if (document == null || document.isNull() || document.isMissingNode()) {
        continue;
      }
      String kind = document.path("kind").asText();
      String apiVersion = document.path("apiVersion").asText();
      if (kind.equals("List")) {
        for (JsonNode item : document.path("items")) {
          resources.add(
              resource(file, item, item.path("kind").asText(), item.path("apiVersion").asText()));
        }
      } else {
        resources.add(resource(file, document, kind, apiVersion));
      }
    }
    return resources;
  }

  private static HasMetadata resource(
      String file, JsonNode document, String kind, String apiVersion)
      throws JsonProcessingException {
    String expected = ApiGroup.NAME + "/" + ApiGroup.VERSION;
    if (!KINDS.containsKey(kind) || !apiVersion.equals(expected)) {
      throw new InputException(
          file
              + ": "
              + (kind.isEmpty() ? "a document without kind" : kind + " of " + apiVersion)
              + " is none of "
              + KINDS.keySet().stream().sorted().collect(Collectors.joining(", "))
              + " of "
              + expected);
    }
    ObjectNode spec = document.path("spec").isObject() ? (ObjectNode) document.path("spec") : null;
    if (spec == null) {
      throw new InputException(file + ": " + kind + " has no spec");
    }
    if (kind.equals("SparkApplication")) {
      // The schema's defaults for these two, which the API server would fill in.
      spec.withObject("/driver");
      spec.withObject("/executor");
    }
    refuseNulls(file, document, "");
    HasMetadata resource = YAML.treeToValue(document, KINDS.get(kind));
    if (resource.getMetadata() == null
        || resource.getMetadata().getName() == null
        || resource.getMetadata().getName().isEmpty()) {
      throw new InputException(file + ": " + kind + " has no metadata.name; give it one");
    }
    check(resource)
        .ifPresent(
            message -> {
              throw new InputException(
                  "%s: %s %s: %s".formatted(file, kind, resource.getMetadata().getName(), message));
            });
    return resource;
  }

  /** A key without a value counts as absent, as with kubectl; a list item without one is wrong. */
  private static void refuseNulls(String file, JsonNode node, String path) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
      object
          .properties()
          .forEach(
              field ->
                  refuseNulls(
                      file,
                      field.getValue(),
                      path.isEmpty() ? field.getKey() : path + "." + field.getKey()));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      String item = path + "[" + i + "]";
      if (node.get(i).isNull()) {
        throw new InputException(file + ": " + item + ": is empty; give a value or remove it");
      }
      refuseNulls(file, node.get(i), item);
    }
  }

  /** What the translators say of values that no schema has checked. */
  private static Optional<String> check(HasMetadata resource) {
    if (resource instanceof SparkApplication application) {
      return ApplicationRenderer.check(application.getSpec()).map(Refusal::message);
    }
    try {
      if (resource instanceof SparkNodeTopology topology) {
        TopologyTranslator.machine(topology.getSpec());
      } else if (resource instanceof SparkNodeProfile profile) {
        ProfileTranslator.policy(profile.getSpec());
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static String explain(JsonProcessingException e) {
    if (!(e instanceof JsonMappingException mapping)) {
      return e.getOriginalMessage();
    }
    String field =
        mapping.getPath().stream()
            .map(
                part ->
                    part.getFieldName() == null
                        ? "[" + part.getIndex() + "]"
                        : "." + part.getFieldName())
            .collect(Collectors.joining())
            .replaceFirst("^\\.", "");
    if (e instanceof UnrecognizedPropertyException) {
      return field + ": there is no such field";
    }
    return field
        + ": "
        + e.getOriginalMessage()
            .replaceAll("`?io\\.numaspark\\.api\\.v1alpha1\\.|java\\.lang\\.", "");
  }

  private static <T> List<T> only(List<HasMetadata> all, Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
