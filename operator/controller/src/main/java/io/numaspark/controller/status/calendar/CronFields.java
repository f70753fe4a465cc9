package io.numaspark.controller.status.calendar;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Five cron fields as the sets of numbers that they stand for, on a clock without zone.
 *
 * <p>As in crontab(5): if both days are restricted, one of them is enough; a field that begins with
 * a star restricts nothing in this sense, also with a step.
 *
 * @param anyDayOfMonth whether the field begins with a star
 * @param anyDayOfWeek whether the field begins with a star
 */
record CronFields(
    BitSet minutes,
    BitSet hours,
    BitSet daysOfMonth,
    BitSet months,
    BitSet daysOfWeek,
    boolean anyDayOfMonth,
    boolean anyDayOfWeek) {
  /** 29 February is up to 8 years away, as from 2096 to 2104. */
  private static final int YEARS = 9;

  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

  /** The range of a field; names stand for the numbers from the first one on. */
  private enum Field {
    MINUTE("minute", 0, 59, List.of()),
    HOUR("hour", 0, 23, List.of()),
    DAY_OF_MONTH("day of month", 1, 31, List.of()),
    MONTH("month", 1, 12, MONTHS),
    /** 7 is Sunday too, as in crontab(5). */
    DAY_OF_WEEK("day of week", 0, 7, DAYS);

    private final String label;
    private final int min;
    private final int max;
    private final List<String> names;

    Field(String label, int min, int max, List<String> names) {
      this.label = label;
      this.min = min;
      this.max = max;
      this.names = names;
    }

    private BitSet parse(String text) {
      BitSet set = new BitSet(max + 1);
      for (String part : text.split(",", -1)) {
        addPart(set, part, text);
      }
      if (this == DAY_OF_WEEK && set.get(7)) {
        set.clear(7);
        set.set(0);
      }
      return set;
    }

    private void addPart(BitSet set, String part, String text) {
      String[] range = part.split("/", -1);
      String[] ends = range[0].split("-", -1);
      if (range.length > 2 || ends.length > 2) {
        throw wrong(text);
      }
      boolean star = isStar(range[0]);
      // With a star Sunday is counted once, so that */2 are the even days.
      int last = star && this == DAY_OF_WEEK ? 6 : max;
      int from = star ? min : number(ends[0], text);
      int to =
          star || (ends.length == 1 && range.length == 2)
              ? last
              : number(ends[ends.length - 1], text);
      int step = range.length == 2 ? step(range[1], text) : 1;
      if (from > to) {
        throw wrong(text);
      }
      for (int i = from; i <= to; i += step) {
        set.set(i);
      }
    }

    private int number(String word, String text) {
      int name = names.indexOf(word.toLowerCase(Locale.ROOT));
      if (name >= 0) {
        return name + min;
      }
      int number = digits(word, text);
      if (number < min || number > max) {
        throw wrong(text);
      }
      return number;
    }

    private int step(String word, String text) {
      int step = digits(word, text);
      if (step < 1) {
        throw wrong(text);
      }
      return step;
    }

    private int digits(String word, String text) {
      if (!word.matches("[0-9]{1,3}")) {
        throw wrong(text);
      }
      return Integer.parseInt(word);
    }

    private IllegalArgumentException wrong(String text) {
      return new IllegalArgumentException(
          "spec.schedule: \""
              + text
              + "\" is not "
              + (label.equals("hour") ? "an " : "a ")
              + label
              + "; write *, a number from "
              + min
              + " to "
              + max
              + (names.isEmpty() ? "" : " or a name such as " + names.get(1))
              + ", a range a-b, a step */n or a-b/n, or several with commas");
    }
  }

  static CronFields parse(String text) {
    String[] fields = text.split("\\s+");
    if (text.isEmpty() || fields.length != 5) {
      throw new IllegalArgumentException(
          "spec.schedule: \""
              + text
              + "\" must have five fields (minute, hour, day of month, month, day of week); write for example 30 2 * * *");
    }
    return new CronFields(
        Field.MINUTE.parse(fields[0]),
        Field.HOUR.parse(fields[1]),
        Field.DAY_OF_MONTH.parse(fields[2]),
        Field.MONTH.parse(fields[3]),
        Field.DAY_OF_WEEK.parse(fields[4]),
        isStar(fields[2].substring(0, 1)),
        isStar(fields[4].substring(0, 1)));
  }

  /** robfig/cron takes a question mark as a star. */
  private static boolean isStar(String text) {
    return text.equals("*") || text.equals("?");
  }

  /** Whether the schedule goes by minutes alone, so that it follows the clock through any hour. */
  boolean isEveryHour() {
    return hours.cardinality() == 24;
  }

  /** The first matching minute that is later. */
  Optional<LocalDateTime> next(LocalDateTime after) {
    LocalDateTime from = after.withSecond(0).withNano(0).plusMinutes(1);
    LocalDate end = from.toLocalDate().plusYears(YEARS);
    int hour = from.getHour();
    int minute = from.getMinute();
    for (LocalDate day = from.toLocalDate(); day.isBefore(end); day = day.plusDays(1)) {
      if (matches(day)) {
        for (int h = hours.nextSetBit(hour); h >= 0; h = hours.nextSetBit(h + 1)) {
          int m = minutes.nextSetBit(h == hour ? minute : 0);
          if (m >= 0) {
            return Optional.of(day.atTime(h, m));
          }
        }
      }
      hour = 0;
      minute = 0;
    }
    return Optional.empty();
  }

  private boolean matches(LocalDate day) {
    boolean ofMonth = daysOfMonth.get(day.getDayOfMonth());
    boolean ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
    return months.get(day.getMonthValue())
        && (anyDayOfMonth || anyDayOfWeek ? ofMonth && ofWeek : ofMonth || ofWeek);
  }
}
