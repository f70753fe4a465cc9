package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.stream.IntStream;
import numaspark.facts.ExecutorFacts.Pages;
import numaspark.facts.ExecutorFacts.Placement;
import numaspark.facts.ExecutorFacts.RunQueue;
import numaspark.facts.ExecutorFacts.Tasks;
import numaspark.facts.ExecutorFacts.Throttling;
import org.junit.jupiter.api.Test;

class FactsBoardTest {
  private static final Placement PINNED = new Placement("0-1", "0", "0", false);
  private static final Placement SPANNING = new Placement("1-2", "0-1", "0-1", false);
  private static final Placement NOT_KNOWN = new Placement(null, null, null, null);

  private final FactsBoard board = new FactsBoard();
  private final MetricRegistry metrics = new MetricRegistry();

  FactsBoardTest() {
    FactsOnDriver.gauges(board, metrics);
  }

  static ExecutorFacts known(String id, Placement placement, double share) {
    return new ExecutorFacts(
        id,
        "host-" + id,
        10.0,
        placement,
        new Pages(Math.round(share * 100), 100 - Math.round(share * 100)),
        new Throttling(share, 10, 1),
        new RunQueue(1 - share, share),
        share * 10,
        share,
        new Tasks(share * 4, 4),
        null,
        List.of());
  }

  static ExecutorFacts unknown(String id) {
    return new ExecutorFacts(
        id, "host", null, NOT_KNOWN, null, null, null, null, null, null, null, List.of("x: y"));
  }

  private Object value(String name) {
    return metrics.getGauges().get("facts." + name).getValue();
  }

  @Test
  void oneNumberForAllExecutors() {
    board.put(known("1", PINNED, 0.25));
    board.put(known("2", SPANNING, 0.75));
    board.put(unknown("3"));
    assertThat(value("executors")).isEqualTo(3);
    assertThat(value("executorsPinned")).isEqualTo(1L);
    assertThat(value("executorsCpusSpanNodes")).isEqualTo(1L);
    assertThat(value("executorsMemorySpansNodes")).isEqualTo(0L);
    assertThat(value("executorsPinningUnknown")).isEqualTo(1L);
    assertThat(value("pageLocalityMin")).isEqualTo(0.25);
    assertThat(value("pageLocalityMean")).isEqualTo(0.5);
    assertThat(value("runQueueWaitMax")).isEqualTo(0.75);
    assertThat(value("gcShareMean")).isEqualTo(0.5);
    assertThat(value("tasksRunning")).isEqualTo(4.0);
    assertThat(value("cpusUsed")).isEqualTo(1.0);
    assertThat(value("throttledSeconds")).isEqualTo(1.0);
    assertThat(value("ioPressureMax")).isEqualTo(Double.NaN);
  }

  @Test
  void theNumberOfGaugesDoesNotGrowWithExecutors() {
    int before = metrics.getGauges().size();
    IntStream.range(0, 500).forEach(id -> board.put(known("" + id, PINNED, 0.5)));
    assertThat(metrics.getGauges()).hasSize(before);
    assertThat(value("executorsPinned")).isEqualTo(500L);
  }

  @Test
  void withoutExecutorsThereIsNoNumber() {
    assertThat(value("executors")).isEqualTo(0);
    assertThat(value("pageLocalityMin")).isEqualTo(Double.NaN);
    assertThat(value("throttledSeconds")).isEqualTo(Double.NaN);
    board.put(unknown("1"));
    assertThat(value("throttledSeconds")).isEqualTo(Double.NaN);
  }

  @Test
  void whatIsLostIsForgottenButItsThrottlingCounts() {
    board.put(known("1", PINNED, 0.25));
    board.put(known("2", PINNED, 0.5));
    board.forget("1");
    assertThat(value("executors")).isEqualTo(1);
    assertThat(value("throttledSeconds")).isEqualTo(0.75);
    board.forget("2");
    assertThat(value("throttledSeconds")).isEqualTo(0.75);
  }

  @Test
  void aMessageThatOvertookTheNewsOfTheLossIsIgnored() {
    board.forget("1");
    board.put(known("1", PINNED, 0.25));
    assertThat(board.executors()).isEmpty();
  }

  @Test
  void executorsAreInTheOrderOfTheirNumbers() {
    List.of("10", "9", "driver", "1").forEach(id -> board.put(unknown(id)));
    assertThat(board.executors())
        .extracting(ExecutorFacts::executorId)
        .containsExactly("1", "9", "10", "driver");
  }
}
