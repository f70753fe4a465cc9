package io.numaspark.controller.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A request without a body.
 *
 * @param path decoded by nobody, without the query
 * @param query what follows the question mark; null if there is none
 * @param headers values by name in lower case
 */
public record HttpRequest(
    String method, String path, String query, Map<String, List<String>> headers) {

  /** The values of a header; empty if it is not there. */
  public List<String> header(String name) {
    return Objects.requireNonNullElse(headers.get(name.toLowerCase(Locale.ROOT)), List.of());
  }

  boolean isHead() {
    return method.equals("HEAD");
  }
}
