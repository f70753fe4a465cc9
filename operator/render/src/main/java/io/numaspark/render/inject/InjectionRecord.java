package io.numaspark.render.inject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What an injection has changed, kept in the manifest itself so that the next one starts from what
 * the user wrote and not from what numaspark made of it.
 *
 * <p>Keys are JSON pointers (RFC 6901); {@code set} holds what was written, {@code was} what it
 * replaced. A pointer that ends in {@code -} stands for items at the end of a list, an empty
 * mapping for one that was made to hold what follows, null for a value that was removed.
 */
public record InjectionRecord(String profile, ObjectNode set, ObjectNode was) {
  /** Where a manifest keeps it. */
  public static final String ANNOTATION = "numaspark.io/injected";

  static final String PROPERTY = "spark.numaspark.injected";

  /** Of a record; an injection changes some forty values, and somebody else may write thousands. */
  private static final int MOST_CHANGES = 500;

  /** Of a pointer; the longest that is written ends in a property with the name of a label. */
  private static final int LONGEST_POINTER = 1000;

  /** Whole numbers are long ones and others exact ones, so that equal values are equal nodes. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_LONG_FOR_INTS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** A tree with one type of node for each kind of number; what is compared must be such trees. */
  public static JsonNode normal(JsonNode tree) {
    try {
      return JSON.readTree(JSON.writeValueAsString(tree));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written and read", e);
    }
  }

  /** What changed between two trees. */
  public static InjectionRecord between(String profile, JsonNode before, JsonNode after) {
    InjectionRecord record =
        new InjectionRecord(profile, JSON.createObjectNode(), JSON.createObjectNode());
    record.compare("", before, after);
    return record;
  }

  private void compare(String pointer, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return;
    }
    if (before.isObject() && after.isObject()) {
      after
          .properties()
          .forEach(
              entry ->
                  compare(
                      pointer + "/" + escaped(entry.getKey()),
                      before.path(entry.getKey()),
                      entry.getValue()));
      before
          .properties()
          .forEach(
              entry -> {
                if (!after.has(entry.getKey())) {
                  String removed = pointer + "/" + escaped(entry.getKey());
                  set.putNull(removed);
                  was.set(removed, entry.getValue());
                }
              });
    } else if (before.isArray() && after.isArray()) {
      for (int i = 0; i < before.size(); i++) {
        compare(pointer + "/" + i, before.get(i), after.get(i));
      }
      ArrayNode added = JSON.createArrayNode();
      for (int i = before.size(); i < after.size(); i++) {
        added.add(after.get(i));
      }
      if (!added.isEmpty()) {
        set.set(pointer + "/-", added);
      }
    } else {
      boolean made = after.isObject() && !after.isEmpty();
      set.set(pointer, made ? JSON.createObjectNode() : after);
      if (!before.isMissingNode()) {
        was.set(pointer, before);
      }
      if (made) {
        compare(pointer, JSON.createObjectNode(), after);
      }
    }
  }

  /** As it is kept in the manifest. */
  public String text() {
    ObjectNode all = JSON.createObjectNode();
    all.put("profile", profile);
    all.set("set", set);
    all.set("was", was);
    return all.toString();
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if someone has edited it
   */
  public static InjectionRecord parse(String field, String text) {
    try {
      JsonNode all = JSON.readTree(text);
      if (all.path("profile").isTextual()
          && all.path("set") instanceof ObjectNode set
          && all.path("was") instanceof ObjectNode was
          && isBounded(set)
          && isBounded(was)) {
        return new InjectionRecord(all.get("profile").textValue(), set, was);
      }
    } catch (JsonProcessingException e) {
      // Said below with the remedy.
    }
    throw new IllegalArgumentException(
        field + ": is not what numaspark inject writes; restore it from before the edit");
  }

  private static boolean isBounded(ObjectNode changes) {
    return changes.size() <= MOST_CHANGES
        && changes.properties().stream()
            .allMatch(change -> change.getKey().length() <= LONGEST_POINTER);
  }

  /** Where a pointer leads: what holds the value, and the name or number of the value in there. */
  private record Place(String parent, String key) {
    /** Empty if it is none: an edited record. */
    static Optional<Place> of(String pointer) {
      int slash = pointer.lastIndexOf('/');
      return slash < 0
          ? Optional.empty()
          : Optional.of(
              new Place(
                  pointer.substring(0, slash),
                  pointer.substring(slash + 1).replace("~1", "/").replace("~0", "~")));
    }
  }

  /** What was written last comes first, as it may be in what was written before. */
  private List<String> lastFirst() {
    List<String> pointers = new ArrayList<>();
    set.fieldNames().forEachRemaining(pointers::add);
    Collections.reverse(pointers);
    return pointers;
  }

  /**
   * Takes an injection back.
   *
   * @return the pointer to a value that was edited since, for which nobody can say what is wanted;
   *     the tree is then in an undefined state
   */
  public Optional<String> undo(ObjectNode tree) {
    return lastFirst().stream().filter(pointer -> !undo(tree, pointer)).findFirst();
  }

  /** Whether the value was as it was written, so that it is now what it was before. */
  private boolean undo(ObjectNode tree, String pointer) {
    Optional<Place> place = Place.of(pointer);
    if (place.isEmpty()) {
      return false;
    }
    JsonNode parent = at(tree, place.get().parent());
    return parent instanceof ArrayNode array
        ? undo(array, place.get().key(), pointer)
        : parent instanceof ObjectNode object && undo(object, place.get().key(), pointer);
  }

  /** How what an injection wrote stands in a later edition of the manifest. */
  public enum Standing {
    /** Nothing of it was changed, or all that it replaced is back. */
    KEPT,
    /**
     * A manifest was applied again in which some values are new ones. One that equals what was
     * written is then the user's as well, since all that the manifest has was applied.
     */
    APPLIED_AGAIN,
    /** Some values are new ones, and the rest is as the injection wrote it. */
    EDITED
  }

  /** Compares a later edition of the manifest with what was written. */
  public Standing standing(ObjectNode tree) {
    int back = 0;
    int kept = 0;
    int edited = 0;
    for (Map.Entry<String, JsonNode> written : set.properties()) {
      String pointer = written.getKey();
      if (pointer.endsWith("/-")) {
        continue; // A list that is another one now has lost what was added, and gets it again.
      }
      JsonNode now = at(tree, pointer);
      boolean made = written.getValue().isObject() && written.getValue().isEmpty();
      if (made && now.isObject() || isWritten(written.getValue(), now)) {
        kept += was.has(pointer) ? 1 : 0;
      } else if (now.equals(was.path(pointer))) {
        back += was.has(pointer) ? 1 : 0;
      } else {
        edited++;
      }
    }
    if (edited == 0 && (back == 0 || kept == 0)) {
      return Standing.KEPT;
    }
    return back > 0 ? Standing.APPLIED_AGAIN : Standing.EDITED;
  }

  private static boolean isWritten(JsonNode written, JsonNode now) {
    return written.isNull() ? now.isMissingNode() : written.equals(now);
  }

  /** Takes back what still stands as it was written, and leaves the rest as it is. */
  public void takeFrom(ObjectNode tree) {
    takeFrom(tree, pointer -> true);
  }

  /** The same of what replaced no value of the user's. */
  public void takeAdditionsFrom(ObjectNode tree) {
    takeFrom(tree, pointer -> !was.has(pointer));
  }

  private void takeFrom(ObjectNode tree, Predicate<String> which) {
    lastFirst().stream().filter(which).forEach(pointer -> undo(tree, pointer));
  }

  /**
   * Writes the same values into another edition of the manifest.
   *
   * @param tree without what was written before
   * @param original what the values were written into at first
   * @return empty if a place is not there, or may be another one because its list was changed
   */
  public Optional<ObjectNode> onto(ObjectNode tree, ObjectNode original) {
    ObjectNode result = tree.deepCopy();
    for (Map.Entry<String, JsonNode> written : set.properties()) {
      String pointer = written.getKey();
      Optional<Place> place = Place.of(pointer);
      if (place.isEmpty() || !haveEqualLists(pointer, tree, original)) {
        return Optional.empty();
      }
      JsonNode parent = at(result, place.get().parent());
      String key = place.get().key();
      if (parent instanceof ObjectNode object) {
        write(object, key, written.getValue());
      } else if (parent instanceof ArrayNode array && key.equals("-")) {
        written.getValue().forEach(item -> array.add(item.deepCopy()));
      } else if (parent instanceof ArrayNode array && array.has(index(key))) {
        array.set(index(key), written.getValue().deepCopy());
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(result);
  }

  private static void write(ObjectNode object, String key, JsonNode value) {
    boolean made = value.isObject() && value.isEmpty();
    if (value.isNull()) {
      object.remove(key);
    } else if (!made || !object.path(key).isObject()) {
      object.set(key, value.deepCopy());
    }
  }

  /** Whether each list on the way of a pointer is the same in both trees. */
  private static boolean haveEqualLists(String pointer, JsonNode one, JsonNode other) {
    for (int end = pointer.indexOf('/', 1); end > 0; end = pointer.indexOf('/', end + 1)) {
      JsonNode list = at(one, pointer.substring(0, end));
      if (list.isArray() && !list.equals(at(other, pointer.substring(0, end)))) {
        return false;
      }
    }
    return true;
  }

  private static int index(String key) {
    return key.matches("[0-9]{1,4}") ? Integer.parseInt(key) : -1;
  }

  private boolean undo(ObjectNode object, String key, String pointer) {
    JsonNode written = set.get(pointer);
    JsonNode now = object.path(key);
    if (written.isObject() && now.isObject() && !now.isEmpty()) {
      // The user has put something into a mapping that numaspark made: it stays.
      return true;
    }
    boolean removed = written.isNull() && now.isMissingNode();
    if (!removed && !written.equals(now)) {
      return false;
    }
    if (was.has(pointer)) {
      object.set(key, was.get(pointer));
    } else {
      object.remove(key);
    }
    return true;
  }

  private boolean undo(ArrayNode array, String key, String pointer) {
    if (key.equals("-")) {
      JsonNode added = set.get(pointer);
      int first = array.size() - added.size();
      for (int i = 0; i < added.size(); i++) {
        if (first < 0 || !array.get(first + i).equals(added.get(i))) {
          return false;
        }
      }
      for (int i = 0; i < added.size(); i++) {
        array.remove(array.size() - 1);
      }
      return true;
    }
    int index = index(key);
    if (!was.has(pointer) || !array.has(index) || !array.get(index).equals(set.get(pointer))) {
      return false;
    }
    array.set(index, was.get(pointer));
    return true;
  }

  private static JsonNode at(JsonNode tree, String pointer) {
    try {
      return tree.at(pointer);
    } catch (IllegalArgumentException e) {
      // No pointer: an edited record.
      return tree.path("").path("");
    }
  }

  /** A key as pointers have it (RFC 6901). */
  static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }
}
