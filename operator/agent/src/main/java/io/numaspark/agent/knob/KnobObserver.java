package io.numaspark.agent.knob;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares knobs with what is wanted, without a writer and without any privilege.
 *
 * <p>Limit: reads files of the kernel only; registers need the writer, and are {@code Unknown}.
 */
public final class KnobObserver {

  private final Path root;
  private final Processor processor;

  /**
   * @param root below which /proc and /sys are
   * @param processor the node's
   */
  public KnobObserver(Path root, Processor processor) {
    this.root = root;
    // AMD's gate needs /dev/cpu, which only the writer has. Taken as open, the answer is that the
    // writer is needed, which is true.
    this.processor =
        processor.leaf80000021() == null
            ? new Processor(
                processor.vendor(),
                processor.family(),
                processor.model(),
                processor.hypervisor(),
                -1)
            : processor;
  }

  /** One state for each wanted knob: Observed, or Unsupported with the reason. */
  public List<KnobState> observe(KnobSettings wanted) {
    List<KnobState> states = new ArrayList<>();
    for (Map.Entry<Knob, String> setting : wanted.values().entrySet()) {
      states.add(observe(setting.getKey(), setting.getValue()));
    }
    return states;
  }

  private KnobState observe(Knob knob, String wanted) {
    Mechanism mechanism = MechanismTable.find(knob, processor);
    if (mechanism instanceof Mechanism.None none) {
      return unread(knob, wanted, KnobVerdict.Unsupported, none.message());
    }
    Location location = ((Mechanism.Bits) mechanism).location();
    if (location.isPerCpu()) {
      return unread(
          knob,
          wanted,
          KnobVerdict.Observed,
          "only the privileged writer can read registers, and it reads those that a profile"
              + " enforces: set mode Enforce to have it read and set");
    }
    try {
      String actual = ((Mechanism.Bits) mechanism).decode(KernelFiles.read(root, location));
      String message =
          actual.equals(wanted)
              ? null
              : "it has not the wanted value: set mode Enforce in the profile to have it set";
      return new KnobState(knob.key(), wanted, actual, KnobVerdict.Observed.name(), null, message);
    } catch (IOException e) {
      return unread(
          knob,
          wanted,
          KnobVerdict.Unsupported,
          "/" + location.file() + " cannot be read: the kernel may be built without it");
    }
  }

  private static KnobState unread(Knob knob, String wanted, KnobVerdict verdict, String message) {
    return new KnobState(knob.key(), wanted, "Unknown", verdict.name(), null, message);
  }
}
