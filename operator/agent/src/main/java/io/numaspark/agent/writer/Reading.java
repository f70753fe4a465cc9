package io.numaspark.agent.writer;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Contents of cells, read once each.
 *
 * @param contents by cell that could be read
 * @param errors by cell that could not
 */
record Reading(Map<Cell, Long> contents, Map<Cell, IOException> errors) {

  static Reading of(Machine machine, Collection<Target> targets) {
    TreeSet<Cell> cells = new TreeSet<>();
    targets.forEach(target -> cells.addAll(target.cells()));
    Reading reading = new Reading(new TreeMap<>(), new TreeMap<>());
    for (Cell cell : cells) {
      try {
        reading.contents.put(cell, machine.read(cell));
      } catch (IOException e) {
        reading.errors.put(cell, e);
      }
    }
    return reading;
  }

  /** The target's cells that can be read, and have another value than the wanted one. */
  List<Cell> unmet(Target target) {
    return target.cells().stream()
        .filter(cell -> contents.containsKey(cell) && !target.isMetBy(contents.get(cell)))
        .toList();
  }

  /** The target's cells that cannot be read. */
  List<Cell> unreadable(Target target) {
    return target.cells().stream().filter(errors::containsKey).toList();
  }
}
