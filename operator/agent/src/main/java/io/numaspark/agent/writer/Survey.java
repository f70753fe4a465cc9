package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.agent.knob.Mechanism;
import io.numaspark.agent.knob.Mechanism.Bits;
import io.numaspark.agent.knob.MechanismTable;
import io.numaspark.agent.knob.Processor;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is wanted, laid out on the CPUs that run now.
 *
 * @param targets wanted knobs that this processor has
 * @param unsupported states of those that it has not
 * @param online CPUs that run
 * @param cores CPUs whose cores are wanted, whole cores as far as they are online; null for all
 */
record Survey(List<Target> targets, List<KnobState> unsupported, CpuSet online, CpuSet cores) {

  /**
   * Lays out settings.
   *
   * @param cores CPUs whose cores' prefetchers are wanted; null for all
   * @throws IOException if the machine's CPUs cannot be read
   */
  static Survey of(Machine machine, Processor processor, KnobSettings settings, CpuSet cores)
      throws IOException {
    CpuSet online = machine.onlineCpus();
    CpuSet whole = cores == null ? null : wholeCores(machine, cores, online);
    Survey survey = new Survey(new ArrayList<>(), new ArrayList<>(), online, whole);
    for (Map.Entry<Knob, String> setting : settings.values().entrySet()) {
      Knob knob = setting.getKey();
      Mechanism mechanism = MechanismTable.find(knob, processor);
      if (mechanism instanceof Bits bits) {
        List<Cell> cells = cells(bits.location(), whole == null ? online : whole, online);
        survey.targets.add(new Target(knob, setting.getValue(), bits, cells));
      } else {
        survey.unsupported.add(
            States.unsupported(knob, setting.getValue(), ((Mechanism.None) mechanism).message()));
      }
    }
    return survey;
  }

  /** Siblings share their core's registers, so that none can be set without the others. */
  private static CpuSet wholeCores(Machine machine, CpuSet cores, CpuSet online)
      throws IOException {
    CpuSet whole = cores;
    for (int cpu : cores.intersect(online).stream().toArray()) {
      whole = whole.union(machine.siblings(cpu));
    }
    return whole;
  }

  private static List<Cell> cells(Location location, CpuSet scope, CpuSet online) {
    if (!location.isPerCpu()) {
      return List.of(new Cell(location, Cell.NODE));
    }
    List<Cell> cells = new ArrayList<>();
    scope.intersect(online).stream().forEach(cpu -> cells.add(new Cell(location, cpu)));
    return cells;
  }

  /**
   * The bits that were changed and are not wanted any more. A CPU that is offline keeps its claim
   * as long as its core is wanted.
   */
  Map<Cell, Long> unwanted(Originals originals) {
    Map<Cell, Long> unwanted = new TreeMap<>();
    originals
        .cells()
        .forEach(
            (cell, saved) -> {
              long rest = saved.mask();
              if (cell.cpu() == Cell.NODE || cores == null || cores.contains(cell.cpu())) {
                for (Target target : targets) {
                  rest &= target.bits().location() == cell.location() ? ~target.bits().mask() : -1;
                }
              }
              if (rest != 0) {
                unwanted.put(cell, rest);
              }
            });
    return unwanted;
  }
}
