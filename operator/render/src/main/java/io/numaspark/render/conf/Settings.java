package io.numaspark.render.conf;

import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The Spark properties that one concern gives, collected with their origins; units are written
 * here.
 *
 * <p>Limit: what a property finally is, only {@link SparkProperties} knows.
 */
public final class Settings {
  private final List<Setting> settings = new ArrayList<>();

  /** Properties that numaspark computes. */
  public From derived(String source) {
    return new From(Origin.DERIVED, source);
  }

  /** Properties that a typed field stands for. */
  public From field(String path) {
    return new From(Origin.FIELD, path);
  }

  /** Gives a property the value of a typed field, if the field has one. */
  public void field(String path, String key, Object value) {
    field(path).put(key, value);
  }

  /** Gives a property the value of a typed field, or what stands in for an absent one. */
  public void field(String path, String key, Object value, Object absent) {
    if (value != null) {
      field(path).put(key, value);
    } else {
      derived("default of " + path).put(key, absent);
    }
  }

  /** Properties that the application gives itself. */
  public From user(String path) {
    return new From(Origin.USER, path);
  }

  /** Properties that no user's value may replace. */
  public From enforced(String source) {
    return new From(Origin.ENFORCED, source);
  }

  /** All settings, in the order in which they were given. */
  public List<Setting> list() {
    return List.copyOf(settings);
  }

  /** Settings of one origin and source; a value that is null or empty gives nothing. */
  public final class From {
    private final Origin origin;
    private final String source;

    private From(Origin origin, String source) {
      this.origin = origin;
      this.source = source;
    }

    /** Gives a property a value. */
    public From put(String key, Object value) {
      if (value != null && !value.toString().isEmpty()) {
        settings.add(new Setting(key, value.toString(), origin, source, false));
      }
      return this;
    }

    /** Gives several properties their values as they are. */
    public From putAll(Map<String, String> values) {
      values.forEach((key, value) -> settings.add(new Setting(key, value, origin, source, false)));
      return this;
    }

    /** Gives a property a size in whole MiB, rounded down. */
    public From putBytes(String key, long bytes) {
      return put(key, MemorySize.toSpark(bytes));
    }

    /**
     * Gives a property a size that the application wrote in Spark's notation.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public From putSize(String key, String size) {
      return size == null ? this : putBytes(key, MemorySize.ofSpark(size));
    }

    /** Adds items to the end of a property that is a list. */
    public From append(String key, List<String> items) {
      if (items != null) {
        items.forEach(item -> settings.add(new Setting(key, item, origin, source, true)));
      }
      return this;
    }
  }
}
