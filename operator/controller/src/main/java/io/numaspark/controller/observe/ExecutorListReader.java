package io.numaspark.controller.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.render.proof.Placement;
import io.numaspark.render.text.ForeignText;
import io.numaspark.render.text.Labels;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads placements from an ExecutorSummary array as its bytes come, and keeps nothing else of them.
 *
 * <p>Limit: of the executors only that it was asked for.
 */
final class ExecutorListReader {
  private static final int DEEPEST = 20;
  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_STRING = 64 << 10;

  /** A list that names every second of 512 CPUs has 1.9 KB. */
  private static final int LONGEST_LIST = 2048;

  private final Set<String> ids;
  private final Map<String, Placement> placements = new TreeMap<>();
  private final JsonParser parser;
  private final ByteArrayFeeder feeder;
  private int sinceToken;
  private int depth;
  private boolean isList;
  private boolean inAttributes;
  private String id;
  private String cpus;
  private String memoryNodes;

  /** A reader of one answer. */
  ExecutorListReader(Set<String> ids) {
    this.ids = ids;
    try {
      // A factory of its own: factories keep the names that their parsers have met.
      parser =
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(DEEPEST)
                      .maxNameLength(LONGEST_NAME)
                      .maxStringLength(LONGEST_STRING)
                      .build())
              .build()
              .createNonBlockingByteArrayParser();
    } catch (IOException e) {
      throw new IllegalStateException("a parser of bytes that reads no file", e);
    }
    feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
  }

  /**
   * Reads what has come.
   *
   * @return the answer, when the list has ended
   * @throws IOException if it is not a list of executors
   */
  Optional<ReportedExecutors> read(byte[] bytes, int from, int to) throws IOException {
    feeder.feedInput(bytes, from, to);
    sinceToken += to - from;
    for (JsonToken token = parser.nextToken();
        token != null && token != JsonToken.NOT_AVAILABLE;
        token = parser.nextToken()) {
      sinceToken = 0;
      if (token.isStructStart()) {
        start(token);
      } else if (token.isStructEnd()) {
        end();
      } else if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
        value(parser.currentName());
      }
      if (!isList) {
        throw new IOException("no list");
      }
      if (depth == 0) {
        return Optional.of(new Answer(Map.copyOf(placements)));
      }
    }
    if (sinceToken > LONGEST_STRING) {
      throw new IOException("no end of a string");
    }
    return Optional.empty();
  }

  private void start(JsonToken token) {
    depth++;
    if (depth == 1) {
      isList = token == JsonToken.START_ARRAY;
    } else if (depth == 2) {
      id = null;
      cpus = null;
      memoryNodes = null;
    } else if (depth == 3) {
      inAttributes =
          token == JsonToken.START_OBJECT
              && "attributes".equals(parser.getParsingContext().getParent().getCurrentName());
    }
  }

  private void end() {
    if (depth == 2 && id != null && ids.contains(id)) {
      placements.put(id, new Placement(cpus, memoryNodes));
    } else if (depth == 3) {
      inAttributes = false;
    }
    depth--;
  }

  private void value(String name) throws IOException {
    if (depth == 2 && "id".equals(name)) {
      id = parser.getText();
    } else if (depth == 3 && inAttributes && Labels.ATTRIBUTE_CPUS.equals(name)) {
      cpus = ForeignText.line(parser.getText(), LONGEST_LIST);
    } else if (depth == 3 && inAttributes && Labels.ATTRIBUTE_MEMORY_NODES.equals(name)) {
      memoryNodes = ForeignText.line(parser.getText(), LONGEST_LIST);
    }
  }
}
