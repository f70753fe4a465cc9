package io.numaspark.controller.observe;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Takes an HTTP/1.1 answer apart as its bytes come: the status from its head, and the body out of
 * its chunks.
 *
 * <p>Limit: where the body ends is not looked for; who reads it knows when it is complete.
 */
final class HttpAnswerReader {
  private static final int LONGEST_LINE = 8 << 10;
  private static final int LONGEST_HEAD = 64 << 10;

  private final ExecutorListReader body;
  private final StringBuilder line = new StringBuilder();
  private Expected expected = Expected.STATUS;
  private int status;
  private boolean isChunked;
  private long left;
  private int headBytes;

  /** What the next byte belongs to. */
  private enum Expected {
    STATUS,
    HEADER,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END
  }

  HttpAnswerReader(ExecutorListReader body) {
    this.body = body;
  }

  /** The status, when the head is complete. */
  OptionalInt status() {
    return expected == Expected.STATUS || expected == Expected.HEADER
        ? OptionalInt.empty()
        : OptionalInt.of(status);
  }

  /**
   * Reads what has come.
   *
   * @return the answer, when it is complete; empty for a head that does not say 200, whose body is
   *     nobody's concern
   * @throws IOException if it is not an answer
   */
  Optional<ReportedExecutors> read(byte[] bytes, int length) throws IOException {
    int at = 0;
    while (at < length) {
      if (status().isPresent() && status != 200) {
        return Optional.empty();
      }
      if (expected == Expected.BODY || expected == Expected.CHUNK) {
        int to = (int) Math.min(length, at + Math.min(left, length));
        Optional<ReportedExecutors> answer = body.read(bytes, at, to);
        if (answer.isPresent()) {
          return answer;
        }
        left -= to - at;
        at = to;
        if (left == 0) {
          expected = Expected.CHUNK_END;
        }
      } else {
        take((char) (bytes[at++] & 0xff));
      }
    }
    return Optional.empty();
  }

  private void take(char c) throws IOException {
    headBytes += expected == Expected.STATUS || expected == Expected.HEADER ? 1 : 0;
    if (line.length() >= LONGEST_LINE || headBytes > LONGEST_HEAD) {
      throw new IOException("no end of a line");
    }
    if (c == '\n') {
      String text = line.toString().strip();
      line.setLength(0);
      end(text);
    } else {
      line.append(c);
    }
  }

  private void end(String text) throws IOException {
    switch (expected) {
      case STATUS -> {
        status = status(text);
        expected = Expected.HEADER;
      }
      case HEADER -> header(text);
      case CHUNK_SIZE -> {
        left = chunkSize(text);
        expected = Expected.CHUNK;
      }
      default -> expected = Expected.CHUNK_SIZE;
    }
  }

  private void header(String text) {
    if (text.isEmpty()) {
      left = Long.MAX_VALUE;
      expected = isChunked ? Expected.CHUNK_SIZE : Expected.BODY;
    } else if (text.regionMatches(true, 0, "transfer-encoding:", 0, 18)) {
      isChunked = text.regionMatches(true, text.length() - 7, "chunked", 0, 7);
    }
  }

  /** As in {@code HTTP/1.1 200 OK}. */
  private static int status(String text) throws IOException {
    if (!text.startsWith("HTTP/1.") || text.length() < 12) {
      throw new IOException("no status");
    }
    return number(text.substring(9, 12), 10);
  }

  private static long chunkSize(String text) throws IOException {
    int extension = text.indexOf(';');
    String size = (extension < 0 ? text : text.substring(0, extension)).strip();
    int bytes = number(size, 16);
    if (bytes == 0) {
      throw new IOException("the body ends before the list does");
    }
    return bytes;
  }

  private static int number(String digits, int radix) throws IOException {
    List<Integer> values = digits.chars().mapToObj(c -> Character.digit(c, radix)).toList();
    if (values.isEmpty() || values.size() > 7 || values.contains(-1)) {
      throw new IOException("no number");
    }
    return values.stream().reduce(0, (number, digit) -> number * radix + digit);
  }
}
