package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;

/** How results are printed. */
enum OutputFormat {
  TABLE,
  YAML,
  JSON;

  private static final ObjectMapper TO_JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  private static final ObjectMapper TO_YAML =
      new ObjectMapper(
              new YAMLFactory()
                  .enable(Feature.MINIMIZE_QUOTES)
                  .enable(Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                  .disable(Feature.SPLIT_LINES)
                  .disable(Feature.WRITE_DOC_START_MARKER))
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  /** Text of a value in this format, YAML for TABLE. */
  String print(Object value) {
    try {
      return this == JSON
          ? TO_JSON.writeValueAsString(value) + "\n"
          : TO_YAML.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("own records can always be written", e);
    }
  }
}
