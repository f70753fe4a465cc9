package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.api.v1alpha1.WantedPins.Mode;
import io.numaspark.controller.foreign.ForeignText;
import io.numaspark.render.pins.PinnerReport;
import io.numaspark.render.pins.PinnerReport.NotWorking;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whether the container runtimes of a profile's nodes pin as they shall. */
final class PinnerConditions {
  static final String PINNERS_CONNECTED = "PinnersConnected";
  private static final int NAMED = 3;

  /** Agents' own messages are a part of it. */
  private static final int LONGEST_MESSAGE = 4096;

  private PinnerConditions() {}

  /**
   * The condition; none if no runtime shall pin.
   *
   * @param nodes the topologies of the profile's nodes, as far as they exist, by node name
   */
  static List<Condition> of(
      SparkNodeProfile profile, SortedMap<String, Optional<SparkNodeTopology>> nodes, Instant now) {
    SortedMap<String, NotWorking> troubled = new TreeMap<>();
    int pinned = 0;
    for (var node : nodes.entrySet()) {
      Optional<WantedPins> wanted =
          node.getValue()
              .map(SparkNodeTopology::getSpec)
              .map(SparkNodeTopologySpec::pins)
              .filter(pins -> pins.mode() == Mode.Pin);
      if (wanted.isPresent()) {
        pinned++;
        if (PinnerReport.of(wanted.get(), node.getValue(), Optional.empty(), now)
            instanceof NotWorking not) {
          troubled.put(node.getKey(), not);
        }
      }
    }
    if (pinned == 0) {
      return List.of();
    }
    Conditions conditions =
        new Conditions(
            profile.getStatus() == null ? null : profile.getStatus().conditions(),
            profile.getMetadata().getGeneration(),
            now);
    if (troubled.isEmpty()) {
      conditions.add(
          PINNERS_CONNECTED,
          Conditions.TRUE,
          ProfileReason.CONNECTED,
          "the container runtime pins executors on %d %s".formatted(pinned, nodes(pinned)));
    } else {
      conditions.add(
          PINNERS_CONNECTED,
          Conditions.FALSE,
          ProfileReason.PINNER_NOT_CONNECTED,
          ForeignText.line(message(troubled, pinned), LONGEST_MESSAGE));
    }
    return conditions.build();
  }

  private static String message(SortedMap<String, NotWorking> troubled, int pinned) {
    List<String> named =
        troubled.entrySet().stream()
            .limit(NAMED)
            .map(
                node ->
                    node.getKey()
                        + ": "
                        + node.getValue().reason()
                        + ": "
                        + node.getValue().message())
            .toList();
    String others =
        troubled.size() > NAMED ? "; and %d others".formatted(troubled.size() - NAMED) : "";
    return "the container runtime does not pin on %d of %d %s, which get no free slots: %s%s"
        .formatted(troubled.size(), pinned, nodes(pinned), String.join("; ", named), others);
  }

  private static String nodes(int count) {
    return count == 1 ? "node" : "nodes";
  }
}
