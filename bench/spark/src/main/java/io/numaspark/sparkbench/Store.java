package io.numaspark.sparkbench;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Measurements in a file, one JSON object a line, appended as they come, so that a run can be
 * stopped and go on.
 */
final class Store {

  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private final Path file;
  private final List<Measurement> measurements = new ArrayList<>();

  Store(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        measurements.add(JSON.readValue(line, Measurement.class));
      }
    }
  }

  void add(Measurement measurement) throws IOException {
    Files.writeString(
        file,
        JSON.writeValueAsString(measurement) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    measurements.add(measurement);
  }

  boolean has(Measurement planned) {
    return measurements.stream().anyMatch(planned::sameRun);
  }

  List<Measurement> measurements() {
    return List.copyOf(measurements);
  }
}
