package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactsReporterTest {
  private static final FactsSettings OFTEN =
      new FactsSettings(true, Duration.ofMillis(5), Duration.ofMillis(5));

  @TempDir Path folder;
  private final BlockingQueue<Object> sent = new LinkedBlockingQueue<>();

  private Object next() throws InterruptedException {
    Object message = sent.poll(60, TimeUnit.SECONDS);
    assertThat(message).isNotNull();
    return message;
  }

  @Test
  void theFirstMessageSaysWhereAndOthersFollow() throws InterruptedException {
    FakeMachine machine = new FakeMachine(folder).nodes(2, 2).allowed("0", "0");
    try (FactsReporter reporter =
        FactsReporter.start(OFTEN, "1", "host", machine.roots(), sent::add)) {
      assertThat(next())
          .isInstanceOfSatisfying(
              ExecutorFacts.class, facts -> assertThat(facts.placement().cpus()).isEqualTo("0"));
      next();
      next();
      assertThat(reporter.cpuNanos()).isPositive();
    }
  }

  @Test
  void aDriverThatDoesNotAnswerIsTriedAgain() throws InterruptedException {
    try (FactsReporter reporter =
        FactsReporter.start(
            OFTEN,
            "1",
            "host",
            new FakeMachine(folder).roots(),
            message -> {
              sent.add(message);
              if (sent.size() % 2 == 0) {
                throw new IOException("down");
              }
              throw new IllegalStateException("no endpoint");
            })) {
      next();
      next();
      next();
      assertThat(reporter.cpuNanos()).isPositive();
    }
  }
}
