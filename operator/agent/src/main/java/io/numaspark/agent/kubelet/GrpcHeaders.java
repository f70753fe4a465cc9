package io.numaspark.agent.kubelet;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/**
 * The header fields that tell how a gRPC call went; each is null if a header block does not have
 * it.
 *
 * <p>Limit: of HPACK (RFC 7541) it reads what a peer may use after SETTINGS_HEADER_TABLE_SIZE 0:
 * the static table, literals and the Huffman code. The dynamic table is then always empty. grpc-go
 * needs the Huffman code even for the shortest values.
 *
 * @param httpStatus {@code :status}
 * @param grpcStatus {@code grpc-status}
 * @param grpcMessage {@code grpc-message}, percent-decoded
 */
record GrpcHeaders(String httpStatus, String grpcStatus, String grpcMessage) {
  private static final String HTTP_STATUS = ":status";

  /** Entries 8 to 14 of the static table are :status with these values (RFC 7541, appendix A). */
  private static final String[] STATIC_STATUS = {"200", "204", "206", "304", "400", "404", "500"};

  private static final int FIRST_STATUS = 8;
  private static final int STATIC_ENTRIES = 61;

  static GrpcHeaders parse(byte[] block) throws ProtocolException {
    return new Reader(block).fields();
  }

  /** What this block says, and for the rest what an earlier one said. */
  GrpcHeaders after(GrpcHeaders earlier) {
    return new GrpcHeaders(
        httpStatus == null ? earlier.httpStatus : httpStatus,
        grpcStatus == null ? earlier.grpcStatus : grpcStatus,
        grpcMessage == null ? earlier.grpcMessage : grpcMessage);
  }

  private static final class Reader {
    private final byte[] block;
    private int at;

    Reader(byte[] block) {
      this.block = block;
    }

    GrpcHeaders fields() throws ProtocolException {
      String httpStatus = null;
      String grpcStatus = null;
      String grpcMessage = null;
      while (at < block.length) {
        int first = block[at] & 0xff;
        String name;
        String value;
        if (first >= 0x80) { // indexed: name and value from the table
          int index = integer(7);
          name = name(index);
          value = HTTP_STATUS.equals(name) ? STATIC_STATUS[index - FIRST_STATUS] : "";
        } else if (first >= 0x20 && first < 0x40) { // new size of the dynamic table
          if (integer(5) != 0) {
            throw new ProtocolException("a header block enlarges the table that was set to 0");
          }
          continue;
        } else { // literal: to be indexed, not to be indexed, or never to be
          int index = integer(first >= 0x40 ? 6 : 4);
          name = index == 0 ? string() : name(index);
          value = string();
        }
        switch (name) {
          case HTTP_STATUS -> httpStatus = value;
          case "grpc-status" -> grpcStatus = value;
          case "grpc-message" -> grpcMessage = percentDecoded(value);
          default -> {} // content-type and whatever else there is
        }
      }
      return new GrpcHeaders(httpStatus, grpcStatus, grpcMessage);
    }

    /** Empty for all names of the static table but :status: none of them is looked at. */
    private static String name(int index) throws ProtocolException {
      if (index == 0 || index > STATIC_ENTRIES) {
        throw new ProtocolException("a header block names entry " + index + " of an empty table");
      }
      boolean status = index >= FIRST_STATUS && index < FIRST_STATUS + STATIC_STATUS.length;
      return status ? HTTP_STATUS : "";
    }

    /** RFC 7541, section 5.1; no value in a block of this size needs more than 28 bits. */
    private int integer(int prefixBits) throws ProtocolException {
      int mask = (1 << prefixBits) - 1;
      int value = next() & mask;
      if (value < mask) {
        return value;
      }
      for (int shift = 0; shift <= 21; shift += 7) {
        int part = next();
        value += (part & 0x7f) << shift;
        if (part < 0x80) {
          return value;
        }
      }
      throw new ProtocolException("a header block has a number of more than 28 bits");
    }

    private int next() throws ProtocolException {
      if (at == block.length) {
        throw new ProtocolException("a header block ends in the middle of a field");
      }
      return block[at++] & 0xff;
    }

    private String string() throws ProtocolException {
      boolean huffman = at < block.length && block[at] < 0;
      int length = integer(7);
      if (length > block.length - at) {
        throw new ProtocolException("a header block ends in the middle of a field");
      }
      int from = at;
      at += length;
      return huffman
          ? Huffman.decode(block, from, length)
          : new String(block, from, length, StandardCharsets.UTF_8);
    }
  }

  /** What does not decode stays as it is: a wrong escape must not hide the error it is part of. */
  private static String percentDecoded(String value) {
    if (value.indexOf('%') < 0) {
      return value;
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (bytes[i] == '%' && high >= 0 && low >= 0) {
        decoded.write(high << 4 | low);
        i += 2;
      } else {
        decoded.write(bytes[i]);
      }
    }
    return decoded.toString(StandardCharsets.UTF_8);
  }
}
