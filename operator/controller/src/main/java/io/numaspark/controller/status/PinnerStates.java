package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.pins.PinLayout;
import io.numaspark.render.pins.PinnerReport;
import io.numaspark.render.pins.PinnerReport.NotWorking;
import io.numaspark.render.pins.PinnerReport.Reading;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Whether the container runtimes of a profile's nodes pin as its plan says.
 *
 * <p>Limit: nodes that a plan leaves to their kubelets are not part of it.
 *
 * @param readings by name of the nodes that the runtime shall pin
 */
public record PinnerStates(SortedMap<String, Reading> readings) {
  static final String PINNERS_CONNECTED = "PinnersConnected";

  /** What a node's pinner may be, for counts: agents' own reasons are not bounded. */
  public enum State {
    CONNECTED("Connected"),
    LAYOUT_NOT_APPLIED("LayoutNotApplied"),
    NOT_CONNECTED("NotConnected"),
    NO_PINNER("NoPinner"),
    NO_AGENT("NoAgent");

    private final String displayName;

    State(String displayName) {
      this.displayName = displayName;
    }

    /** CamelCase. */
    public String displayName() {
      return displayName;
    }

    private static State of(Reading reading) {
      if (!(reading instanceof NotWorking not)) {
        return CONNECTED;
      }
      return Stream.of(LAYOUT_NOT_APPLIED, NO_PINNER, NO_AGENT)
          .filter(state -> state.displayName.equals(not.reason()))
          .findFirst()
          .orElse(NOT_CONNECTED);
    }
  }

  /**
   * The states.
   *
   * @param topologies by node name, with what agents report
   */
  public static PinnerStates of(
      String profile,
      ProfilePlan plan,
      Function<String, Optional<SparkNodeTopology>> topologies,
      Instant now) {
    SortedMap<String, Reading> readings = new TreeMap<>();
    if (plan.result() instanceof Plan) {
      plan.layoutByNode()
          .forEach(
              (node, layout) ->
                  PinLayout.of(profile, layout)
                      .ifPresent(
                          wanted ->
                              readings.put(
                                  node,
                                  PinnerReport.of(
                                      wanted, topologies.apply(node), Optional.empty(), now))));
    }
    return new PinnerStates(readings);
  }

  /** Nodes by state, each state once; empty if no runtime shall pin. */
  public Map<State, Integer> counts() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    if (!readings.isEmpty()) {
      for (State state : State.values()) {
        counts.put(state, 0);
      }
    }
    readings.values().forEach(reading -> counts.merge(State.of(reading), 1, Integer::sum));
    return counts;
  }

  /** The same status with what the pinners say. */
  public SparkNodeProfileStatus addTo(
      SparkNodeProfileStatus status, SparkNodeProfile profile, Instant now) {
    if (readings.isEmpty()) {
      return status;
    }
    SortedMap<String, String> messages = new TreeMap<>();
    readings.forEach(
        (node, reading) -> {
          if (reading instanceof NotWorking not) {
            messages.put(node, not.reason() + ": " + not.message());
          }
        });
    TroubledNodes troubled = new TroubledNodes(readings.size(), messages);
    List<Condition> all = new ArrayList<>();
    for (Condition condition : status.conditions()) {
      all.add(
          messages.isEmpty() || !condition.getType().equals("Ready")
              ? condition
              : new ConditionBuilder(condition)
                  .withMessage(condition.getMessage() + "; " + summary(troubled))
                  .build());
    }
    all.addAll(condition(profile, troubled, now));
    return status.withConditions(all);
  }

  /** Slots of nodes without a pinner are planned and not free, which a count alone hides. */
  private static String summary(TroubledNodes troubled) {
    return "the container runtime does not pin on %s, which have no free slots (%s)"
        .formatted(troubled.count(), PINNERS_CONNECTED);
  }

  private List<Condition> condition(SparkNodeProfile profile, TroubledNodes troubled, Instant now) {
    Conditions conditions =
        new Conditions(
            profile.getStatus() == null ? null : profile.getStatus().conditions(),
            profile.getMetadata().getGeneration(),
            now);
    if (troubled.messages().isEmpty()) {
      conditions.add(
          PINNERS_CONNECTED,
          Conditions.TRUE,
          ProfileReason.CONNECTED,
          "the container runtime pins executors on " + TroubledNodes.nodes(readings.size()));
    } else {
      conditions.add(
          PINNERS_CONNECTED,
          Conditions.FALSE,
          ProfileReason.PINNER_NOT_CONNECTED,
          troubled.listed(
              "the container runtime does not pin on %s, which get no free slots"
                  .formatted(troubled.count())));
    }
    return conditions.build();
  }
}
