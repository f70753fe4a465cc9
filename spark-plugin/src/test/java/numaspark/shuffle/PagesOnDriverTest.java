package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PagesOnDriverTest {
  private final PagesOnDriver pages = new PagesOnDriver();

  private Map<String, Object> gauges() {
    MetricRegistry metrics = new MetricRegistry();
    pages.register(metrics);
    Map<String, Object> values = new TreeMap<>();
    metrics.getGauges().forEach((name, gauge) -> values.put(name, gauge.getValue()));
    return values;
  }

  @Test
  void sumsTheLastWordOfEachExecutor() {
    pages.receive(new PagesUse("1", 10, 100, 3, 0));
    pages.receive(new PagesUse("2", 20, 100, 4, 1));
    pages.receive(new PagesUse("1", 30, 100, 5, 2));
    assertThat(gauges())
        .isEqualTo(
            Map.of(
                "shuffle.pagesBytes", 50L,
                "shuffle.pagesBudgetBytes", 200L,
                "shuffle.outputs", 9L,
                "shuffle.outputsOnDisk", 3L));
  }

  @Test
  void aLostExecutorsOutputsStayCounted() {
    pages.receive(new PagesUse("1", 10, 100, 3, 1));
    pages.forget("1");
    pages.receive(new PagesUse("1", 10, 100, 3, 1));
    pages.forget("never heard of");
    assertThat(gauges())
        .isEqualTo(
            Map.of(
                "shuffle.pagesBytes", 0L,
                "shuffle.pagesBudgetBytes", 0L,
                "shuffle.outputs", 3L,
                "shuffle.outputsOnDisk", 1L));
  }

  @Test
  void otherMessagesAreNotItsOwn() {
    assertThat(pages.receive("something else")).isFalse();
  }
}
