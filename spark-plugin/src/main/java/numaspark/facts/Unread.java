package numaspark.facts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads small files of the kernel and remembers, in words, what could not be read. */
final class Unread {
  private static final int LONGEST = 64 * 1024;

  private final Map<String, String> reasons = new LinkedHashMap<>();

  /** The file's text; nothing, with the reason remembered under the fact's name. */
  Optional<String> text(String fact, Path file) {
    try (var stream = Files.newInputStream(file)) {
      String text = new String(stream.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
      reasons.remove(fact);
      return Optional.of(text);
    } catch (IOException e) {
      because(fact, file, e);
      return Optional.empty();
    }
  }

  void because(String fact, Path file, IOException e) {
    String why =
        e instanceof NoSuchFileException
            ? "there is no " + file
            : e instanceof AccessDeniedException
                ? file + " may not be read"
                : file + ": " + e.getMessage();
    because(fact, why);
  }

  void because(String fact, String why) {
    reasons.put(fact, why);
  }

  void isRead(String fact) {
    reasons.remove(fact);
  }

  List<String> reasons() {
    return reasons.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
  }
}
