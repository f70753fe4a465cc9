package io.numaspark.sparkbench;

import java.util.List;
import java.util.Map;

/** A suite of two queries and two variants, and measurements of it. */
final class Examples {

  private Examples() {}

  static Suite suite(Goal... goals) {
    return new Suite(
        "example",
        "An <example>",
        DeviceKind.NONE,
        List.of(BenchmarkQuery.computing("heavy"), BenchmarkQuery.computing("light")),
        List.of(Variant.named("old"), Variant.named("new"), Variant.named("newer").against("new")),
        "old",
        Map.of(),
        List.of(goals));
  }

  static Measurement measured(String query, String variant, int round, double seconds) {
    long shuffled = query.equals("heavy") ? 1000 : 10;
    return new Measurement(
        "example",
        query,
        variant,
        round,
        seconds,
        seconds,
        100,
        Map.of("shuffleBytes", shuffled, "runMillis", 1000L, "gcMillis", 250L));
  }

  static Results results(Goal... goals) {
    return new Results(
        suite(goals),
        List.of(
            measured("heavy", "old", -1, 100),
            measured("heavy", "old", 0, 4),
            measured("heavy", "old", 1, 8),
            measured("heavy", "new", 0, 2),
            measured("heavy", "new", 1, 6),
            measured("light", "old", 0, 1),
            measured("light", "new", 0, 1.1)));
  }
}
