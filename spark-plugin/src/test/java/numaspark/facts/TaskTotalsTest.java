package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;

class TaskTotalsTest {
  private final TaskTotals totals = new TaskTotals();
  private final MetricRegistry metrics = new MetricRegistry();

  TaskTotalsTest() {
    totals.register(metrics);
  }

  private Object value(String name) {
    return metrics.getGauges().get("facts." + name).getValue();
  }

  @Test
  void theyStartAtZero() {
    assertThat(value("taskCpuSeconds")).isEqualTo(0.0);
    assertThat(value("inputBytes")).isEqualTo(0L);
  }

  @Test
  void tasksAddUp() {
    totals.add(1_500_000_000L, 1000);
    totals.add(500_000_000L, 24);
    assertThat(value("taskCpuSeconds")).isEqualTo(2.0);
    assertThat(value("inputBytes")).isEqualTo(1024L);
  }
}
