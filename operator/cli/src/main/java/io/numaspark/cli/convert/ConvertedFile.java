package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.cli.yaml.YamlFile;
import io.numaspark.render.notes.Notes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of manifests with the applications of other operators converted; all other documents pass
 * as they are.
 *
 * @param text the new text; empty if anything is refused
 * @param converted how many applications were converted
 * @param refusals application, field, reason and remedy
 * @param warnings application, field and reason
 */
public record ConvertedFile(
    String text, int converted, List<String> refusals, List<String> warnings) {

  /**
   * Converts a YAML or JSON file.
   *
   * @param profile the SparkNodeProfile to write into spec.nodeProfile
   * @throws IllegalArgumentException if the file is not YAML, or a document that is to be converted
   *     cannot be read; names the line
   */
  public static ConvertedFile of(String text, Optional<String> profile) {
    return new Work(YamlFile.parse(text), profile).run(text);
  }

  /** The documents that are changed, in two ways: kubeflow's are edited, Apache's written anew. */
  private static final class Work {
    private final YamlFile file;
    private final Optional<String> profile;
    private final Map<Integer, JsonNode> edited = new LinkedHashMap<>();
    private final Map<Integer, List<JsonNode>> rewritten = new LinkedHashMap<>();
    private final List<String> refusals = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    Work(YamlFile file, Optional<String> profile) {
      this.file = file;
      this.profile = profile;
    }

    ConvertedFile run(String text) {
      for (int i = 0; i < file.documents(); i++) {
        convert(i);
      }
      int converted = edited.size() + rewritten.size();
      return refusals.isEmpty()
          ? new ConvertedFile(write(text), converted, List.of(), warnings)
          : new ConvertedFile("", converted, refusals, warnings);
    }

    private void convert(int document) {
      String apiVersion = file.topLevelText(document, "apiVersion");
      String kind = file.topLevelText(document, "kind");
      String group = apiVersion.replaceFirst("/.*", "");
      boolean application =
          kind.equals("SparkApplication") || kind.equals("ScheduledSparkApplication");
      boolean kubeflow = group.equals(KubeflowConversion.GROUP);
      if (kind.equals("List")) {
        refuseList(document);
      }
      if (!kubeflow && !group.equals(ApacheConversion.GROUP)) {
        return;
      }
      String name = kind + " " + nameOf(document) + ": ";
      Notes notes = new Notes();
      if (kubeflow && application && KubeflowConversion.VERSIONS.contains(apiVersion)) {
        edited.put(
            document, KubeflowConversion.convert((ObjectNode) file.tree(document), profile, notes));
      } else if (kind.equals("SparkApplication")
          && ApacheConversion.VERSIONS.contains(apiVersion)) {
        rewritten.put(
            document, ApacheConversion.convert((ObjectNode) file.tree(document), profile, notes));
      } else if (application) {
        notes.refuse("apiVersion", apiVersion + " is not known; convert it to a newer one first");
      } else {
        notes.refuse("kind", unknown(kind));
      }
      notes.refusals().forEach(refusal -> refusals.add(name + refusal));
      notes.warnings().forEach(warning -> warnings.add(name + warning));
    }

    private static String unknown(String kind) {
      return switch (kind) {
        case "SparkCluster" ->
            "a standalone cluster of master and workers has no counterpart: numaspark runs"
                + " applications; run each one as a SparkApplication";
        case "SparkConnect" ->
            "a Connect server is not converted; most fields have the same names in numaspark's"
                + " SparkConnect, so write apiVersion: numaspark.io/v1alpha1, and see docs/connect.md";
        default -> (kind.isEmpty() ? "a document without kind" : kind) + " cannot be converted";
      };
    }

    private void refuseList(int document) {
      for (JsonNode item : file.tree(document).path("items")) {
        String group = item.path("apiVersion").asText("").replaceFirst("/.*", "");
        if (group.equals(KubeflowConversion.GROUP) || group.equals(ApacheConversion.GROUP)) {
          refusals.add(
              "List: items: hold applications of "
                  + group
                  + "; write each item as a document of its own, separated by ---");
          return;
        }
      }
    }

    private String nameOf(int document) {
      return file.tree(document).path("metadata").path("name").asText("");
    }

    /** From the last to the first, so that the numbers of the others stay true. */
    private String write(String before) {
      String text = before;
      for (int i = file.documents() - 1; i >= 0; i--) {
        if (edited.containsKey(i)) {
          text = edit(text, i);
        } else if (rewritten.containsKey(i)) {
          text = YamlFile.parse(text).replace(i, rewritten.get(i));
        }
      }
      return text;
    }

    private String edit(String text, int document) {
      YamlFile current = YamlFile.parse(text);
      try {
        return current.with(Map.of(document, edited.get(document)));
      } catch (IllegalArgumentException e) {
        warnings.add(
            "%s %s: its comments are lost: %s"
                .formatted(file.topLevelText(document, "kind"), nameOf(document), e.getMessage()));
        return current.replace(document, List.of(edited.get(document)));
      }
    }
  }
}
