package io.numaspark.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out a test class that would not end before {@code E2E_DEADLINE} (seconds since the epoch),
 * and says so; without that variable every class runs.
 *
 * <p>The time that a class needs is what it usually takes, times how much slower the classes before
 * it were than usual, or {@code E2E_SLOWNESS} (in percent) before the first one.
 */
final class TimeBudget implements ExecutionCondition, BeforeAllCallback, AfterAllCallback {
  private static double usualSeconds;
  private static double seconds;
  private Instant begin;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String deadline = System.getenv("E2E_DEADLINE");
    if (deadline == null || context.getTestMethod().isPresent()) {
      return ConditionEvaluationResult.enabled("");
    }
    Duration left =
        Duration.between(Instant.now(), Instant.ofEpochSecond(Long.parseLong(deadline)));
    Duration needed = Duration.ofSeconds(Math.round(usual(context) * slowness()));
    return needed.compareTo(left) <= 0
        ? ConditionEvaluationResult.enabled("")
        : ConditionEvaluationResult.disabled(
            "SKIPPED: it would take about %d s on this machine now, and %d s are left"
                .formatted(needed.toSeconds(), left.toSeconds()));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    begin = Instant.now();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    usualSeconds += usual(context);
    seconds += Duration.between(begin, Instant.now()).toSeconds();
  }

  private static int usual(ExtensionContext context) {
    return context.getRequiredTestClass().getAnnotation(UsuallyTakes.class).seconds();
  }

  private static double slowness() {
    Map<String, String> environment = System.getenv();
    return Math.max(
        1,
        usualSeconds == 0
            ? Double.parseDouble(environment.getOrDefault("E2E_SLOWNESS", "100")) / 100
            : seconds / usualSeconds);
  }
}
