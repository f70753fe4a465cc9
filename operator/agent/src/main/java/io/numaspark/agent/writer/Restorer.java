package io.numaspark.agent.writer;

import io.numaspark.agent.writer.Originals.Saved;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts bits of cells back, and proves it.
 *
 * <p>Limit: writes the bits that are named, and leaves to the caller to give up their claims.
 */
final class Restorer {

  private final Machine machine;

  Restorer(Machine machine) {
    this.machine = machine;
  }

  /**
   * What came of putting back.
   *
   * @param back bits that were read back as their originals, by cell
   * @param failures why not, by cell
   */
  record Result(Map<Cell, Long> back, Map<Cell, String> failures) {}

  /**
   * Puts bits back to their originals.
   *
   * @param masks bits by cell
   * @param originals what they were
   * @param online CPUs that run
   */
  Result restore(Map<Cell, Long> masks, Originals originals, CpuSet online) {
    Result result = new Result(new TreeMap<>(), new TreeMap<>());
    masks.forEach(
        (cell, mask) -> {
          String failure =
              cell.cpu() == Cell.NODE || online.contains(cell.cpu())
                  ? putBack(cell, mask, originals.of(cell))
                  : "CPU "
                      + cell.cpu()
                      + " is offline: its original is kept; set the CPU online, and it is put back";
          if (failure == null) {
            result.back.put(cell, mask);
          } else {
            result.failures.put(cell, failure);
          }
        });
    return result;
  }

  private String putBack(Cell cell, long mask, Saved saved) {
    try {
      return putBack(cell, mask, saved.bits()) ? null : ignored(cell);
    } catch (IOException e) {
      return Trouble.explain(cell, e);
    }
  }

  /**
   * Puts bits of one cell back; writes only if they differ.
   *
   * @return whether they were read back so
   */
  boolean putBack(Cell cell, long mask, long bits) throws IOException {
    long now = machine.read(cell);
    long then = now & ~mask | bits & mask;
    if (now == then) {
      return true;
    }
    machine.write(cell, then);
    return ((machine.read(cell) ^ then) & mask) == 0;
  }

  private static String ignored(Cell cell) {
    return cell.key() + " was written but did not change: its original is kept; restart the node";
  }
}
