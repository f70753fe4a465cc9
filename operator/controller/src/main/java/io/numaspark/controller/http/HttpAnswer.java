package io.numaspark.controller.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer, whole in memory.
 *
 * @param headers beside those of the connection and of the body's length
 */
public record HttpAnswer(int status, Map<String, String> headers, byte[] body) {

  /** A text for people, with a line end. */
  public static HttpAnswer text(int status, String text) {
    return new HttpAnswer(
        status,
        Map.of("Content-Type", "text/plain; charset=utf-8", "X-Content-Type-Options", "nosniff"),
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Only GET and HEAD are served anywhere. */
  public static HttpAnswer readOnly() {
    return text(405, "this can only be read").with("Allow", "GET, HEAD");
  }

  /** The same with a further header. */
  public HttpAnswer with(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new HttpAnswer(status, more, body);
  }

  /** As it goes over the wire. */
  byte[] bytes(boolean withBody) {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Length: ").append(body.length).append("\r\nConnection: close\r\n\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[start.length + (withBody ? body.length : 0)];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, all.length - start.length);
    return all;
  }
}
