package io.numaspark.cli.trial;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the tasks of a run took, from Spark's event log: why one arm is faster than another.
 *
 * <p>Limit: an event log of more than {@value #MOST_MEBIBYTES} MiB is not read.
 */
final class EventLog {
  private static final long MOST_MEBIBYTES = 4096;

  /**
   * Fields of Spark's task metrics (JsonProtocol), with the measure that they add to and its unit.
   */
  private static final Map<String, Part> PARTS =
      Map.of(
          "Executor Run Time", new Part("taskSeconds", 1e-3),
          "Executor CPU Time", new Part("taskCpuSeconds", 1e-9),
          "JVM GC Time", new Part("gcSeconds", 1e-3),
          "Disk Bytes Spilled", new Part("spilledMebibytes", 1.0 / (1 << 20)),
          "Remote Bytes Read", new Part("shuffleReadMebibytes", 1.0 / (1 << 20)),
          "Local Bytes Read", new Part("shuffleReadMebibytes", 1.0 / (1 << 20)),
          "Shuffle Bytes Written", new Part("shuffleWrittenMebibytes", 1.0 / (1 << 20)));

  /** A number of the log, as a part of a measure. */
  private record Part(String measure, double unit) {}

  private final SortedMap<String, Double> measures = new TreeMap<>();

  private EventLog() {}

  /**
   * Sums over all tasks.
   *
   * @param folder in which Spark has written the only log
   * @return empty if there is none, or it is too large or cut off: a measure is right or missing
   */
  static SortedMap<String, Double> measures(Path folder) {
    return measures(folder, MOST_MEBIBYTES << 20);
  }

  static SortedMap<String, Double> measures(Path folder, long mostBytes) {
    EventLog log = new EventLog();
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> logs = files.filter(Files::isRegularFile).limit(2).toList();
      if (logs.size() != 1 || Files.size(logs.get(0)) > mostBytes) {
        return new TreeMap<>();
      }
      log.read(logs.get(0));
      return log.measures;
    } catch (IOException e) {
      return new TreeMap<>();
    }
  }

  private void read(Path file) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      while (json.nextToken() == JsonToken.START_OBJECT) {
        event(json);
      }
    }
  }

  private void event(JsonParser json) throws IOException {
    boolean ofTask = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (field.equals("Event") && value == JsonToken.VALUE_STRING) {
        ofTask = json.getText().equals("SparkListenerTaskEnd");
        if (ofTask) {
          measures.merge("tasks", 1.0, Double::sum);
        }
      } else if (field.equals("Task Metrics") && ofTask && value == JsonToken.START_OBJECT) {
        metrics(json);
      } else {
        json.skipChildren();
      }
    }
  }

  /** All fields of the metrics, and of the objects in them. */
  private void metrics(JsonParser json) throws IOException {
    int depth = 1;
    while (depth > 0) {
      JsonToken token = json.nextToken();
      if (token == null) {
        throw new IOException("the log ends within a task");
      }
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token == JsonToken.VALUE_NUMBER_INT && PARTS.containsKey(json.currentName())) {
        Part part = PARTS.get(json.currentName());
        measures.merge(part.measure(), json.getLongValue() * part.unit(), Double::sum);
      }
    }
  }
}
