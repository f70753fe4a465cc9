package io.numaspark.render.pins;

import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.api.v1alpha1.WantedPins.Mode;
import io.numaspark.api.v1alpha1.WantedPins.WantedSlot;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.NumaLayout;
import io.numaspark.planner.plan.Slot;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The layout of a node as its pinner reads it. */
public final class PinLayout {
  private static final int GENERATION_BYTES = 8;

  private PinLayout() {}

  /**
   * What the pinner of a node is to do for a profile; empty if the runtime does not pin there.
   *
   * <p>All other containers share the CPUs that no slot has, also those of cores that the plan
   * leaves out.
   */
  public static Optional<WantedPins> of(String profile, Layout layout) {
    Machine machine = layout.nodeClass().machine();
    if (!layout.isUsable()
        || layout.slots().isEmpty()
        || !(machine.pinnedBy() instanceof PinnedBy.Runtime runtime)) {
      return Optional.empty();
    }
    CpuSet taken = CpuSet.unionOf(layout.slots().stream().map(Slot::cpus).toList());
    PinningSpec.Memory memory =
        runtime.memory() == PinnedBy.Memory.BIND
            ? PinningSpec.Memory.Bind
            : PinningSpec.Memory.Local;
    return Optional.of(
        generated(
            new WantedPins(
                profile,
                "",
                runtime.enforced() ? Mode.Pin : Mode.Observe,
                memory,
                runtime.actual().topology().cpus().minus(taken).toString(),
                slots(layout))));
  }

  /** The same layout with all CPUs for all containers. */
  public static WantedPins released(WantedPins pins) {
    return generated(
        new WantedPins(
            pins.profile(), "", Mode.Release, pins.memory(), pins.sharedCpus(), pins.slots()));
  }

  private static List<WantedSlot> slots(Layout layout) {
    List<WantedSlot> slots = new ArrayList<>();
    for (NumaLayout numaNode : layout.numaNodes()) {
      int index = 0;
      for (Slot slot : numaNode.slots()) {
        String id = "n%d-%d".formatted(numaNode.numaNode(), index++);
        slots.add(new WantedSlot(id, numaNode.numaNode(), slot.cpus().toString()));
      }
    }
    return List.copyOf(slots);
  }

  private static WantedPins generated(WantedPins pins) {
    return new WantedPins(
        pins.profile(),
        digest(pins.toString()),
        pins.mode(),
        pins.memory(),
        pins.sharedCpus(),
        pins.slots());
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, GENERATION_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
