package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.util.regex.Pattern;

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
              YAMLFactory.builder()
                  .enable(Feature.MINIMIZE_QUOTES)
                  .enable(Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                  .disable(Feature.SPLIT_LINES)
                  .disable(Feature.WRITE_DOC_START_MARKER)
                  .stringQuotingChecker(new NumbersQuoted())
                  .build())
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

  /**
   * Quotes texts that YAML 1.1 would read as numbers and the generator leaves bare: 0x41 (the
   * vendor of Arm processors), 0b1, 0o7, 1e3, 1_000.
   */
  private static final class NumbersQuoted extends StringQuotingChecker.Default {
    private static final long serialVersionUID = 1L;

    private static final Pattern NUMBER =
        Pattern.compile(
            "[-+]?(0x[0-9a-fA-F_]+|0b[01_]+|0o?[0-7_]+|[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?)");

    @Override
    public boolean needToQuoteValue(String value) {
      return NUMBER.matcher(value).matches() || super.needToQuoteValue(value);
    }
  }
}
