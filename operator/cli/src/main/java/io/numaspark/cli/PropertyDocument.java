package io.numaspark.cli;

import io.numaspark.cli.text.TextColumns;
import io.numaspark.render.conf.Setting;
import io.numaspark.render.conf.SparkProperties.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One Spark property of {@code numaspark plan --properties} as JSON and YAML; documented in
 * docs/spark-properties.md and kept stable.
 *
 * @param from where the value comes from; several settings if items were appended to a list
 * @param replaced what was given too, strongest first
 */
record PropertyDocument(String key, String value, List<Source> from, List<Source> replaced) {

  /**
   * One setting.
   *
   * @param origin derived, field, sparkConf or enforced
   * @param source the field or the reason
   * @param value the value or item that it gives
   */
  record Source(String origin, String source, String value) {
    private static Source of(Setting setting) {
      return new Source(setting.origin().displayName(), setting.source(), setting.value());
    }

    private String text() {
      return source + " (" + origin + ")";
    }
  }

  static PropertyDocument of(Property property) {
    return new PropertyDocument(
        property.key(),
        property.value(),
        property.settings().stream().map(Source::of).toList(),
        property.replaced().stream().map(Source::of).toList());
  }

  /** All properties of an application as a person reads them. */
  static String table(List<PropertyDocument> properties) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("PROPERTY", "VALUE", "FROM", "REPLACES"));
    for (PropertyDocument property : properties) {
      rows.add(
          List.of(
              property.key(),
              property.value(),
              property.from().stream().map(Source::text).collect(Collectors.joining(", ")),
              property.replaced().stream()
                  .map(source -> source.value() + " from " + source.text())
                  .collect(Collectors.joining(", "))));
    }
    return "\nSpark properties:\n" + TextColumns.print(rows);
  }
}
