package io.numaspark.controller.status.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarTest {
  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          30 2 * * *           | 2026-01-01T02:30 2026-01-02T02:30
          */20 * * * *         | 2026-01-01T00:20 2026-01-01T00:40 2026-01-01T01:00
          5/25 * * * *         | 2026-01-01T00:05 2026-01-01T00:30 2026-01-01T00:55 2026-01-01T01:05
          0 9-17/4 * * *       | 2026-01-01T09:00 2026-01-01T13:00 2026-01-01T17:00 2026-01-02T09:00
          0,10,30-31 5 * * *   | 2026-01-01T05:00 2026-01-01T05:10 2026-01-01T05:30 2026-01-01T05:31
          0 0 * MAR-apr Mon    | 2026-03-02T00:00 2026-03-09T00:00
          0 0 * * 7            | 2026-01-04T00:00 2026-01-11T00:00
          0 0 * * sun-tue      | 2026-01-04T00:00 2026-01-05T00:00 2026-01-06T00:00 2026-01-11T00:00
          0 0 * * 5-7          | 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00 2026-01-09T00:00
          0 0 ? * 1            | 2026-01-05T00:00 2026-01-12T00:00
          0 0 13 * 5           | 2026-01-02T00:00 2026-01-09T00:00 2026-01-13T00:00
          0 0 */2 * 1          | 2026-01-05T00:00 2026-01-19T00:00
          0 0 1 * */2          | 2026-02-01T00:00 2026-03-01T00:00
          0 0 29 2 *           | 2028-02-29T00:00 2032-02-29T00:00
          0 0 31 * *           | 2026-01-31T00:00 2026-03-31T00:00
          @hourly              | 2026-01-01T01:00 2026-01-01T02:00
          @daily               | 2026-01-02T00:00 2026-01-03T00:00
          @midnight            | 2026-01-02T00:00 2026-01-03T00:00
          @weekly              | 2026-01-04T00:00 2026-01-11T00:00
          @monthly             | 2026-02-01T00:00 2026-03-01T00:00
          @yearly              | 2027-01-01T00:00 2028-01-01T00:00
          @annually            | 2027-01-01T00:00 2028-01-01T00:00
          @every 1h30m         | 2026-01-01T01:30 2026-01-01T03:00
          @every 1.5h          | 2026-01-01T01:30 2026-01-01T03:00
          @every 90s           | 2026-01-01T00:01:30 2026-01-01T00:03
          @every 60500ms       | 2026-01-01T00:01 2026-01-01T00:02
          TZ=Asia/Tokyo 0 9 * * *                 | 2026-01-02T00:00
          CRON_TZ=America/New_York @daily         | 2026-01-01T05:00 2026-01-02T05:00
          """)
  void timesFollow(String schedule, String expected) {
    String[] times = expected.split(" ");
    assertThat(times(schedule, null, NEW_YEAR, times.length))
        .isEqualTo(
            Arrays.stream(times)
                .map(time -> (time.length() < 19 ? time + ":00Z" : time + "Z"))
                .toList());
  }

  /** Berlin: on 29 March 2026 02:00 becomes 03:00, on 25 October 03:00 becomes 02:00 again. */
  @ParameterizedTest(name = "{0} from {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          30 2 * * *     | 2026-03-28T12:00:00Z | 2026-03-29T03:00+02:00 2026-03-30T02:30+02:00
          0,30 2 * * *   | 2026-03-28T12:00:00Z | 2026-03-29T03:00+02:00 2026-03-30T02:00+02:00
          0 2,3 * * *    | 2026-03-28T12:00:00Z | 2026-03-29T03:00+02:00 2026-03-30T02:00+02:00
          @daily         | 2026-03-28T12:00:00Z | 2026-03-29T00:00+01:00 2026-03-30T00:00+02:00
          */30 * * * *   | 2026-03-29T00:30:00Z | 2026-03-29T03:00+02:00 2026-03-29T03:30+02:00
          15 * * * *     | 2026-03-29T00:00:00Z | 2026-03-29T01:15+01:00 2026-03-29T03:15+02:00
          30 2 * * *     | 2026-10-24T12:00:00Z | 2026-10-25T02:30+02:00 2026-10-26T02:30+01:00
          0,30 2 * * *   | 2026-10-25T00:05:00Z | 2026-10-25T02:30+02:00 2026-10-26T02:00+01:00
          0,30 2 * * *   | 2026-10-25T01:05:00Z | 2026-10-26T02:00+01:00 2026-10-26T02:30+01:00
          0 3 * * *      | 2026-10-25T01:05:00Z | 2026-10-25T03:00+01:00 2026-10-26T03:00+01:00
          30 * * * *     | 2026-10-24T23:45:00Z | 2026-10-25T02:30+02:00 2026-10-25T02:30+01:00 2026-10-25T03:30+01:00
          0 * * * *      | 2026-10-25T00:00:00Z | 2026-10-25T02:00+01:00 2026-10-25T03:00+01:00
          """)
  void theClockChanges(String schedule, Instant after, String expected) {
    String[] times = expected.split(" ");
    assertThat(times(schedule, "Europe/Berlin", after, times.length))
        .isEqualTo(
            Arrays.stream(times)
                .map(time -> java.time.OffsetDateTime.parse(time).toInstant().toString())
                .toList());
  }

  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      textBlock =
          """
          null              |               | must have five fields
          ''                |               | must have five fields
          * * * *           |               | must have five fields
          * * * * * *       |               | must have five fields
          60 * * * *        |               | "60" is not a minute; write *, a number from 0 to 59
          * 24 * * *        |               | is not an hour
          * * 0 * *         |               | is not a day of month
          * * 1-32 * *      |               | is not a day of month
          * * * 13 *        |               | is not a month
          * * * foo *       |               | or a name such as feb
          * * * * 8         |               | is not a day of week
          5-1 * * * *       |               | is not a minute
          */0 * * * *       |               | is not a minute
          1//2 * * * *      |               | is not a minute
          1-2-3 * * * *     |               | is not a minute
          1, * * * *        |               | is not a minute
          -1 * * * *        |               | is not a minute
          9999999999 * * * * |              | is not a minute
          * * L * *         |               | is not a day of month
          0 0 30 2 *        |               | has no time within 9 years
          @reboot           |               | there is no @reboot
          @every            |               | is not an interval
          @every 5          |               | is not an interval
          @every 1h1        |               | is not an interval
          @every -1h        |               | is not an interval
          @every 59s        |               | shorter than 1m
          @every 99999999999999999h |       | longer than 87600h
          @daily            | Mars/Olympus  | spec.timeZone: Mars/Olympus is not a time zone
          @daily            | +02:00        | is not a time zone
          TZ=Nowhere @daily |               | Nowhere is not a time zone
          TZ=Asia/Tokyo     |               | must have five fields
          TZ=Asia/Tokyo @daily | Europe/Berlin | leave one of them out
          """)
  void brokenSchedulesAreNamed(String schedule, String zone, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calendar.parse(schedule, zone, NEW_YEAR))
        .withMessageContaining(message)
        .withMessageStartingWith("spec.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Local", "Etc/UTC", " UTC "})
  void theseZonesAreUtc(String zone) {
    assertThat(times("0 5 * * *", zone, NEW_YEAR, 1)).containsExactly("2026-01-01T05:00:00Z");
  }

  @ParameterizedTest(name = "{0} between {1} and {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          * * * * *    | 2020-01-01T00:00:00Z | 2026-01-01T00:00:59Z | 2026-01-01T00:00:00Z
          @yearly      | 2020-01-01T00:00:00Z | 2026-06-01T00:00:00Z | 2026-01-01T00:00:00Z
          0 5 * * *    | 2026-01-01T05:00:00Z | 2026-01-01T06:00:00Z | 2026-01-01T05:00:00Z
          0 5 * * *    | 2026-01-01T05:00:01Z | 2026-01-01T06:00:00Z | none
          0 5 * * *    | 2026-01-01T06:00:00Z | 2026-01-01T05:30:00Z | none
          * 5 * * *    | 2026-01-01T00:00:00Z | 2026-01-09T04:00:00Z | 2026-01-08T05:59:00Z
          @every 25h   | 2026-01-01T00:00:00Z | 2026-01-03T01:59:00Z | 2026-01-02T01:00:00Z
          """)
  void theLatestOfWhatWasMissed(String schedule, Instant from, Instant until, Instant expected) {
    assertThat(Calendar.parse(schedule, null, NEW_YEAR).latest(from, until))
        .isEqualTo(Optional.ofNullable(expected));
  }

  /** Whatever the zone and its history: times rise, and are never two in one minute. */
  @Test
  void timesRiseInEveryZone() {
    Instant from = Instant.parse("2026-01-01T00:00:00Z");
    for (String zone : ZoneId.getAvailableZoneIds()) {
      for (String schedule : List.of("30 0-3 * * *", "30 * * * *")) {
        Calendar calendar = Calendar.parse("TZ=" + zone + " " + schedule, null, from);
        Instant time = from;
        for (int i = 0; i < 9000 && time.isBefore(Instant.parse("2027-01-01T00:00:00Z")); i++) {
          Instant next = calendar.next(time).orElseThrow();
          assertThat(next).as("%s %s after %s", schedule, zone, time).isAfter(time);
          time = next;
        }
      }
    }
  }

  private static List<String> times(String schedule, String zone, Instant after, int count) {
    Calendar calendar = Calendar.parse(schedule, zone, NEW_YEAR);
    List<String> times = new ArrayList<>();
    Instant time = after;
    for (int i = 0; i < count; i++) {
      time = calendar.next(time).orElseThrow();
      times.add(time.toString());
    }
    return times;
  }
}
