package io.numaspark.render.conf;

/**
 * One value that somebody gives to a Spark property.
 *
 * @param key name of the property
 * @param value in Spark's notation; one item if it is appended
 * @param source the field or the reason that the value comes from, for people
 * @param appended whether the value is added to the property's list instead of being the value
 */
public record Setting(String key, String value, Origin origin, String source, boolean appended) {

  /** For example {@code spec.driver.memory (field)}. */
  public String from() {
    return source + " (" + origin.displayName() + ")";
  }
}
