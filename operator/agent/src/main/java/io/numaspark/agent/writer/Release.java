package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.Mechanism.Bits;
import io.numaspark.agent.knob.MechanismTable;
import io.numaspark.agent.knob.Processor;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts back what is not wanted any more, gives up its claims, and says by knob what came of it. */
final class Release {

  private final Machine machine;
  private final Processor processor;
  private final Ledger ledger;

  Release(Machine machine, Processor processor, Ledger ledger) {
    this.machine = machine;
    this.processor = processor;
    this.ledger = ledger;
  }

  /** Bits of one knob at some cells. */
  private record Part(String name, Bits bits, Set<Cell> cells) {}

  /**
   * Puts bits back.
   *
   * @param masks bits by cell
   * @param online CPUs that run
   * @param wanted knobs that are wanted elsewhere; of them only trouble is told
   * @param trouble takes the trouble of those
   * @return states of all other knobs
   */
  List<KnobState> putBack(Map<Cell, Long> masks, CpuSet online, Set<Knob> wanted, Trouble trouble)
      throws IOException {
    Restorer.Result result = new Restorer(machine).restore(masks, ledger.open(), online);
    String unkept = null;
    try {
      ledger.release(result.back());
    } catch (IOException e) {
      unkept = "it is as it was, but " + ledger.file() + " still lists it: " + e.getMessage();
    }
    List<KnobState> states = new ArrayList<>();
    for (Part part : parts(masks)) {
      Set<Cell> failed = new TreeSet<>(part.cells);
      failed.retainAll(result.failures().keySet());
      String failure = failed.isEmpty() ? unkept : result.failures().get(failed.iterator().next());
      Knob knob = Knob.find(part.name);
      if (knob == null || !wanted.contains(knob)) {
        states.add(States.released(part.name, actual(part), failed, failure));
      } else {
        failed.forEach(cell -> trouble.add(knob, cell, failure));
      }
    }
    return states;
  }

  /** States of bits that are changed though nobody has said yet whether they are wanted. */
  List<KnobState> leftOver(Map<Cell, Long> masks) {
    return parts(masks).stream().map(part -> States.leftOver(part.name, actual(part))).toList();
  }

  private String actual(Part part) {
    if (part.bits == null) {
      return States.UNKNOWN;
    }
    Target target = new Target(null, null, part.bits, List.copyOf(part.cells));
    return States.actual(part.bits, part.cells, Reading.of(machine, List.of(target)));
  }

  private List<Part> parts(Map<Cell, Long> masks) {
    Map<Cell, Long> rest = new TreeMap<>(masks);
    List<Part> parts = new ArrayList<>();
    for (Knob knob : Knob.values()) {
      if (MechanismTable.find(knob, processor) instanceof Bits bits) {
        Set<Cell> cells = new TreeSet<>();
        for (Map.Entry<Cell, Long> entry : rest.entrySet()) {
          long mask = entry.getKey().location() == bits.location() ? bits.mask() : 0;
          if ((entry.getValue() & mask) != 0) {
            cells.add(entry.getKey());
            entry.setValue(entry.getValue() & ~mask);
          }
        }
        if (!cells.isEmpty()) {
          parts.add(new Part(knob.key(), bits, cells));
        }
      }
    }
    // Bits that this machine has no knob for, for example because CPUID cannot be read any more.
    for (Map.Entry<Cell, Long> entry : rest.entrySet()) {
      if (entry.getValue() != 0) {
        parts.add(new Part(entry.getKey().key(), null, Set.of(entry.getKey())));
      }
    }
    return parts;
  }
}
