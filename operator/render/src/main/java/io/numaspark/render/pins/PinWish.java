package io.numaspark.render.pins;

import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.PinningSpec.By;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.PinnedBy;
import java.util.Optional;

/**
 * What the profile that has a node wants of the pinner there.
 *
 * <p>Limit: a node that has no slots by mistake, such as one with an offline CPU, looks like one
 * that shall have none; so that nothing is taken from executors that run, both are undecided.
 */
public sealed interface PinWish {

  /** The runtime shall pin by this layout. */
  record Pin(WantedPins layout) implements PinWish {}

  /** The runtime shall pin, and there is no layout to do it by: what is pinned stays. */
  record Undecided() implements PinWish {}

  /** The runtime shall not pin: all containers get all CPUs again. */
  record Nothing() implements PinWish {}

  /**
   * The wish of a profile.
   *
   * @param layout the node's, if the profile was planned with a node that it could read
   */
  static PinWish of(String profile, SparkNodeProfileSpec spec, Optional<Layout> layout) {
    if (by(spec) == By.Kubelet
        || layout.map(of -> of.nodeClass().machine()).filter(PinWish::sharesAll).isPresent()) {
      return new Nothing();
    }
    return layout
        .flatMap(of -> PinLayout.of(profile, of))
        .<PinWish>map(Pin::new)
        .orElseGet(Undecided::new);
  }

  private static By by(SparkNodeProfileSpec spec) {
    return Optional.ofNullable(spec.pinning()).map(PinningSpec::by).orElse(By.Auto);
  }

  /** Whether the kubelet pins there, or sets cpusets over which the runtime must not write. */
  private static boolean sharesAll(Machine machine) {
    return !(machine.pinnedBy() instanceof PinnedBy.Runtime runtime)
        || setsCpusets(runtime.actual().kubelet());
  }

  private static boolean setsCpusets(KubeletSettings kubelet) {
    return kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC
        || kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
  }
}
