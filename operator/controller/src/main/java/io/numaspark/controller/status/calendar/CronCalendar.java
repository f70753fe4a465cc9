package io.numaspark.controller.status.calendar;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Cron fields on the clock of a time zone.
 *
 * <p>A schedule of certain hours keeps one run per time that is written: one that the spring change
 * jumps over comes at the end of the gap, and one that the autumn change repeats comes the first
 * time only. A schedule of every hour follows the clock: it leaves the gap out and runs in both of
 * the repeated hours. This is what Vixie cron does for small changes; robfig/cron drops the former
 * and doubles the latter.
 */
record CronCalendar(CronFields fields, ZoneId zone) implements Calendar {

  @Override
  public Optional<Instant> next(Instant after) {
    return fields.isEveryHour() ? byTheClock(after) : asWritten(after);
  }

  private Optional<Instant> asWritten(Instant after) {
    Optional<LocalDateTime> time = fields.next(LocalDateTime.ofInstant(after, zone));
    // After the autumn change the clock shows times again that were run the first time.
    while (time.isPresent() && !instant(time.get()).isAfter(after)) {
      time = fields.next(time.get());
    }
    return time.map(this::instant);
  }

  /** The first of the two instants of a repeated time; the end of the gap for a missing one. */
  private Instant instant(LocalDateTime time) {
    ZoneOffsetTransition change = zone.getRules().getTransition(time);
    return change != null && change.isGap()
        ? change.getInstant()
        : time.toInstant(zone.getRules().getOffset(time));
  }

  /** From change to change of the offset, each stretch on its own clock. */
  private Optional<Instant> byTheClock(Instant after) {
    ZoneRules rules = zone.getRules();
    Instant from = after;
    while (true) {
      Instant first = from.plusNanos(1);
      ZoneOffset offset = rules.getOffset(first);
      Optional<Instant> time =
          fields.next(LocalDateTime.ofInstant(from, offset)).map(found -> found.toInstant(offset));
      ZoneOffsetTransition change = rules.nextTransition(first);
      if (time.isEmpty() || change == null || time.get().isBefore(change.getInstant())) {
        return time;
      }
      from = change.getInstant().minusNanos(1);
    }
  }
}
