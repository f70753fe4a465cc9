package io.numaspark.cli.trial;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Files of the kernel, and of processes that a trial runs, which could be of any size. */
final class SmallFile {
  private SmallFile() {}

  /**
   * The text of a regular file; empty if it is missing, not readable, or larger.
   *
   * @param mostBytes that it may have
   */
  static Optional<String> read(Path file, int mostBytes) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty(); // to read a pipe could take forever
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(mostBytes + 1);
      return bytes.length > mostBytes
          ? Optional.empty()
          : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty(); // a process that has just ended, or is not ours
    }
  }
}
