package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Access to the files below a root that is laid out like a machine's own.
 *
 * <p>Every failure names the file and what to do about it; nothing is cached. Texts lose the zero
 * bytes and line ends around them, which copies of such files come with.
 */
final class SystemTree {
  /** Far more than /proc/cpuinfo of 8192 CPUs has. */
  private static final int LARGEST_FILE = 64 << 20;

  private final Path root;

  SystemTree(Path root) {
    this.root = root;
  }

  boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  /**
   * The bytes of a file that every supported kernel has; no more than {@link #LARGEST_FILE}.
   *
   * @throws IOException naming the file, if it is not there, no file or not readable
   */
  byte[] bytes(String path) throws IOException {
    Path file = root.resolve(path);
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // To read a pipe could take forever.
        throw new IOException("it is not a regular file");
      }
      try (InputStream in = Files.newInputStream(file)) {
        return in.readNBytes(LARGEST_FILE);
      }
    } catch (NoSuchFileException e) {
      throw new IOException(
          "%s does not exist; point the reader at the root of a Linux system or at a copy that has this file"
              .formatted(file),
          e);
    } catch (IOException e) {
      throw new IOException(
          "%s cannot be read (%s); check that the reader may read it".formatted(file, e), e);
    }
  }

  /** The text of a file that every supported kernel has. */
  String text(String path) throws IOException {
    // trim() takes all that is not above a space, so zero bytes and carriage returns too.
    return new String(bytes(path), StandardCharsets.UTF_8).trim();
  }

  /** The text of a file that only some machines have. */
  Optional<String> optionalText(String path) throws IOException {
    return exists(path) ? Optional.of(text(path)) : Optional.empty();
  }

  /** The text of a file of which nothing depends; empty too if it is empty or not readable. */
  Optional<String> readableText(String path) {
    try {
      return optionalText(path).filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  List<String> lines(String path) throws IOException {
    return text(path).lines().toList();
  }

  CpuSet cpus(String path) throws IOException {
    try {
      return CpuSet.parse(text(path));
    } catch (IllegalArgumentException e) {
      throw unexpected(path, "a CPU list such as 0-3,8", e);
    }
  }

  /** A CPU list, or the mask in its place that kernels before 2.6.26 have. */
  CpuSet cpus(String list, String mask) throws IOException {
    if (exists(list) || !exists(mask)) {
      return cpus(list);
    }
    // "00000000,0000000f": 32 CPUs a word, the lowest last.
    BitSet bits = new BitSet();
    String[] words = text(mask).split(",");
    try {
      for (int i = 0; i < words.length; i++) {
        long word = Long.parseLong(words[words.length - 1 - i].trim(), 16);
        for (int bit = 0; bit < Integer.SIZE; bit++) {
          if ((word & 1L << bit) != 0) {
            bits.set(i * Integer.SIZE + bit);
          }
        }
      }
      return CpuSet.of(bits.stream());
    } catch (IllegalArgumentException e) {
      throw unexpected(mask, "a CPU mask such as 00000000,0000000f", e);
    }
  }

  long number(String path) throws IOException {
    try {
      return Long.parseLong(text(path));
    } catch (NumberFormatException e) {
      throw unexpected(path, "a whole number", e);
    }
  }

  /**
   * Subdirectories whose whole name matches, by the number in the pattern's first group; none for a
   * number that is too large for an int.
   */
  Map<Integer, String> numbered(String directory, Pattern name) throws IOException {
    Map<Integer, String> found = new TreeMap<>();
    if (!Files.isDirectory(root.resolve(directory))) {
      return found;
    }
    try (Stream<Path> children = Files.list(root.resolve(directory))) {
      for (Path child : children.toList()) {
        Matcher matcher = name.matcher(child.getFileName().toString());
        if (matcher.matches() && matcher.group(1).length() < 10) {
          found.put(Integer.valueOf(matcher.group(1)), directory + "/" + child.getFileName());
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IOException(
          "%s cannot be read (%s); check that the reader may read it"
              .formatted(root.resolve(directory), e),
          e);
    }
    return found;
  }

  IOException unexpected(String path, String expected, Exception cause) {
    return new IOException(
        "%s should hold %s; check the file or read the machine again"
            .formatted(root.resolve(path), expected),
        cause);
  }
}
