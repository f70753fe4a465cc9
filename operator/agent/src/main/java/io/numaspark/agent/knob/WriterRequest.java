package io.numaspark.agent.knob;

import io.numaspark.planner.topology.CpuSet;

/** What the writer can be asked for. */
public sealed interface WriterRequest {

  /**
   * Set these knobs, and put back all others.
   *
   * @param wanted values by knob
   * @param cores CPUs whose cores' prefetchers are set; null for all
   */
  record Apply(KnobSettings wanted, CpuSet cores) implements WriterRequest {}

  /** Put everything back. */
  record Restore() implements WriterRequest {}

  /** Read back. */
  record Status() implements WriterRequest {}
}
