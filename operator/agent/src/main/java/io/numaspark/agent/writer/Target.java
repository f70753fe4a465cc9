package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.Mechanism.Bits;
import java.util.List;

/**
 * A wanted knob on this machine.
 *
 * @param knob the knob
 * @param wanted its wanted value
 * @param bits how the machine implements it
 * @param cells where it is wanted; ascending
 */
record Target(Knob knob, String wanted, Bits bits, List<Cell> cells) {

  /** Whether this content has the wanted value. */
  boolean isMetBy(long content) {
    return bits.decode(content).equals(wanted);
  }
}
