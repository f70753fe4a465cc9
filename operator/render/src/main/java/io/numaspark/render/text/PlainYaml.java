package io.numaspark.render.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.Map;

/**
 * YAML as people write it in files: no quotes that are not needed, no marker, and long lines whole.
 *
 * <p>Limit: maps, lists, texts, numbers and truth values only.
 */
public final class PlainYaml {
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          new YAMLFactory()
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
              .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER));

  private PlainYaml() {}

  /** The document, with a line end. */
  public static String of(Map<String, Object> document) {
    try {
      return MAPPER.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of texts can always be written", e);
    }
  }
}
