package io.numaspark.render.pins;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.api.v1alpha1.WantedPins.Mode;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.pins.PinnerReport.Working;
import java.time.Instant;
import java.util.Optional;

/**
 * What the pinner of a node is to do, and whether the node needs one.
 *
 * <p>Where the runtime shall pin no more, the pinner stays until all containers have all CPUs
 * again. Limit: not for ever; after {@link AgentHealth#SILENCE} it is given up, and containers keep
 * what they have until they end.
 *
 * @param pins what the topology is to say; empty for nothing
 * @param releasing whether the pinner stays only to give CPUs back
 * @param until when to give that up; empty if nothing is given back
 */
public record PinAssignment(Optional<WantedPins> pins, boolean releasing, Optional<Instant> until) {

  /** Leaves everything as it is. */
  public static PinAssignment unchanged(Optional<SparkNodeTopology> topology) {
    return new PinAssignment(current(topology), false, Optional.empty());
  }

  private static Optional<WantedPins> current(Optional<SparkNodeTopology> topology) {
    return topology.map(SparkNodeTopology::getSpec).map(SparkNodeTopologySpec::pins);
  }

  /**
   * The assignment.
   *
   * @param wish what the node's profile wants there; that nothing is wanted if it has none
   * @param since when the operator first saw that CPUs have to be given back there
   */
  public static PinAssignment of(
      PinWish wish, Optional<SparkNodeTopology> topology, Instant since, Instant now) {
    if (wish instanceof PinWish.Pin pin) {
      return new PinAssignment(Optional.of(pin.layout()), false, Optional.empty());
    }
    return wish instanceof PinWish.Nothing ? release(topology, since, now) : unchanged(topology);
  }

  private static PinAssignment release(
      Optional<SparkNodeTopology> topology, Instant since, Instant now) {
    Optional<WantedPins> current = current(topology);
    if (current.isEmpty()) {
      return unchanged(topology);
    }
    WantedPins release =
        current.get().mode() == Mode.Release ? current.get() : PinLayout.released(current.get());
    boolean released =
        PinnerReport.of(release, topology, Optional.empty(), now) instanceof Working working
            && working.report().due() == 0;
    Instant deadline = since.plus(AgentHealth.SILENCE);
    return released || !now.isBefore(deadline)
        ? new PinAssignment(Optional.empty(), false, Optional.empty())
        : new PinAssignment(Optional.of(release), true, Optional.of(deadline));
  }
}
