package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.notes.Notes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An application as another operator or spark-submit describes it, read and changed by the names of
 * Spark's properties, whatever field stands for one.
 */
public abstract sealed class ForeignManifest
    permits KubeflowApplication, ApacheApplication, SparkSubmitProperties {
  final ObjectNode tree;

  ForeignManifest(ObjectNode tree) {
    this.tree = tree;
  }

  /**
   * The manifest that a document is; empty if the document is of another kind.
   *
   * @throws IllegalArgumentException for another version of a known kind, and for one without spec
   */
  public static Optional<ForeignManifest> of(String apiVersion, String kind, JsonNode document) {
    boolean application = kind.equals("SparkApplication");
    if (apiVersion.equals(KubeflowApplication.API_VERSION)
        && (application || kind.equals("ScheduledSparkApplication"))) {
      return Optional.of(new KubeflowApplication((ObjectNode) document));
    }
    if (apiVersion.equals(ApacheApplication.API_VERSION) && application) {
      return Optional.of(new ApacheApplication((ObjectNode) document));
    }
    if (isApplication(apiVersion, kind)) {
      throw new IllegalArgumentException(
          "apiVersion: %s of %s cannot be injected; convert it to %s or %s"
              .formatted(
                  kind,
                  apiVersion,
                  KubeflowApplication.API_VERSION,
                  ApacheApplication.API_VERSION));
    }
    return Optional.empty();
  }

  /** Whether a document is of a kind that {@link #of} takes, in whatever version. */
  public static boolean isApplication(String apiVersion, String kind) {
    String group = apiVersion.replaceFirst("/.*", "");
    return (kind.equals("SparkApplication") || kind.equals("ScheduledSparkApplication"))
        && (group.equals("sparkoperator.k8s.io") || group.equals("spark.apache.org"));
  }

  /** A manifest of the same kind with other values. */
  abstract ForeignManifest with(ObjectNode values);

  /** What the user calls it. */
  public abstract String name();

  /** Where a property may be written: the field made for it first, then Spark's configuration. */
  abstract List<ManifestField> places(String property);

  /** Where Spark's configuration is; empty for the whole file. */
  abstract List<String> configuration();

  /** Language of the application, which decides how much memory its workers need. */
  abstract Type language();

  /** Executors of an application that asks for no number. */
  abstract int defaultInstances();

  /** Where the mark of an injection is written. */
  ManifestField mark() {
    return ManifestField.text(List.of("metadata", "annotations"), InjectionRecord.ANNOTATION);
  }

  /**
   * What in this kind, beyond Spark's properties, keeps executors from being pinned.
   *
   * @param pins what pins them
   */
  abstract void check(Pins pins, Notes notes);

  /** Sends executors to the profile's nodes. */
  abstract void place(
      Map<String, String> nodeLabels,
      List<Toleration> tolerations,
      Optional<String> slotResource,
      Notes notes);

  /** The pod template that {@link #place} made beside the manifest; empty for none. */
  Optional<ObjectNode> podTemplate() {
    return Optional.empty();
  }

  /** What a property is set to, in whichever place. */
  final Optional<String> get(String property) {
    return places(property).stream()
        .map(place -> place.read(tree))
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  /** Writes a property wherever it stands already, or else in its first place. */
  final void set(String property, String value) {
    List<ManifestField> places = places(property);
    List<ManifestField> used =
        places.stream().filter(place -> !place.read(tree).isEmpty()).toList();
    (used.isEmpty() ? places.subList(0, 1) : used).forEach(place -> place.write(tree, value));
  }

  /** Removes a property from every place. */
  final void remove(String property) {
    for (ManifestField place : places(property)) {
      List<String> parent = place.path().subList(0, place.path().size() - 1);
      if (ManifestField.at(tree, parent) instanceof ObjectNode object) {
        object.remove(place.path().get(parent.size()));
      }
    }
  }

  /** The field that a message about a property names. */
  final String field(String property) {
    List<ManifestField> places = places(property);
    return places.stream()
        .filter(place -> !ManifestField.at(tree, place.path()).isMissingNode())
        .findFirst()
        .map(place -> ManifestField.name(place.path()))
        .orElse(ManifestField.name(places.get(0).path()));
  }

  /** Refuses a property that is written in two places with two values. */
  final void checkContradictions(List<String> properties, Notes notes) {
    for (String property : properties) {
      List<ManifestField> used = new ArrayList<>(places(property));
      used.removeIf(place -> place.read(tree).isEmpty());
      if (used.stream().map(place -> place.read(tree)).distinct().count() > 1) {
        notes.refuse(
            ManifestField.name(used.get(0).path()),
            "is %s, but %s is %s; remove one of them"
                .formatted(
                    used.get(0).read(tree),
                    ManifestField.name(used.get(1).path()),
                    used.get(1).read(tree)));
      }
    }
  }

  /** Spark's configuration as far as it consists of texts. */
  final Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    ManifestField.at(tree, configuration())
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isValueNode() && !entry.getValue().isNull()) {
                properties.put(entry.getKey(), entry.getValue().asText());
              }
            });
    return properties;
  }

  final void requireMapping(List<String> path) {
    JsonNode node = ManifestField.at(tree, path);
    if (node.isMissingNode() || node.isNull()) {
      throw new IllegalArgumentException(
          ManifestField.name(path) + ": is missing; give it its fields");
    }
    if (!node.isObject()) {
      throw ManifestField.noMapping(path);
    }
  }
}
