package io.numaspark.controller.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the head of a request, which is all that a request may have here. */
final class RequestHead {
  private RequestHead() {}

  /** What the bytes so far are. */
  sealed interface Parsed {
    /** More has to come. */
    record Incomplete() implements Parsed {}

    /** A request. */
    record Complete(HttpRequest request) implements Parsed {}

    /** Whatever comes, this is refused. */
    record Bad(HttpAnswer answer) implements Parsed {}
  }

  /**
   * Reads.
   *
   * @param from bytes before it were read already, and had no end of a head
   */
  static Parsed parse(byte[] bytes, int length, int from) {
    int end = end(bytes, length, Math.max(0, from - 3));
    if (end < 0) {
      return length < bytes.length
          ? new Parsed.Incomplete()
          : bad(431, "the head of a request may have " + bytes.length + " bytes");
    }
    List<String> lines = new String(bytes, 0, end, StandardCharsets.ISO_8859_1).lines().toList();
    if (lines.isEmpty()) {
      return bad(400, "the request is empty");
    }
    Map<String, List<String>> headers = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (colon < 1 || line.charAt(0) <= ' ') {
        return bad(400, "a header has no name");
      }
      headers
          .computeIfAbsent(
              line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
          .add(line.substring(colon + 1).trim());
    }
    if (headers.containsKey("transfer-encoding")
        || headers.getOrDefault("content-length", List.of()).stream()
            .anyMatch(size -> !size.equals("0"))) {
      return bad(413, "a request may have no body");
    }
    return request(lines.get(0), headers);
  }

  private static Parsed request(String line, Map<String, List<String>> headers) {
    int target = line.indexOf(' ') + 1;
    int version = line.lastIndexOf(' ') + 1;
    if (target < 2
        || version <= target
        || line.charAt(target) != '/'
        || !line.startsWith("HTTP/1.", version)) {
      return bad(400, "the request is not METHOD /PATH HTTP/1.1");
    }
    String path = line.substring(target, version - 1);
    int query = path.indexOf('?');
    return new Parsed.Complete(
        new HttpRequest(
            line.substring(0, target - 1),
            query < 0 ? path : path.substring(0, query),
            query < 0 ? null : path.substring(query + 1),
            headers));
  }

  /** Where the empty line begins; -1 if it has not come. */
  private static int end(byte[] bytes, int length, int from) {
    for (int i = from; i < length; i++) {
      if (bytes[i] == '\n'
          && (i + 1 < length && bytes[i + 1] == '\n'
              || i + 2 < length && bytes[i + 1] == '\r' && bytes[i + 2] == '\n')) {
        return i;
      }
    }
    return -1;
  }

  private static Parsed bad(int status, String why) {
    return new Parsed.Bad(HttpAnswer.text(status, why));
  }
}
