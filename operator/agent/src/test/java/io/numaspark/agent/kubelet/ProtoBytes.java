package io.numaspark.agent.kubelet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protobuf messages by hand, field by field. */
final class ProtoBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  ProtoBytes text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoBytes message(int field, ProtoBytes value) {
    return bytes(field, value.done());
  }

  ProtoBytes bytes(int field, byte[] value) {
    varint((long) field << 3 | 2);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  ProtoBytes number(int field, long value) {
    varint((long) field << 3);
    return varint(value);
  }

  ProtoBytes packed(int field, long... values) {
    ProtoBytes all = new ProtoBytes();
    for (long value : values) {
      all.varint(value);
    }
    return message(field, all);
  }

  /** Anything: for fields of other wire types and for broken ones. */
  ProtoBytes raw(int... values) {
    for (int value : values) {
      bytes.write(value);
    }
    return this;
  }

  private ProtoBytes varint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      bytes.write((int) left & 0x7f | 0x80);
      left >>>= 7;
    }
    bytes.write((int) left);
    return this;
  }

  byte[] done() {
    return bytes.toByteArray();
  }
}
