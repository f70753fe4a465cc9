package io.numaspark.cli.trial;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.numaspark.cli.text.InputException;
import io.numaspark.trial.engine.Run;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The runs of a trial as JSON lines. A line is on the disk before the next run begins; what a
 * killed trial wrote of a line is cut off.
 */
final class Journal {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          .build();

  /** A trial has at most 12 arms and some 80 rounds, a line less than 4 KiB. */
  private static final long MOST_BYTES = 64L << 20;

  private final Path file;

  Journal(Path file) {
    this.file = file;
  }

  /**
   * @throws InputException naming the line that is not one of a journal
   */
  List<Run> read() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new InputException(
          file
              + " has more than "
              + (MOST_BYTES >> 20)
              + " MiB, so it is not a journal of a trial");
    }
    List<Run> runs = new ArrayList<>();
    String text = Files.readString(file);
    int number = 0;
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      number++;
      try {
        runs.add(Objects.requireNonNull(JSON.readValue(line, Run.class), "null"));
      } catch (JsonProcessingException | NullPointerException e) {
        String why =
            e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        throw new InputException(
            "%s:%d: not a run of a trial: %s. Delete the line, or choose another --output"
                .formatted(file, number, why),
            e);
      }
    }
    return runs;
  }

  void append(Run run) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(endOfLastLine(out));
      out.seek(out.length());
      out.write((JSON.writeValueAsString(run) + "\n").getBytes(StandardCharsets.UTF_8));
      out.getFD().sync();
    }
  }

  private static long endOfLastLine(RandomAccessFile file) throws IOException {
    for (long end = file.length(); end > 0; end--) {
      file.seek(end - 1);
      if (file.read() == '\n') {
        return end;
      }
    }
    return 0;
  }
}
