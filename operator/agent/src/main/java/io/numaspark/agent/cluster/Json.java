package io.numaspark.agent.cluster;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * JSON as maps, lists, strings, numbers and booleans.
 *
 * <p>Limit: no data binding. It would cost the agent 10 MiB of its memory (docs/agent.md).
 */
final class Json {
  private Json() {}

  static Map<String, Object> read(String text) throws IOException {
    return JSON.std.mapFrom(text);
  }

  static Map<String, Object> read(InputStream stream) throws IOException {
    return JSON.std.mapFrom(stream);
  }

  /** The text of maps and records; what is null is left out. */
  static String write(Object value) {
    try {
      return JSON.std.asString(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The object in a field; empty if there is none. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Map<String, Object> parent, String field) {
    return parent.get(field) instanceof Map<?, ?> child ? (Map<String, Object>) child : Map.of();
  }
}
