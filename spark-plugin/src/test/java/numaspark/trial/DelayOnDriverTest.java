package numaspark.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;

class DelayOnDriverTest {
  private final MetricRegistry metrics = new MetricRegistry();
  private final DelayOnDriver driver = new DelayOnDriver();

  private Object gauge(String name) {
    return ((Gauge<?>) metrics.getMetrics().get("trial." + name)).getValue();
  }

  @Test
  void addsUpTheLastReportsOfAllExecutors() {
    driver.register(metrics);
    assertThat(gauge("delayMillis")).isEqualTo(0L);

    assertThat(driver.receive(new DelayTime("1", 200, 1))).isTrue();
    assertThat(driver.receive(new DelayTime("1", 500, 2))).isTrue();
    assertThat(driver.receive(new DelayTime("2", 1000, 5))).isTrue();

    assertThat(gauge("delayMillis")).isEqualTo(1500L);
    assertThat(gauge("delayedTasks")).isEqualTo(7L);
  }

  @Test
  void messagesOfOtherPartsAreNotItsOwn() {
    assertThat(driver.receive("something else")).isFalse();
  }
}
