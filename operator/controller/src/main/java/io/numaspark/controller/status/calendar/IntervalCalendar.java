package io.numaspark.controller.status.calendar;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times at an equal distance, counted from an anchor; daylight saving time does not move them.
 *
 * <p>The anchor is fixed, unlike robfig/cron's, which counts from the run before: so the times can
 * be told again after a restart.
 *
 * @param interval at least a minute, whole seconds
 */
record IntervalCalendar(Instant anchor, Duration interval) implements Calendar {
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  /** One number with its unit in the syntax of Go's time.ParseDuration. */
  private static final Pattern PART =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{0,18})?|\\.[0-9]{1,18})(ns|us|µs|μs|ms|s|m|h)");

  private static final Map<String, BigDecimal> SECONDS =
      Map.of(
          "ns", new BigDecimal("1e-9"),
          "us", new BigDecimal("1e-6"),
          "µs", new BigDecimal("1e-6"),
          "μs", new BigDecimal("1e-6"),
          "ms", new BigDecimal("1e-3"),
          "s", BigDecimal.ONE,
          "m", BigDecimal.valueOf(60),
          "h", BigDecimal.valueOf(3600));

  static IntervalCalendar parse(String text, Instant anchor) {
    Duration interval = duration(text.substring("@every".length()).strip(), text);
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "spec.schedule: \""
              + text
              + "\" is shorter than 1m or longer than 87600h, and runs are named by the minute; write for example @every 1m");
    }
    return new IntervalCalendar(anchor, interval);
  }

  private static Duration duration(String duration, String text) {
    Matcher part = PART.matcher(duration);
    BigDecimal seconds = BigDecimal.ZERO;
    int end = 0;
    while (part.find() && part.start() == end) {
      String number = part.group(1);
      seconds =
          seconds.add(
              new BigDecimal(number.endsWith(".") ? number + "0" : number)
                  .multiply(SECONDS.get(part.group(2))));
      end = part.end();
    }
    if (end == 0 || end < duration.length()) {
      throw new IllegalArgumentException(
          "spec.schedule: \"" + text + "\" is not an interval; write for example @every 1h30m");
    }
    // Far outside the range, but a number that a Duration holds.
    BigDecimal bounded = seconds.min(BigDecimal.valueOf(LONGEST.toSeconds() + 1));
    return Duration.ofSeconds(bounded.setScale(0, RoundingMode.DOWN).longValueExact());
  }

  @Override
  public Optional<Instant> next(Instant after) {
    if (after.isBefore(anchor)) {
      return Optional.of(anchor.plus(interval));
    }
    long passed = Duration.between(anchor, after).dividedBy(interval);
    return Optional.of(anchor.plus(interval.multipliedBy(passed + 1)));
  }
}
