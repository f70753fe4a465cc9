package io.numaspark.controller.status.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/**
 * The times of a schedule.
 *
 * <p>The syntax is the standard one of robfig/cron, which Kubernetes' CronJob and kubeflow's
 * operator use: five fields, a nickname such as {@code @hourly}, or {@code @every DURATION}; before
 * it, if wanted, {@code TZ=ZONE} or {@code CRON_TZ=ZONE}.
 *
 * <p>Limit: two times of a calendar are at least a minute apart.
 */
public sealed interface Calendar permits CronCalendar, IntervalCalendar {
  /** The value that the CRD gives spec.timeZone when it is absent. */
  String DEFAULT_ZONE = "Etc/UTC";

  /** The nicknames of crontab(5), without @reboot. */
  Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  /** The first time that is later than the given one; empty if there is none within 9 years. */
  Optional<Instant> next(Instant after);

  /**
   * The last time in the closed interval.
   *
   * <p>The search begins at the end, so that a long outage of a schedule of every minute costs no
   * more than a short one.
   */
  default Optional<Instant> latest(Instant from, Instant until) {
    for (Duration window = Duration.ofMinutes(2); ; window = window.multipliedBy(2)) {
      boolean whole = window.compareTo(Duration.between(from, until)) >= 0;
      Instant after = whole ? from.minusNanos(1) : until.minus(window);
      Optional<Instant> found = next(after).filter(time -> !time.isAfter(until));
      if (found.isEmpty() && !whole) {
        continue;
      }
      Optional<Instant> latest = found;
      while (found.isPresent()) {
        latest = found;
        found = next(found.get()).filter(time -> !time.isAfter(until));
      }
      return latest;
    }
  }

  /**
   * Reads a schedule.
   *
   * @param timeZone spec.timeZone; null is UTC
   * @param anchor where {@code @every} starts to count, which is the schedule's creation
   * @throws IllegalArgumentException names the field and the remedy
   */
  static Calendar parse(String schedule, String timeZone, Instant anchor) {
    String text = schedule == null ? "" : schedule.strip();
    String zone = timeZone == null || timeZone.isBlank() ? DEFAULT_ZONE : timeZone.strip();
    if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
      String[] parts = text.split("\\s+", 2);
      String prefix = parts[0].substring(parts[0].indexOf('=') + 1);
      if (!zone.equals(DEFAULT_ZONE) && !zone.equals(prefix)) {
        throw new IllegalArgumentException(
            "spec.schedule: it is prefixed with time zone "
                + prefix
                + ", but spec.timeZone is "
                + zone
                + "; leave one of them out");
      }
      zone = prefix;
      text = parts.length < 2 ? "" : parts[1].strip();
    }
    ZoneId zoneId = zone(zone);
    if (text.startsWith("@every")) {
      return IntervalCalendar.parse(text, anchor);
    }
    if (text.startsWith("@") && !NICKNAMES.containsKey(text)) {
      throw new IllegalArgumentException(
          "spec.schedule: there is no "
              + text
              + "; write @every 1h30m, @hourly, @daily, @midnight, @weekly, @monthly, @yearly or @annually");
    }
    Calendar calendar =
        new CronCalendar(CronFields.parse(NICKNAMES.getOrDefault(text, text)), zoneId);
    if (calendar.next(anchor).isEmpty()) {
      throw new IllegalArgumentException(
          "spec.schedule: \""
              + text
              + "\" has no time within 9 years; is the day of the month one that the month has?");
    }
    return calendar;
  }

  /** Local, kubeflow's default, is the zone of the operator's container there, which is UTC. */
  private static ZoneId zone(String name) {
    if (name.equals("Local")) {
      return ZoneOffset.UTC;
    }
    if (!ZoneId.getAvailableZoneIds().contains(name)) {
      throw new IllegalArgumentException(
          "spec.timeZone: "
              + name
              + " is not a time zone of the IANA database; write for example Europe/Berlin or Etc/UTC");
    }
    return ZoneId.of(name);
  }
}
