package io.numaspark.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A YAML or JSON file whose values can be changed while everything else keeps its bytes.
 *
 * <p>Limit: what a change touches must not be shared through an anchor, and no mapping may use a
 * merge key; both are refused.
 */
public final class YamlFile {
  /** What some editors begin a file with. */
  public static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String byteOrderMark;
  private final String text;
  private final List<Node> documents;

  private YamlFile(String byteOrderMark, String text, List<Node> documents) {
    this.byteOrderMark = byteOrderMark;
    this.text = text;
    this.documents = documents;
  }

  /**
   * Reads all documents of a file.
   *
   * @throws IllegalArgumentException if it is not YAML; names line and column
   */
  public static YamlFile parse(String file) {
    String byteOrderMark = file.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    String text = file.substring(byteOrderMark.length());
    List<Node> documents = new ArrayList<>();
    try {
      new Yaml(new LoaderOptions()).composeAll(new StringReader(text)).forEach(documents::add);
    } catch (MarkedYAMLException e) {
      throw new IllegalArgumentException(
          "line %d, column %d: %s"
              .formatted(
                  e.getProblemMark().getLine() + 1,
                  e.getProblemMark().getColumn() + 1,
                  e.getProblem()),
          e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException("this is not YAML: " + e.getMessage(), e);
    }
    return new YamlFile(byteOrderMark, text, documents);
  }

  /** A new document in block style; ends with a line break. */
  public static String text(JsonNode tree) {
    return YamlText.document(tree);
  }

  public int documents() {
    return documents.size();
  }

  /**
   * A text at the top of a document, for example its kind; empty if there is none. Never fails,
   * because documents of other kinds are none of our business.
   */
  public String topLevelText(int document, String key) {
    return YamlNodes.child(documents.get(document), key);
  }

  /**
   * The values of a document.
   *
   * @throws IllegalArgumentException for what {@link YamlTree} refuses
   */
  public JsonNode tree(int document) {
    return YamlTree.of(documents.get(document));
  }

  /**
   * The text in which the given documents have the given values; the others and all that does not
   * differ stay as they are.
   *
   * @param wanted values by number of the document
   * @throws IllegalArgumentException if a value that differs is shared through an anchor or written
   *     in a form that cannot be edited; names the field
   */
  public String with(Map<Integer, JsonNode> wanted) {
    List<TextEdit> edits = new ArrayList<>();
    wanted.forEach(
        (document, tree) -> edits.addAll(YamlSplice.edits(text, documents.get(document), tree)));
    Optional<String> edited = TextEdit.apply(text, edits).filter(result -> holds(result, wanted));
    return byteOrderMark
        + edited.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "it is written in a form that cannot be edited in place; write spec and metadata"
                        + " in plain block style and try again"));
  }

  /**
   * The text in which other documents stand in the place of one; its comments are lost, all other
   * documents stay as they are.
   *
   * @param trees at least one document
   */
  public String replace(int document, List<JsonNode> trees) {
    Node old = documents.get(document);
    int start = text.offsetByCodePoints(0, old.getStartMark().getIndex());
    int end = text.offsetByCodePoints(0, old.getEndMark().getIndex());
    String written =
        String.join("---\n", trees.stream().map(tree -> YamlText.document(tree)).toList());
    String rest = text.substring(end).stripLeading();
    return byteOrderMark
        + text.substring(0, start).stripTrailing()
        + (text.substring(0, start).isBlank() ? "" : "\n")
        + written
        + rest;
  }

  /**
   * Editing a text can go wrong in ways that nobody thought of, so what is written is read again.
   */
  private boolean holds(String edited, Map<Integer, JsonNode> wanted) {
    try {
      YamlFile written = parse(edited);
      return written.documents() == documents()
          && wanted.entrySet().stream()
              .allMatch(entry -> written.tree(entry.getKey()).equals(entry.getValue()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
