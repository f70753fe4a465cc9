package io.numaspark.render.picture;

import java.nio.charset.StandardCharsets;

/**
 * A link of a page; SVG files have none.
 *
 * @param href relative to the page, so that it also works behind a proxy
 * @param remark what is said beside it; may be empty
 */
public record Link(String text, String href, String remark) {
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

  /** A name as one part of a path: all but RFC 3986's unreserved characters are escaped. */
  public static String segment(String name) {
    StringBuilder segment = new StringBuilder();
    for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (one & 0xFF);
      if (character < 0x80 && UNRESERVED.indexOf(character) >= 0) {
        segment.append(character);
      } else {
        segment.append("%%%02X".formatted((int) character));
      }
    }
    return segment.toString();
  }
}
