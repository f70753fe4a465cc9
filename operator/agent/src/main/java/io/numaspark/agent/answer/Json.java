package io.numaspark.agent.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * JSON as maps, lists, strings, numbers and booleans.
 *
 * <p>Limit: no data binding. It would cost the agent 10 MiB of its memory (docs/agent.md).
 */
public final class Json {
  /** Each level takes some of the stack; no object of Kubernetes has half as many. */
  private static final int DEEPEST = 64;

  /** A status with all the containers that it may list has half as many; each costs some memory. */
  private static final long MOST_TOKENS = 100_000;

  private static final JSON JSON_TEXT =
      JSON.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxTokenCount(MOST_TOKENS)
                          .build())
                  .build())
          .build();

  private Json() {}

  /**
   * The object that the text is.
   *
   * @throws IOException if it is none
   */
  public static Map<String, Object> read(byte[] text) throws IOException {
    Map<String, Object> object = JSON_TEXT.mapFrom(text);
    if (object == null) {
      throw new IOException("the answer is not a JSON object");
    }
    return object;
  }

  /** Whatever the text is. */
  public static Object readAny(byte[] text) throws IOException {
    return JSON_TEXT.anyFrom(text);
  }

  /** The text of maps and records; what is null is left out. */
  public static byte[] write(Object value) {
    try {
      return JSON.std.asBytes(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The object in a field; empty if there is none. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(Map<String, Object> parent, String field) {
    return parent.get(field) instanceof Map<?, ?> child ? (Map<String, Object>) child : Map.of();
  }
}
