package io.numaspark.cli.trial;

import io.numaspark.render.text.OneLine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * What a run printed.
 *
 * <p>Limit: only the last {@value #MOST_BYTES} bytes are read.
 */
record RunLog(Path file) {
  private static final int MOST_BYTES = 1 << 20;

  /** A line that begins so is a result that all runs of the application have in common. */
  static final String RESULT = "trial-result:";

  /** Checksum of the lines of results, which a double holds exactly; empty without such a line. */
  OptionalDouble resultChecksum() {
    List<String> results = end().filter(line -> line.startsWith(RESULT)).toList();
    if (results.isEmpty()) {
      return OptionalDouble.empty();
    }
    CRC32 checksum = new CRC32();
    results.forEach(line -> checksum.update(line.strip().getBytes(StandardCharsets.UTF_8)));
    return OptionalDouble.of(checksum.getValue());
  }

  /** The last line that looks like an error, to be shown; else the last line. */
  Optional<String> lastWords() {
    List<String> lines = end().map(String::strip).filter(line -> !line.isEmpty()).toList();
    return lines.stream()
        .filter(line -> line.matches("(?s).*(Error|Exception|FATAL).*") && !line.startsWith("at "))
        .reduce((first, second) -> second)
        .or(() -> lines.stream().reduce((first, second) -> second))
        .map(OneLine::of)
        .map(line -> line.length() > 300 ? line.substring(0, 300) + "..." : line)
        .map(
            line ->
                line.endsWith(".") && !line.endsWith("...")
                    ? line.substring(0, line.length() - 1)
                    : line);
  }

  private Stream<String> end() {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(0, in.length() - MOST_BYTES);
      byte[] bytes = new byte[(int) (in.length() - start)];
      in.seek(start);
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines();
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
