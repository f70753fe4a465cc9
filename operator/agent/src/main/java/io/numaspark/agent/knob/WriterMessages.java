package io.numaspark.agent.knob;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of the writer's socket: JSON objects, one a line.
 *
 * <p>Limit: parses token by token rather than with a mapper, which would load some hundred classes
 * more into a process that is to be small.
 */
public final class WriterMessages {

  /** Longest request, in bytes without its line feed. */
  public static final int MAX_REQUEST_BYTES = 64 * 1024;

  /** Longest reply: a state for each knob, with lists of up to 8192 CPUs. */
  public static final int MAX_REPLY_BYTES = 1024 * 1024;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private WriterMessages() {}

  /** A request as a line. */
  public static byte[] encode(WriterRequest request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      if (request instanceof WriterRequest.Apply apply) {
        json.writeStringField("op", "apply");
        json.writeObjectFieldStart("settings");
        for (Map.Entry<Knob, String> setting : apply.wanted().values().entrySet()) {
          json.writeStringField(setting.getKey().key(), setting.getValue());
        }
        json.writeEndObject();
        if (apply.cores() != null) {
          json.writeStringField("cpus", apply.cores().toString());
        }
      } else {
        json.writeStringField(
            "op", request instanceof WriterRequest.Restore ? "restore" : "status");
      }
      json.writeEndObject();
    }
    out.write('\n');
    return out.toByteArray();
  }

  /**
   * Reads a request.
   *
   * @throws IllegalArgumentException naming what is not understood; everything that is not exactly
   *     a request is refused
   */
  public static WriterRequest decodeRequest(byte[] line) {
    String op = null;
    Map<String, String> settings = null;
    String cpus = null;
    try (JsonParser json = JSON.createParser(line)) {
      expect(json.nextToken(), JsonToken.START_OBJECT, "a request", "an object");
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        switch (field) {
          case "op" -> op = text(json, field);
          case "settings" -> settings = texts(json, field);
          case "cpus" -> cpus = text(json, field);
          default ->
              throw new IllegalArgumentException(
                  "'"
                      + Quoted.of(field)
                      + "' is not a field of a request: write op, settings, cpus");
        }
      }
      if (json.nextToken() != null) {
        throw new IllegalArgumentException("more than one object in a line: write one a line");
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the line is not JSON: " + Quoted.of(e.getOriginalMessage()), e);
    } catch (IOException e) {
      // Malformed text, for example bytes that no character has.
      throw new IllegalArgumentException("the line is not JSON: " + Quoted.of(e.getMessage()), e);
    }
    return request(op, settings, cpus);
  }

  private static WriterRequest request(String op, Map<String, String> settings, String cpus) {
    if ("apply".equals(op)) {
      if (settings == null) {
        throw new IllegalArgumentException("settings: is missing: write at least {}");
      }
      return new WriterRequest.Apply(
          KnobSettings.parse(settings), cpus == null ? null : cpuSet(cpus));
    }
    boolean restore = "restore".equals(op);
    if (!restore && !"status".equals(op)) {
      throw new IllegalArgumentException(
          "op: '" + Quoted.of(op) + "' is unknown: write apply, restore or status");
    }
    if (settings != null || cpus != null) {
      throw new IllegalArgumentException(
          "op: " + op + " takes neither settings nor cpus: leave them out");
    }
    return restore ? new WriterRequest.Restore() : new WriterRequest.Status();
  }

  private static CpuSet cpuSet(String cpus) {
    try {
      return CpuSet.parse(cpus);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cpus: '" + Quoted.of(cpus) + "' is not a list of CPUs: write for example 0-3,8", e);
    }
  }

  /** States as a reply line. */
  public static byte[] encodeReply(List<KnobState> knobs) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeArrayFieldStart("knobs");
      for (KnobState knob : knobs) {
        json.writeStartObject();
        optional(json, "name", knob.name());
        optional(json, "wanted", knob.wanted());
        optional(json, "actual", knob.actual());
        optional(json, "state", knob.state());
        optional(json, "differingCpus", knob.differingCpus());
        optional(json, "message", knob.message());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.write('\n');
    return out.toByteArray();
  }

  /** A refusal as a reply line. */
  public static byte[] encodeError(String message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("error", message);
      json.writeEndObject();
    }
    out.write('\n');
    return out.toByteArray();
  }

  private static void optional(JsonGenerator json, String field, String value) throws IOException {
    if (value != null) {
      json.writeStringField(field, value);
    }
  }

  /**
   * Reads a reply.
   *
   * @throws IOException with the writer's words if it has refused the request, or if the line is no
   *     reply
   */
  public static List<KnobState> decodeReply(byte[] line) throws IOException {
    try (JsonParser json = JSON.createParser(line)) {
      expect(json.nextToken(), JsonToken.START_OBJECT, "a reply", "an object");
      String field = json.nextFieldName();
      if ("error".equals(field)) {
        throw new IOException("the writer refuses: " + text(json, field));
      }
      if (!"knobs".equals(field)) {
        throw new IOException("the writer's reply has neither knobs nor error");
      }
      expect(json.nextToken(), JsonToken.START_ARRAY, field, "an array");
      List<KnobState> knobs = new ArrayList<>();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> state = members(json);
        knobs.add(
            new KnobState(
                state.get("name"),
                state.get("wanted"),
                state.get("actual"),
                state.get("state"),
                state.get("differingCpus"),
                state.get("message")));
      }
      return knobs;
    } catch (IllegalArgumentException e) {
      throw new IOException("the writer's reply is not understood: " + e.getMessage(), e);
    }
  }

  private static String text(JsonParser json, String field) throws IOException {
    expect(json.nextToken(), JsonToken.VALUE_STRING, field, "text");
    return json.getText();
  }

  private static Map<String, String> texts(JsonParser json, String field) throws IOException {
    expect(json.nextToken(), JsonToken.START_OBJECT, field, "an object");
    return members(json);
  }

  private static Map<String, String> members(JsonParser json) throws IOException {
    Map<String, String> members = new HashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      members.put(name, text(json, Quoted.of(name)));
    }
    return members;
  }

  private static void expect(JsonToken token, JsonToken wanted, String what, String kind) {
    if (token != wanted) {
      throw new IllegalArgumentException(what + ": is not " + kind + ": write " + kind);
    }
  }
}
