package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.cli.text.InputException;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Phase;
import io.numaspark.trial.engine.RoundId;
import io.numaspark.trial.engine.Run;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
  private static final Run RUN =
      new Run(
          new RoundId(Phase.CONFIRMATION, 3),
          2,
          "pinned",
          Outcome.INVALID,
          12.5,
          new TreeMap<>(Map.of("cpuSeconds", 20.25)),
          List.of("Executor 0 might use CPUs 0-1 instead of 0-3."),
          true);

  @TempDir private Path folder;

  @Test
  void readsWhatItWrote() throws IOException {
    Journal journal = journal();
    assertThat(journal.read()).isEmpty();
    journal.append(RUN);
    journal.append(RUN);
    assertThat(journal.read()).containsExactly(RUN, RUN);
  }

  @Test
  void aLineThatWasCutOffIsWrittenAgain() throws IOException {
    Journal journal = journal();
    journal.append(RUN);
    Files.writeString(file(), "{\"round\":{\"pha", StandardOpenOption.APPEND);
    assertThat(journal.read()).containsExactly(RUN);
    journal.append(RUN);
    assertThat(journal.read()).containsExactly(RUN, RUN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"arm\":7}",
        "null",
        "[]",
        "{\"round\":{\"phase\":\"CALIBRATION\",\"number\":0},\"session\":1,\"arm\":\"a\",\"outcome\":\"OK\",\"seconds\":-1,"
            + "\"measures\":{},\"remarks\":[],\"disturbed\":false}",
        "{\"round\":{\"phase\":\"CALIBRATION\",\"number\":0},\"session\":1,\"arm\":\"a\",\"outcome\":\"OK\",\"seconds\":\"NaN\","
            + "\"measures\":{},\"remarks\":[],\"disturbed\":false}",
        "{\"round\":null,\"session\":1,\"arm\":\"a\",\"outcome\":\"OK\",\"seconds\":1,\"measures\":{},\"remarks\":[],\"disturbed\":false}"
      })
  void namesTheLineThatIsNoRun(String line) throws IOException {
    journal().append(RUN);
    Files.writeString(file(), line + "\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> journal().read())
        .isInstanceOf(InputException.class)
        .hasMessageContaining("runs.jsonl:2: not a run of a trial");
  }

  @Test
  void refusesWhatIsTooLargeForAJournal() throws IOException {
    try (RandomAccessFile large = new RandomAccessFile(file().toFile(), "rw")) {
      large.setLength((64L << 20) + 1);
    }
    assertThatThrownBy(() -> journal().read())
        .isInstanceOf(InputException.class)
        .hasMessageContaining("more than 64 MiB");
  }

  private Journal journal() {
    return new Journal(file());
  }

  private Path file() {
    return folder.resolve("runs.jsonl");
  }
}
