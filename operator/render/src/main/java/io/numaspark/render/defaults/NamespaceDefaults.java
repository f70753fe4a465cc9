package io.numaspark.render.defaults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The defaults that the annotations of a namespace hold.
 *
 * <p>Limit: whether there is a profile, a service account or a Secret of a name is not looked up.
 *
 * @param namespace its name
 * @param values of the fields that have a good one
 * @param warnings annotation, cause and remedy of each that is left out
 */
public record NamespaceDefaults(
    String namespace, Map<DefaultField, String> values, List<String> warnings) {
  /** What all annotations that are read begin with. */
  public static final String PREFIX = "defaults.numaspark.io/";

  /** Of a value in a warning. */
  private static final int LONGEST_QUOTE = 40;

  /** Reads them; annotations that do not begin with {@link #PREFIX} are not looked at. */
  public static NamespaceDefaults of(String namespace, Map<String, String> annotations) {
    Map<DefaultField, String> values = new EnumMap<>(DefaultField.class);
    List<String> warnings = new ArrayList<>();
    new TreeMap<>(annotations)
        .forEach(
            (annotation, value) -> {
              if (annotation.startsWith(PREFIX)) {
                warning(annotation, value.strip(), values)
                    .map(warning -> "namespace %s, annotation %s".formatted(namespace, warning))
                    .ifPresent(warnings::add);
              }
            });
    return new NamespaceDefaults(
        namespace, Collections.unmodifiableMap(values), List.copyOf(warnings));
  }

  /** Takes a value, or says why not. */
  private static Optional<String> warning(
      String annotation, String value, Map<DefaultField, String> values) {
    Optional<DefaultField> field = DefaultField.ofKey(annotation.substring(PREFIX.length()));
    if (field.isEmpty()) {
      return Optional.of(
          "%s: is not known; use one of %s".formatted(annotation, DefaultField.keys()));
    }
    if (!field.get().admits(value)) {
      return Optional.of(
          "%s: is %s, so nothing is filled in; write %s"
              .formatted(annotation, quoted(value), field.get().words()));
    }
    values.put(field.get(), value);
    return Optional.empty();
  }

  /** Its beginning, in characters that a header can have. */
  private static String quoted(String value) {
    if (value.isEmpty()) {
      return "empty";
    }
    return value.length() <= LONGEST_QUOTE
        ? "'" + printable(value) + "'"
        : "'%s' and so on, %d characters"
            .formatted(printable(value.substring(0, LONGEST_QUOTE)), value.length());
  }

  private static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
  }
}
