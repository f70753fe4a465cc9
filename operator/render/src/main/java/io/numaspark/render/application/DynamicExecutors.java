package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.DynamicAllocation;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/**
 * Executors that Spark asks for by the number of waiting tasks: how many there are at first, at
 * least and at most.
 *
 * <p>It is switched on by spec.dynamicAllocation or by spec.sparkConf, whichever is given; the
 * latter wins. With a profile the numbers of spec.dynamicAllocation are split again like
 * spec.executor.instances and bounded by what the profile's slots hold, unless an autoscaler adds
 * nodes to it; those of spec.sparkConf are taken as they are.
 *
 * <p>Limit: slots that come or go while the application runs do not change its bounds.
 *
 * @param initial executors to start with (spark.dynamicAllocation.initialExecutors)
 * @param minimum fewest executors
 * @param maximum most executors; empty for no limit
 * @param warnings numbers that were bounded, or that the profile cannot serve
 */
public record DynamicExecutors(
    int initial, int minimum, OptionalInt maximum, List<String> warnings) {
  private static final String ENABLED = "spark.dynamicAllocation.enabled";
  private static final String PREFIX = "spark.dynamicAllocation.";

  /** Properties that hold a number of executors. */
  public static final List<String> COUNTS =
      List.of(PREFIX + "minExecutors", PREFIX + "initialExecutors", PREFIX + "maxExecutors");

  public static boolean isEnabled(SparkApplicationSpec spec) {
    String conf = SparkProperties.orEmpty(spec.sparkConf()).get(ENABLED);
    return conf != null
        ? "true".equalsIgnoreCase(conf.trim())
        : spec.dynamicAllocation() != null
            && Boolean.TRUE.equals(spec.dynamicAllocation().enabled());
  }

  /**
   * Bounds that contradict each other where one at least is a Spark property; the schema compares
   * fields with fields, and is checked before.
   */
  public static Optional<Refusal> check(SparkApplicationSpec spec) {
    if (!isEnabled(spec)) {
      return Optional.empty();
    }
    Given least = Given.of(spec, "minExecutors");
    Given first = Given.of(spec, "initialExecutors");
    Given most = Given.of(spec, "maxExecutors");
    if (most.value().isPresent() && most.value().getAsInt() == 0) {
      return Optional.of(
          refuse(most.field() + ": is 0, so no executor could ever run; give 1 or more"));
    }
    for (Given lower : List.of(least, first)) {
      if (lower.value().isPresent()
          && most.value().isPresent()
          && lower.value().getAsInt() > most.value().getAsInt()) {
        return Optional.of(
            refuse(
                "%s: %d is larger than %s, which is %d; lower one or raise the other"
                    .formatted(
                        lower.field(),
                        lower.value().getAsInt(),
                        most.field(),
                        most.value().getAsInt())));
      }
    }
    return Optional.empty();
  }

  /**
   * The numbers that apply, or empty if the number of executors is fixed.
   *
   * @param instances executors that spec.executor asks for, split again; 0 if it does not say
   * @param split from a number that the application wrote to one of the profile's shape
   * @param room executors that the profile's slots hold; empty without a profile, and if it grows
   */
  public static Optional<DynamicExecutors> of(
      SparkApplicationSpec spec, int instances, IntUnaryOperator split, OptionalInt room) {
    if (!isEnabled(spec)) {
      return Optional.empty();
    }
    List<String> warnings = new ArrayList<>();
    OptionalInt most = bounded(Given.of(spec, "maxExecutors"), split, room, warnings);
    if (most.isEmpty()) {
      most = room;
    }
    int least = bounded(Given.of(spec, "minExecutors"), split, room, warnings).orElse(0);
    int first = bounded(Given.of(spec, "initialExecutors"), split, room, warnings).orElse(0);
    // Spark starts with the largest of the three (Utils.getDynamicAllocationInitialExecutors).
    int start = Math.max(Math.max(least, first), instances);
    if (most.isPresent() && start > most.getAsInt()) {
      warnings.add(
          "spec.executor.instances: requests %d executors, but dynamic allocation has at most %d; it starts with these"
              .formatted(start, most.getAsInt()));
      start = most.getAsInt();
    }
    return Optional.of(
        new DynamicExecutors(start, Math.min(least, start), most, List.copyOf(warnings)));
  }

  /** The properties, all of which the user's own replace. */
  public Settings settings(SparkApplicationSpec spec) {
    Settings settings = new Settings();
    settings
        .derived("dynamic allocation")
        .put(ENABLED, "true")
        .put(PREFIX + "initialExecutors", initial)
        .put(PREFIX + "minExecutors", minimum)
        .put(PREFIX + "maxExecutors", maximum.isPresent() ? maximum.getAsInt() : null);
    DynamicAllocation given = spec.dynamicAllocation();
    settings
        .field("spec.dynamicAllocation.shuffleTrackingEnabled")
        // No external shuffle service runs beside executors on Kubernetes.
        .put(PREFIX + "shuffleTracking.enabled", tracksShuffles(given));
    if (given != null && given.shuffleTrackingTimeout() != null) {
      settings.field(
          "spec.dynamicAllocation.shuffleTrackingTimeout",
          PREFIX + "shuffleTracking.timeout",
          given.shuffleTrackingTimeout() + "ms");
    }
    return settings;
  }

  public static boolean tracksShuffles(DynamicAllocation given) {
    return given == null || given.shuffleTrackingEnabled();
  }

  private static OptionalInt bounded(
      Given given, IntUnaryOperator split, OptionalInt room, List<String> warnings) {
    if (given.value().isEmpty()) {
      return OptionalInt.empty();
    }
    int wanted =
        given.literal() ? given.value().getAsInt() : split.applyAsInt(given.value().getAsInt());
    if (room.isEmpty() || wanted <= room.getAsInt()) {
      return OptionalInt.of(wanted);
    }
    warnings.add(
        "%s: comes to %d executors, but the profile's slots hold %d; %s"
            .formatted(
                given.field(),
                wanted,
                room.getAsInt(),
                given.literal()
                    ? "what is above them waits for a slot"
                    : "%d is taken".formatted(room.getAsInt())));
    return given.literal() ? OptionalInt.of(wanted) : room;
  }

  private static Refusal refuse(String message) {
    return new Refusal(RefusalReason.SPEC_INVALID, message);
  }

  /**
   * A number as the application wrote it.
   *
   * @param literal whether it is a Spark property, which is never split
   */
  private record Given(String field, OptionalInt value, boolean literal) {
    public static Given of(SparkApplicationSpec spec, String name) {
      Map<String, String> conf = SparkProperties.orEmpty(spec.sparkConf());
      String key = PREFIX + name;
      if (conf.containsKey(key)) {
        return new Given(
            "spec.sparkConf[\"" + key + "\"]",
            OptionalInt.of((int) Math.min(Long.parseLong(conf.get(key)), Integer.MAX_VALUE)),
            true);
      }
      DynamicAllocation typed = spec.dynamicAllocation();
      Integer value =
          typed == null
              ? null
              : switch (name) {
                case "minExecutors" -> typed.minExecutors();
                case "initialExecutors" -> typed.initialExecutors();
                default -> typed.maxExecutors();
              };
      return new Given(
          "spec.dynamicAllocation." + name,
          Objects.isNull(value) ? OptionalInt.empty() : OptionalInt.of(value),
          false);
    }
  }
}
