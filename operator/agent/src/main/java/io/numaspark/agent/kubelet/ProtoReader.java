package io.numaspark.agent.kubelet;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * Walks through the fields of one protobuf message (encoding of proto3).
 *
 * <p>Fields that nobody asks for are skipped, so that later versions of the API do no harm.
 */
final class ProtoReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final byte[] data;
  private final int end;
  private int at;
  private int field;
  private int wireType;

  ProtoReader(byte[] data) {
    this(data, 0, data.length);
  }

  private ProtoReader(byte[] data, int at, int end) {
    this.data = data;
    this.at = at;
    this.end = end;
  }

  /** Goes to the next field; its value must then be read or skipped. False at the end. */
  boolean next() throws ProtocolException {
    if (at == end) {
      return false;
    }
    long tag = varint();
    field = (int) (tag >>> 3);
    wireType = (int) tag & 7;
    return true;
  }

  int field() {
    return field;
  }

  /** The message in this field. */
  ProtoReader message() throws ProtocolException {
    int length = length();
    ProtoReader inner = new ProtoReader(data, at, at + length);
    at += length;
    return inner;
  }

  String text() throws ProtocolException {
    int length = length();
    String text = new String(data, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  /** The number in this field. */
  long number() throws ProtocolException {
    if (wireType != VARINT) {
      throw unexpected();
    }
    return varint();
  }

  /** The numbers in this repeated field: many as one packed value, or one. */
  void numbers(LongConsumer each) throws ProtocolException {
    if (wireType != BYTES) {
      each.accept(number());
      return;
    }
    ProtoReader packed = message();
    while (packed.at < packed.end) {
      each.accept(packed.varint());
    }
  }

  void skip() throws ProtocolException {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> advance(8);
      case BYTES -> advance(length());
      case FIXED32 -> advance(4);
      default -> throw unexpected();
    }
  }

  private int length() throws ProtocolException {
    if (wireType != BYTES) {
      throw unexpected();
    }
    long length = varint();
    if (length < 0 || length > end - at) {
      throw new ProtocolException("the kubelet's answer ends in the middle of field " + field);
    }
    return (int) length;
  }

  private void advance(int count) throws ProtocolException {
    if (count > end - at) {
      throw new ProtocolException("the kubelet's answer ends in the middle of field " + field);
    }
    at += count;
  }

  private long varint() throws ProtocolException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at == end) {
        throw new ProtocolException("the kubelet's answer ends in the middle of a number");
      }
      byte part = data[at++];
      value |= (long) (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new ProtocolException("the kubelet's answer has a number of more than 64 bits");
  }

  private ProtocolException unexpected() {
    return new ProtocolException(
        "field " + field + " of the kubelet's answer has wire type " + wireType);
  }
}
