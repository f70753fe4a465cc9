package io.numaspark.agent.writer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.numaspark.agent.writer.Originals.Saved;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@link Originals} as JSON, with bits in hexadecimal so that people can read them too.
 *
 * <p>Limit: a file with anything in it that the writer could not have written is refused as a
 * whole; half of the originals would be worse than none.
 */
final class OriginalsFormat {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private OriginalsFormat() {}

  static byte[] write(Originals originals) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("bootId", originals.bootId());
      json.writeBooleanField("restoring", originals.restoring());
      json.writeObjectFieldStart("cells");
      for (Map.Entry<Cell, Saved> entry : originals.cells().entrySet()) {
        json.writeObjectFieldStart(entry.getKey().key());
        json.writeStringField("mask", Long.toHexString(entry.getValue().mask()));
        json.writeStringField("original", Long.toHexString(entry.getValue().bits()));
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException if it is anything else
   */
  static Originals read(byte[] text) throws IOException {
    try (JsonParser json = JSON.createParser(text)) {
      expect(json.nextToken(), JsonToken.START_OBJECT);
      field(json, "bootId");
      expect(json.nextToken(), JsonToken.VALUE_STRING);
      String bootId = json.getText();
      field(json, "restoring");
      JsonToken flag = json.nextToken();
      if (flag != JsonToken.VALUE_TRUE) {
        expect(flag, JsonToken.VALUE_FALSE);
      }
      field(json, "cells");
      expect(json.nextToken(), JsonToken.START_OBJECT);
      TreeMap<Cell, Saved> cells = new TreeMap<>();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        Cell cell = Cell.parse(json.currentName());
        cells.put(cell, saved(json, cell));
      }
      expect(json.nextToken(), JsonToken.END_OBJECT);
      expect(json.nextToken(), null);
      return new Originals(bootId, flag == JsonToken.VALUE_TRUE, cells);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Saved saved(JsonParser json, Cell cell) throws IOException {
    expect(json.nextToken(), JsonToken.START_OBJECT);
    final long mask = bits(json, "mask");
    final long bits = bits(json, "original");
    expect(json.nextToken(), JsonToken.END_OBJECT);
    if (mask == 0 || (mask & ~cell.location().writable()) != 0 || (bits & ~mask) != 0) {
      throw new IOException(cell.key() + " has bits that no knob has");
    }
    return new Saved(mask, bits);
  }

  private static long bits(JsonParser json, String name) throws IOException {
    field(json, name);
    expect(json.nextToken(), JsonToken.VALUE_STRING);
    return Long.parseUnsignedLong(json.getText(), 16);
  }

  private static void field(JsonParser json, String name) throws IOException {
    expect(json.nextToken(), JsonToken.FIELD_NAME);
    if (!name.equals(json.currentName())) {
      throw new IOException("the field is not " + name);
    }
  }

  private static void expect(JsonToken token, JsonToken wanted) throws IOException {
    if (token != wanted) {
      throw new IOException("the text has another form");
    }
  }
}
