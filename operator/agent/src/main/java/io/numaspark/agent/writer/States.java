package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.KnobVerdict;
import io.numaspark.agent.knob.Mechanism.Bits;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Makes the states that are reported from what was read back: pure. */
final class States {

  static final String UNKNOWN = "Unknown";
  private static final String MIXED = "Mixed";
  private static final String EXPERIMENTAL =
      "experimental: AMD does not say which loads the bit is about; compare runtimes before you rely"
          + " on it";

  private States() {}

  static KnobState unsupported(Knob knob, String wanted, String message) {
    return new KnobState(
        knob.key(), wanted, UNKNOWN, KnobVerdict.Unsupported.name(), null, message);
  }

  static KnobState failed(Knob knob, String wanted, String message) {
    return new KnobState(knob.key(), wanted, UNKNOWN, KnobVerdict.Failed.name(), null, message);
  }

  /** The state of a knob that cannot be read everywhere. */
  static KnobState unreadable(Target target, Reading reading, Probe.Unreadable probe) {
    return probe.nowhere()
        ? unsupported(target.knob(), target.wanted(), probe.message())
        : state(
            target,
            reading,
            KnobVerdict.Failed,
            Set.of(),
            "it cannot be read on every CPU, so that nothing is written: " + probe.message());
  }

  /** The state of a knob that somebody else has changed. */
  static KnobState drifted(Target target, Reading reading, String message) {
    return state(target, reading, KnobVerdict.Drifted, Set.of(), message);
  }

  /**
   * The state of a wanted knob: Applied if the wanted value was read back everywhere, else Failed.
   *
   * @param target the knob
   * @param reading what was read back
   * @param failed cells where it could not be set or, outside of the target, put back
   * @param message why not
   */
  static KnobState wanted(Target target, Reading reading, Set<Cell> failed, String message) {
    boolean outside = failed.stream().anyMatch(cell -> !target.cells().contains(cell));
    boolean met = reading.unmet(target).isEmpty() && reading.unreadable(target).isEmpty();
    if (met && !outside) {
      return state(target, reading, KnobVerdict.Applied, Set.of(), note(target));
    }
    return state(target, reading, KnobVerdict.Failed, failed, message);
  }

  private static KnobState state(
      Target target, Reading reading, KnobVerdict verdict, Set<Cell> more, String message) {
    Set<Cell> differing = new TreeSet<>(reading.unmet(target));
    differing.addAll(reading.unreadable(target));
    for (Cell cell : more) {
      // One that was in trouble and has the wanted value nevertheless does not differ.
      if (!target.cells().contains(cell)) {
        differing.add(cell);
      }
    }
    return new KnobState(
        target.knob().key(),
        target.wanted(),
        actual(target.bits(), target.cells(), reading),
        verdict.name(),
        Trouble.cpus(differing),
        message);
  }

  private static String note(Target target) {
    if (target.cells().isEmpty()) {
      return "no core is to be set now";
    }
    return target.bits().experimental() ? EXPERIMENTAL : null;
  }

  /**
   * The state of a knob that nobody wants any more.
   *
   * @param name its name, or that of the place if this machine has no knob there
   * @param actual what was read back
   * @param failed where it could not be put back
   * @param message why not; null if it could
   */
  static KnobState released(String name, String actual, Set<Cell> failed, String message) {
    KnobVerdict verdict = message == null ? KnobVerdict.Restored : KnobVerdict.Failed;
    return new KnobState(name, null, actual, verdict.name(), Trouble.cpus(failed), message);
  }

  /** The state of a knob that an earlier run of the writer has changed. */
  static KnobState leftOver(String name, String actual) {
    return new KnobState(
        name,
        null,
        actual,
        KnobVerdict.Observed.name(),
        null,
        "an earlier run of the writer has changed it, and its original is kept: ask for apply or"
            + " restore");
  }

  /** What was read at cells, in the knob's words. */
  static String actual(Bits bits, Collection<Cell> cells, Reading reading) {
    String actual = null;
    for (Cell cell : cells) {
      Long content = reading.contents().get(cell);
      if (content == null) {
        continue;
      }
      String value = bits.decode(content);
      if (actual != null && !actual.equals(value)) {
        return MIXED;
      }
      actual = value;
    }
    return actual == null ? UNKNOWN : actual;
  }
}
