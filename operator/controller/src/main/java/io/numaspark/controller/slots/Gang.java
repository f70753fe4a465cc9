package io.numaspark.controller.slots;

import io.numaspark.controller.slots.GangDecision.Demand;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import java.time.Instant;
import java.util.Comparator;

/**
 * An application that starts with all its executors or not at all.
 *
 * @param application namespace and name
 * @param attempt whose executors they are
 * @param place where it stands among those of its namespace that wait
 * @param executors that the attempt starts with, from 1
 * @param slotsPerExecutor slots that one takes, on one node, from 1
 */
public record Gang(
    Application application,
    ExecutorsOf attempt,
    String profile,
    Place place,
    int executors,
    int slotsPerExecutor) {
  /** Over all namespaces, whatever their priorities: each namespace sets those of its own. */
  static final Comparator<Gang> LONGEST_WAITING_FIRST =
      Comparator.comparing(Gang::since)
          .thenComparing(gang -> gang.application().namespace())
          .thenComparing(gang -> gang.application().name());

  /** The order within a namespace. */
  static final Comparator<Gang> MOST_IMPORTANT_FIRST =
      Comparator.comparing(Gang::place, Place.HIGHEST_PRIORITY_FIRST)
          .thenComparing(LONGEST_WAITING_FIRST);

  /**
   * Where an application stands among those of its namespace.
   *
   * @param priority a higher one comes first
   * @param since when it began to wait
   */
  public record Place(int priority, Instant since) {
    static final Comparator<Place> HIGHEST_PRIORITY_FIRST =
        Comparator.comparingInt(Place::priority).reversed();
  }

  /** One that is expected to ask and of which nothing else is known yet. */
  public static Gang unknown(Application application, String profile, Place place) {
    return new Gang(
        application, new ExecutorsOf(application.namespace(), ""), profile, place, 1, 1);
  }

  /** When it began to wait. */
  public Instant since() {
    return place.since();
  }

  /** Whether it has not asked yet. */
  public boolean isUnknown() {
    return attempt.sparkApplicationId().isEmpty();
  }

  /** Whether it asks for the same slots, whatever its place. */
  public boolean asksAs(Gang other) {
    return at(other.place).equals(other);
  }

  /** The same, as one that has waited since then. */
  public Gang waitingSince(Instant then) {
    return at(new Place(place.priority(), then));
  }

  private Gang at(Place other) {
    return new Gang(application, attempt, profile, other, executors, slotsPerExecutor);
  }

  /** Namespace and name. */
  public record Application(String namespace, String name) {}

  /** The slots of all its executors. */
  Demand demand() {
    return new Demand(executors, slotsPerExecutor);
  }
}
