package numaspark.feature;

import com.codahale.metrics.MetricRegistry;
import java.io.Serializable;

/** One part of the plugin inside the driver. */
public interface DriverFeature extends AutoCloseable {

  /** Once, when the scheduler runs and the application has its id. */
  default void register(MetricRegistry metrics) {}

  /**
   * What an executor's part sent; any thread.
   *
   * @return whether the message was this part's
   */
  default boolean receive(Serializable message) {
    return false;
  }

  /**
   * The answer to what an executor's part asks; one thread at a time, so quickly.
   *
   * @return null when the question was not for this part
   */
  default Serializable answer(Serializable question) {
    return null;
  }

  /** When the application ends. */
  @Override
  default void close() {}
}
