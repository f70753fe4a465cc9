package io.numaspark.render.conf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Spark properties of an attempt, each with where its value comes from.
 *
 * <p>Precedence is decided here and nowhere else. Of the values that were given to a property the
 * one with the strongest {@link Origin} is taken, whatever the order in which they were given; two
 * values of the same origin are a mistake of the program. Items that are appended to a list come
 * after that value, in the order in which they were given, which is that of the concerns.
 */
public final class SparkProperties {
  private final SortedMap<String, Property> properties;
  private final SortedMap<String, String> values = new TreeMap<>();

  private SparkProperties(SortedMap<String, Property> properties) {
    this.properties = properties;
    properties.forEach((key, property) -> values.put(key, property.value()));
  }

  /**
   * One property.
   *
   * @param value what Spark reads
   * @param given the setting that won; empty if the value consists of appended items only
   * @param replaced the settings that it won over, strongest first
   * @param appended the settings whose items come after it
   */
  public record Property(
      String key,
      String value,
      Optional<Setting> given,
      List<Setting> replaced,
      List<Setting> appended) {

    /** All settings that are in the value, which are one or more. */
    public List<Setting> settings() {
      return Stream.concat(given.stream(), appended.stream()).toList();
    }
  }

  /**
   * Folds settings.
   *
   * @throws IllegalStateException if two settings of the same origin give one property a value
   */
  public static SparkProperties of(Collection<Setting> settings) {
    SortedMap<String, List<Setting>> byKey = new TreeMap<>();
    settings.forEach(
        setting -> byKey.computeIfAbsent(setting.key(), key -> new ArrayList<>()).add(setting));
    SortedMap<String, Property> properties = new TreeMap<>();
    byKey.forEach((key, given) -> properties.put(key, property(key, given)));
    return new SparkProperties(properties);
  }

  private static Property property(String key, List<Setting> settings) {
    List<Setting> values =
        settings.stream()
            .filter(setting -> !setting.appended())
            .sorted(Comparator.comparing(Setting::origin).reversed())
            .toList();
    for (int i = 1; i < values.size(); i++) {
      if (values.get(i).origin() == values.get(i - 1).origin()) {
        throw new IllegalStateException(
            "%s: is given by %s and by %s"
                .formatted(key, values.get(i - 1).from(), values.get(i).from()));
      }
    }
    List<Setting> appended = settings.stream().filter(Setting::appended).toList();
    Optional<Setting> winner = values.stream().findFirst();
    return new Property(
        key, value(key, winner, appended), winner, values.stream().skip(1).toList(), appended);
  }

  private static String value(String key, Optional<Setting> winner, List<Setting> appended) {
    String value = winner.map(Setting::value).orElse("");
    if (appended.isEmpty()) {
      return value;
    }
    String separator = SparkKeys.separator(key);
    Stream<String> items = appended.stream().map(Setting::value);
    if (separator.isBlank()) {
      // Options may be repeated and quoted, so what was given is kept as it is.
      return Stream.concat(winner.map(Setting::value).stream(), items)
          .collect(Collectors.joining(separator));
    }
    Set<String> all =
        Stream.concat(Stream.of(value.split(separator)).map(String::strip), items)
            .filter(item -> !item.isEmpty())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return String.join(separator, all);
  }

  /** The value of a property; null if it has none. */
  public String get(String key) {
    return values.get(key);
  }

  /** As Spark reads them. */
  public SortedMap<String, String> asMap() {
    return new TreeMap<>(values);
  }

  /** Whether a property has exactly this value. */
  public boolean has(String key, String value) {
    return value.equals(values.get(key));
  }

  /** Every property with its origin, sorted by key. */
  public List<Property> explained() {
    return List.copyOf(properties.values());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SparkProperties those && properties.equals(those.properties);
  }

  @Override
  public int hashCode() {
    return properties.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }

  /** An absent map has no entries. */
  public static <V> Map<String, V> orEmpty(Map<String, V> map) {
    return map == null ? Map.of() : map;
  }
}
