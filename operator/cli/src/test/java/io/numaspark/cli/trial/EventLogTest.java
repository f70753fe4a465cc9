package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {
  /** As Spark 4.3 writes it; other fields left out. */
  private static final String TASK =
      """
      {"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"Success"},"Task Info":{"Task ID":0,"Accumulables":[{"ID":1,"Name":"internal.metrics.executorRunTime","Update":9}]},"Task Metrics":{"Executor Run Time":1500,"Executor CPU Time":1250000000,"JVM GC Time":250,"Disk Bytes Spilled":1048576,"Shuffle Read Metrics":{"Remote Bytes Read":1048576,"Local Bytes Read":2097152},"Shuffle Write Metrics":{"Shuffle Bytes Written":5242880},"Updated Blocks":[]}}
      """;

  @TempDir private Path folder;

  @Test
  void addsUpWhatTasksTook() throws IOException {
    write(
        "{\"Event\":\"SparkListenerApplicationStart\",\"Task Metrics\":{\"JVM GC Time\":7}}\n"
            + TASK
            + TASK);
    assertThat(EventLog.measures(folder))
        .containsEntry("tasks", 2.0)
        .containsEntry("taskSeconds", 3.0)
        .containsEntry("taskCpuSeconds", 2.5)
        .containsEntry("gcSeconds", 0.5)
        .containsEntry("spilledMebibytes", 2.0)
        .containsEntry("shuffleReadMebibytes", 6.0)
        .hasEntrySatisfying(
            "shuffleWrittenMebibytes", sum -> assertThat(sum).isCloseTo(10, within(1e-9)));
  }

  @Test
  void aLogThatIsCutOffHasNoMeasures() throws IOException {
    write(TASK + TASK.substring(0, TASK.length() / 2));
    assertThat(EventLog.measures(folder)).isEmpty();
  }

  @Test
  void whatIsNoLogHasNoMeasures() throws IOException {
    assertThat(EventLog.measures(folder.resolve("missing"))).isEmpty();
    write("not a log");
    assertThat(EventLog.measures(folder)).isEmpty();
    Files.writeString(folder.resolve("second"), TASK);
    assertThat(EventLog.measures(folder)).isEmpty();
  }

  @Test
  void aLogThatIsTooLargeIsNotRead() throws IOException {
    write(TASK);
    assertThat(EventLog.measures(folder, TASK.length())).containsEntry("tasks", 1.0);
    assertThat(EventLog.measures(folder, TASK.length() - 1)).isEmpty();
  }

  private void write(String text) throws IOException {
    Files.writeString(folder.resolve("app-1"), text);
  }
}
