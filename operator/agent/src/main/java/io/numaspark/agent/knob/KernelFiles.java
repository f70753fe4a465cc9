package io.numaspark.agent.knob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Reads the kernel's one-line files that knobs live in, and spells what is to be written there.
 *
 * <p>Limit: reads only, so that the unprivileged reader can use it too.
 */
public final class KernelFiles {

  private static final int MAX_BYTES = 4096;
  private static final List<String> HUGE_PAGES = List.of("always", "madvise", "never");

  private KernelFiles() {}

  /**
   * Reads a place that is a file.
   *
   * @return the number in it; for transparent huge pages the index of the chosen word
   * @throws IOException if the file is absent, or has another form
   */
  public static long read(Path root, Location location) throws IOException {
    String text = text(root.resolve(location.file()));
    if (location == Location.TRANSPARENT_HUGE_PAGES) {
      // "always [madvise] never".
      int open = text.indexOf('[');
      int close = text.indexOf(']', open + 1);
      String word = open >= 0 && close > open ? text.substring(open + 1, close) : text;
      if (!HUGE_PAGES.contains(word)) {
        throw new IOException("'" + Quoted.of(text) + "' in /" + location.file() + " has no mode");
      }
      return HUGE_PAGES.indexOf(word);
    }
    return number(text, 10, location.file());
  }

  /** The text that sets a place that is a file. */
  public static String spell(Location location, long content) {
    return location == Location.TRANSPARENT_HUGE_PAGES
        ? HUGE_PAGES.get((int) content)
        : String.valueOf(content);
  }

  /**
   * Reads a number.
   *
   * @throws IOException naming the file if the text is not a number of this radix
   */
  public static long number(String text, int radix, String file) throws IOException {
    try {
      return Long.parseUnsignedLong(text, radix);
    } catch (NumberFormatException e) {
      throw new IOException("'" + Quoted.of(text) + "' in /" + file + " is not a number", e);
    }
  }

  /**
   * The content of a short file, without white space at its ends.
   *
   * @throws IOException if it cannot be read
   */
  public static String text(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && channel.read(bytes) > 0) {
        // Files of the kernel give their text in one piece, others may not.
      }
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1).trim();
  }
}
