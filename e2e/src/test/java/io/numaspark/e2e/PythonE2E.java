package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Python on driver and executors, with the newest Spark and the oldest. */
@Order(9)
@Tag("lifecycle")
class PythonE2E {
  private static final List<String> SPARKS = List.of(Applications.SPARK, Applications.SPARK_3_5);

  @AfterEach
  void cleanUp() {
    SPARKS.forEach(spark -> Lab.delete("sparkapplications.numaspark.io", name(spark)));
  }

  @Test
  void pythonFunctionsRunOnTheExecutors() {
    for (String spark : SPARKS) {
      Lab.apply(Applications.python(name(spark), spark, "squares.py", "arguments: [\"2\"]"))
          .orFail();
    }
    for (String spark : SPARKS) {
      Applications.awaitCompleted(name(spark), Duration.ofMinutes(12));
      assertThat(Applications.driverLines(name(spark), "SQUARES "))
          .as("Spark %s", spark)
          .containsExactly(
              "SQUARES rdd=332833500 dataframe=332833500 driverPython=3.11 executorPython=3.11");
    }
  }

  private static String name(String spark) {
    return "squares-" + spark.replace('.', '-');
  }
}
