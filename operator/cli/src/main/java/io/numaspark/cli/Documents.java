package io.numaspark.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.text.InputException;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.notes.Notes;
import io.numaspark.render.pod.PodTranslator;
import io.numaspark.render.profile.ProfileTranslator;
import io.numaspark.render.profile.TopologyTranslator;
import io.numaspark.render.sparkpod.ModelReader;
import io.numaspark.schema.CustomResourceSchema;
import io.numaspark.schema.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The custom resources in a set of YAML or JSON files.
 *
 * <p>What the API server would refuse is refused in its words, and what the translators cannot
 * take. Limit: of metadata only the names are checked.
 */
record Documents(
    List<SparkNodeTopology> topologies,
    List<SparkNodeProfile> profiles,
    List<SparkApplication> applications,
    List<Pod> pods) {

  /** Says of a Pod that the earlier one of its name leaves the node. */
  static final String REMOVED = "numaspark.io/removed";

  private static final String OWN_API = ApiGroup.NAME + "/" + ApiGroup.VERSION;

  private static final ObjectMapper YAML =
      ModelReader.strict(YAMLMapper.builder())
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  /** Kinds by name, with the API that they belong to. */
  private enum Kind {
    SPARK_NODE_TOPOLOGY("SparkNodeTopology", OWN_API, SparkNodeTopology.class),
    SPARK_NODE_PROFILE("SparkNodeProfile", OWN_API, SparkNodeProfile.class),
    SPARK_APPLICATION("SparkApplication", OWN_API, SparkApplication.class),
    POD("Pod", "v1", Pod.class);

    private final String kind;
    private final String apiVersion;
    private final Class<? extends HasMetadata> type;

    Kind(String kind, String apiVersion, Class<? extends HasMetadata> type) {
      this.kind = kind;
      this.apiVersion = apiVersion;
      this.type = type;
    }

    static Optional<Kind> of(String kind, String apiVersion) {
      return Stream.of(values())
          .filter(known -> known.kind.equals(kind) && known.apiVersion.equals(apiVersion))
          .findFirst();
    }
  }

  /**
   * Reads files, folders of {@code *.yaml}, {@code *.yml} and {@code *.json} files, and {@code -}
   * for standard input.
   *
   * @throws InputException naming the file, the field and the remedy
   */
  static Documents read(List<String> names, InputStream standardInput) {
    List<HasMetadata> all = new ArrayList<>();
    for (String name : names) {
      if (name.equals("-")) {
        all.addAll(
            parse(
                "standard input", () -> YAML.readerFor(JsonNode.class).readValues(standardInput)));
        continue;
      }
      for (Path file : files(Path.of(name))) {
        all.addAll(
            parse(
                file.toString(),
                () -> YAML.readerFor(JsonNode.class).readValues(Files.newBufferedReader(file))));
      }
    }
    return new Documents(
        only(all, SparkNodeTopology.class),
        only(all, SparkNodeProfile.class),
        only(all, SparkApplication.class),
        only(all, Pod.class));
  }

  /** The files that a name stands for: those of a folder, or itself. */
  static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().matches(".*\\.(ya?ml|json)")).sorted().toList();
    } catch (IOException e) {
      throw new InputException(path + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** Opens a file and starts to read it. */
  private interface Source {
    MappingIterator<JsonNode> open() throws IOException;
  }

  private static List<HasMetadata> parse(String file, Source source) {
    try (MappingIterator<JsonNode> documents = source.open()) {
      return resources(file, documents);
    } catch (NoSuchFileException e) {
      throw new InputException(file + ": there is no such file; check the path", e);
    } catch (JsonProcessingException e) {
      throw new InputException(file + ": " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<HasMetadata> resources(String file, MappingIterator<JsonNode> documents)
      throws IOException {
    List<HasMetadata> resources = new ArrayList<>();
    while (documents.hasNextValue()) {
      JsonNode document = documents.nextValue();
      if (document == null || document.isNull() || document.isMissingNode()) {
        continue;
      }
      String kind = text(document, "kind");
      String apiVersion = text(document, "apiVersion");
      if (kind.equals("List")) {
        for (JsonNode item : document.path("items")) {
          resources.add(resource(file, item, text(item, "kind"), text(item, "apiVersion")));
        }
      } else {
        resources.add(resource(file, document, kind, apiVersion));
      }
    }
    return resources;
  }

  /** A field's text; empty if there is none. */
  private static String text(JsonNode document, String field) {
    JsonNode value = document.path(field);
    return value.isNull() ? "" : value.asText();
  }

  private static HasMetadata resource(
      String file, JsonNode document, String kind, String apiVersion) {
    Kind known =
        Kind.of(kind, apiVersion)
            .orElseThrow(
                () ->
                    new InputException(
                        file
                            + ": "
                            + (kind.isEmpty()
                                ? "a document without kind"
                                : apiVersion.isEmpty()
                                    ? kind + " without apiVersion"
                                    : kind + " of " + apiVersion)
                            + " is not one of SparkApplication, SparkNodeProfile, SparkNodeTopology of "
                            + OWN_API
                            + ", or Pod of v1"));
    if (!document.path("spec").isObject() && known != Kind.POD) {
      throw new InputException(file + ": " + kind + " has no spec; give it one");
    }
    String name = text(document.path("metadata"), "name");
    if (name.isEmpty()) {
      throw new InputException(file + ": " + kind + " has no metadata.name; give it one");
    }
    try {
      return checked(known, (ObjectNode) document);
    } catch (IllegalArgumentException e) {
      throw new InputException("%s: %s %s: %s".formatted(file, kind, name, e.getMessage()), e);
    }
  }

  /** Held to its schema first, which knows more of a field than its type. */
  private static HasMetadata checked(Kind kind, ObjectNode document) {
    if (kind != Kind.POD) {
      List<Violation> violations = CustomResourceSchema.of(kind.type).check(document);
      if (!violations.isEmpty()) {
        throw new IllegalArgumentException(Violation.text(violations));
      }
    }
    if (kind == Kind.SPARK_APPLICATION) {
      // The schema's defaults for these two, which the API server would fill in.
      ObjectNode spec = (ObjectNode) document.get("spec");
      for (String side : List.of("driver", "executor")) {
        if (!spec.hasNonNull(side)) {
          spec.putObject(side);
        }
      }
    }
    Notes notes = new Notes();
    notes.dropNulls(document);
    if (notes.isRefused()) {
      throw new IllegalArgumentException(notes.refusals().get(0));
    }
    HasMetadata resource = bound(document, kind.type);
    check(resource);
    return resource;
  }

  private static HasMetadata bound(JsonNode document, Class<? extends HasMetadata> kind) {
    try {
      return YAML.treeToValue(document, kind);
    } catch (JsonMappingException e) {
      throw new IllegalArgumentException(explain(e, document), e);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always read", e);
    }
  }

  /** What no schema can say. */
  private static void check(HasMetadata resource) {
    if (resource instanceof SparkApplication application) {
      ApplicationRenderer.check(application.getSpec())
          .ifPresent(
              refusal -> {
                throw new IllegalArgumentException(refusal.message());
              });
    } else if (resource instanceof SparkNodeTopology topology) {
      TopologyTranslator.machine(topology.getSpec());
    } else if (resource instanceof SparkNodeProfile profile) {
      ProfileTranslator.policy(profile.getSpec());
    } else if (resource instanceof Pod pod && !isRemoval(pod)) {
      PodTranslator.request(pod);
    }
  }

  /** Whether a Pod stands for the departure of the earlier one of its name. */
  static boolean isRemoval(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(REMOVED));
  }

  private static String explain(JsonMappingException e, JsonNode document) {
    StringBuilder field = new StringBuilder();
    JsonNode value = document;
    for (JsonMappingException.Reference part : e.getPath()) {
      String name = part.getFieldName();
      field.append(
          name == null ? "[" + part.getIndex() + "]" : (field.isEmpty() ? "" : ".") + name);
      value = name == null ? value.path(part.getIndex()) : value.path(name);
    }
    field.append(": ");
    if (e instanceof UnrecognizedPropertyException unknown) {
      return field
          + "there is no such field; there are "
          + unknown.getKnownPropertyIds().stream()
              .map(String::valueOf)
              .sorted()
              .collect(Collectors.joining(", "));
    }
    if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
      return field
          + (value.isValueNode() ? "'" + value.asText() + "'" : "it")
          + " is "
          + expected(mismatch.getTargetType());
    }
    return field + e.getOriginalMessage();
  }

  private static String expected(Class<?> type) {
    if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
      return "not a whole number; write for example 4, without quotes";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "neither true nor false; write one of them, without quotes";
    }
    if (type == String.class) {
      return "not text; put it in quotes";
    }
    return Collection.class.isAssignableFrom(type)
        ? "not a list; write its items below it, each after a dash"
        : "not a mapping; write its fields below it, as name: value";
  }

  private static <T> List<T> only(List<HasMetadata> all, Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
