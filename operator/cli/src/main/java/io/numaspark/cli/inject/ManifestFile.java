package io.numaspark.cli.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.cli.yaml.YamlFile;
import io.numaspark.render.inject.ForeignManifest;
import io.numaspark.render.inject.Injection;
import io.numaspark.render.inject.InjectionResult;
import io.numaspark.render.inject.InjectionResult.Injected;
import io.numaspark.render.inject.InjectionResult.Refused;
import io.numaspark.render.inject.SparkSubmitProperties;
import io.numaspark.render.inject.SubmitTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A file with applications of other operators among its documents, or spark-submit's properties.
 */
public final class ManifestFile {
  private final Map<Integer, ForeignManifest> manifests;
  private final Function<Map<Integer, JsonNode>, String> rewrite;
  private final Function<ObjectNode, String> podTemplate;

  private ManifestFile(
      Map<Integer, ForeignManifest> manifests,
      Function<Map<Integer, JsonNode>, String> rewrite,
      Function<ObjectNode, String> podTemplate) {
    this.manifests = manifests;
    this.rewrite = rewrite;
    this.podTemplate = podTemplate;
  }

  /**
   * What injecting a profile into a file came to.
   *
   * @param text the file's new text; empty if anything is refused
   * @param refusals application, field, reason and remedy
   * @param warnings application, field and message
   * @param summaries one line for each application
   * @param podTemplate text of the template that the new properties name; empty for none
   */
  public record Outcome(
      String text,
      List<String> refusals,
      List<String> warnings,
      List<String> summaries,
      Optional<String> podTemplate) {}

  /**
   * The applications in a YAML or JSON file; empty if it has none.
   *
   * @throws IllegalArgumentException if the file is not YAML, or an application of another operator
   *     cannot be read; names the line or the field
   */
  public static Optional<ManifestFile> yaml(String text) {
    YamlFile file = YamlFile.parse(text);
    Map<Integer, ForeignManifest> manifests = new LinkedHashMap<>();
    for (int i = 0; i < file.documents(); i++) {
      String apiVersion = file.topLevelText(i, "apiVersion");
      String kind = file.topLevelText(i, "kind");
      if (ForeignManifest.isApplication(apiVersion, kind)) {
        manifests.put(i, ForeignManifest.of(apiVersion, kind, file.tree(i)).orElseThrow());
      }
    }
    return manifests.isEmpty()
        ? Optional.empty()
        : Optional.of(new ManifestFile(manifests, file::with, YamlFile::text));
  }

  /**
   * The application that a properties file describes.
   *
   * @param templateLocation what it is to name as the executors' pod template, if one is needed
   * @throws IllegalArgumentException if it is no properties file; names the line
   */
  public static ManifestFile properties(String text, String templateLocation) {
    PropertiesText file = PropertiesText.parse(text);
    ObjectNode tree = file.tree();
    TemplateFile template = TemplateFile.read(SubmitTemplate.ownLocation(tree));
    return new ManifestFile(
        Map.of(
            0,
            SparkSubmitProperties.ofFile(
                tree, new SubmitTemplate(templateLocation, template.own()))),
        wanted -> file.with((ObjectNode) wanted.get(0)),
        template::text);
  }

  /**
   * The file with pinned executors, or why there is none: if one application is refused, nothing is
   * changed.
   *
   * @throws IllegalArgumentException if a value cannot be read or edited; names application and
   *     field
   */
  public Outcome inject(Injection injection) {
    Map<Integer, JsonNode> wanted = new LinkedHashMap<>();
    List<String> refusals = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    List<String> summaries = new ArrayList<>();
    List<String> podTemplates = new ArrayList<>();
    manifests.forEach(
        (document, manifest) -> {
          String name = manifest.name() + ": ";
          InjectionResult result = inject(injection, manifest);
          if (result instanceof Injected injected) {
            wanted.put(document, injected.tree());
            summaries.add(injected.summary());
            injected.podTemplate().map(podTemplate).ifPresent(podTemplates::add);
            injected.warnings().forEach(warning -> warnings.add(name + warning));
          } else if (result instanceof Refused refused) {
            refused.reasons().forEach(reason -> refusals.add(name + reason));
          }
        });
    return new Outcome(
        refusals.isEmpty() ? rewrite.apply(wanted) : "",
        refusals,
        warnings,
        summaries,
        podTemplates.stream().findFirst());
  }

  private static InjectionResult inject(Injection injection, ForeignManifest manifest) {
    try {
      return injection.into(manifest);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(manifest.name() + ": " + e.getMessage(), e);
    }
  }
}
