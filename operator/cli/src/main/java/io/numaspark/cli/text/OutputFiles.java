package io.numaspark.cli.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files that belong together: each is written beside its place first, and they are put there when
 * all of them are complete.
 *
 * <p>Limit: a machine that stops while they are put there may leave the first ones new and the last
 * ones old.
 */
public final class OutputFiles {
  private final Map<Path, String> texts = new LinkedHashMap<>();

  /** Adds a file, which is put in its place before those that are added later. */
  public void add(Path file, String text) {
    texts.put(file, text);
  }

  /**
   * Writes all of them, or none.
   *
   * @throws InputException if one cannot be written; names it
   */
  public void write() {
    Map<Path, Path> places = new LinkedHashMap<>();
    try {
      for (Map.Entry<Path, String> file : texts.entrySet()) {
        stage(file.getKey(), file.getValue(), places);
      }
      for (Map.Entry<Path, Path> place : places.entrySet()) {
        move(place.getKey(), place.getValue());
      }
    } finally {
      places.keySet().forEach(OutputFiles::discard);
    }
  }

  private static void stage(Path file, String text, Map<Path, Path> places) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.writeString(file, text); // A device or a pipe keeps its place.
        return;
      }
      Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path next =
          place.resolveSibling(
              "." + place.getFileName() + "." + ProcessHandle.current().pid() + ".next");
      if (!Files.isDirectory(place.getParent())) {
        throw new InputException(
            file + ": cannot be written: there is no folder " + place.getParent() + "; make it");
      }
      places.put(next, place);
      Files.writeString(next, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      if (Files.exists(place)) {
        Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(place));
      }
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static void move(Path next, Path place) {
    try {
      Files.move(next, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failed(place, e);
    }
  }

  private static void discard(Path next) {
    try {
      Files.deleteIfExists(next);
    } catch (IOException e) {
      throw failed(next, e);
    }
  }

  private static InputException failed(Path file, IOException e) {
    return new InputException(file + ": cannot be written: " + e.getMessage(), e);
  }
}
