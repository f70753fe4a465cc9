package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Location;
import io.numaspark.agent.writer.Originals.Saved;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes wanted bits: claims their originals first, tries each knob on one canary, then writes the
 * other cells.
 *
 * <p>Limit: does not decide what is written; the caller leaves out what must not be.
 */
final class Applier {

  private static final System.Logger LOG = System.getLogger(Applier.class.getName());

  private final Machine machine;
  private final Ledger ledger;
  private final Restorer restorer;
  private final boolean guest;

  /**
   * @param guest whether the machine is a guest, which makes an ignored write likelier than broken
   *     hardware
   */
  Applier(Machine machine, Ledger ledger, boolean guest) {
    this.machine = machine;
    this.ledger = ledger;
    this.restorer = new Restorer(machine);
    this.guest = guest;
  }

  /**
   * Writes.
   *
   * @param needs cells to be written by target, as they were read; none is empty
   * @param reading their contents
   * @param trouble takes what goes wrong
   */
  void apply(Map<Target, List<Cell>> needs, Reading reading, Trouble trouble) {
    Map<Cell, Saved> claims = new TreeMap<>();
    try {
      needs.forEach((target, cells) -> claim(target, cells, reading, claims));
      ledger.claim(claims);
    } catch (IOException | UncheckedIOException e) {
      String message =
          "originals cannot be kept in "
              + ledger.file()
              + ", without which nothing may be changed ("
              + e.getMessage()
              + "): see that its directory is writable and has space, and that /sys is the node's";
      needs.forEach((target, cells) -> trouble.add(target.knob(), cells.get(0), message));
      return;
    }
    Map<Target, List<Cell>> proven = new LinkedHashMap<>();
    needs.forEach(
        (target, cells) -> {
          if (canary(target, cells.get(0), trouble)) {
            proven.put(target, cells);
          }
        });
    writeAll(proven, trouble);
    if (proven.size() < needs.size()) {
      giveUp(needs, proven);
    }
  }

  private void claim(Target target, List<Cell> cells, Reading reading, Map<Cell, Saved> claims) {
    long mask = target.bits().mask();
    for (Cell cell : cells) {
      long bits = originalBits(cell, mask, reading.contents().get(cell));
      claims.merge(
          cell,
          new Saved(mask, bits),
          (a, b) -> new Saved(a.mask() | b.mask(), a.bits() | b.bits()));
    }
  }

  /**
   * The original of bits. A CPU that comes online late shares its core's register with a sibling,
   * and so may show what the writer has written there: then the sibling's original is its own.
   */
  private long originalBits(Cell cell, long mask, long content) {
    long bits = content & mask;
    if (!cell.location().isMsr()) {
      return bits;
    }
    try {
      for (int sibling : machine.siblings(cell.cpu()).stream().toArray()) {
        Saved saved = ledger.open().of(new Cell(cell.location(), sibling));
        bits = bits & ~saved.mask() | saved.bits() & mask;
      }
      return bits;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets one knob on one cell, and puts it back if that does not prove to work. */
  private boolean canary(Target target, Cell cell, Trouble trouble) {
    long before;
    String problem;
    try {
      before = machine.read(cell);
    } catch (IOException e) {
      trouble.add(target.knob(), cell, Trouble.explain(cell, e));
      return false;
    }
    try {
      if (set(cell, List.of(target)).isEmpty()) {
        return true;
      }
      problem = ignored(cell);
    } catch (IOException e) {
      problem = Trouble.explain(cell, e);
    }
    try {
      if (!restorer.putBack(cell, target.bits().mask(), before)) {
        problem += "; and it could not be put back, so that its original is kept";
      }
    } catch (IOException e) {
      problem += "; and it could not be put back, so that its original is kept: " + e.getMessage();
    }
    trouble.add(target.knob(), cell, problem);
    return false;
  }

  private void writeAll(Map<Target, List<Cell>> needs, Trouble trouble) {
    Map<Cell, List<Target>> byCell = new TreeMap<>();
    needs.forEach(
        (target, cells) ->
            cells.forEach(
                cell -> byCell.computeIfAbsent(cell, c -> new ArrayList<>()).add(target)));
    byCell.forEach(
        (cell, targets) -> {
          try {
            set(cell, targets).forEach(t -> trouble.add(t.knob(), cell, ignored(cell)));
          } catch (IOException e) {
            targets.forEach(t -> trouble.add(t.knob(), cell, Trouble.explain(cell, e)));
          }
        });
  }

  /**
   * Sets knobs of one cell in one write, and reads it back.
   *
   * @return the targets that are not met by what was read back
   */
  private List<Target> set(Cell cell, List<Target> targets) throws IOException {
    long now = machine.read(cell);
    long then = now;
    for (Target target : targets) {
      then = target.bits().encode(then, target.wanted());
    }
    if (then == now) {
      return List.of();
    }
    machine.write(cell, then);
    long back = machine.read(cell);
    return targets.stream().filter(target -> !target.isMetBy(back)).toList();
  }

  /** Forgets the claims of knobs that failed, where nothing was changed. */
  private void giveUp(Map<Target, List<Cell>> needs, Map<Target, List<Cell>> proven) {
    Map<Cell, Long> masks = new TreeMap<>();
    needs.forEach(
        (target, cells) -> {
          if (!proven.containsKey(target)) {
            cells.forEach(cell -> masks.merge(cell, target.bits().mask(), (a, b) -> a | b));
          }
        });
    try {
      Originals originals = ledger.open();
      for (Cell cell : new TreeSet<>(masks.keySet())) {
        long mask = masks.get(cell);
        long content = machine.read(cell);
        if (((content ^ originals.of(cell).bits()) & mask) != 0) {
          masks.remove(cell);
        }
      }
      ledger.release(masks);
    } catch (IOException e) {
      // A claim too many does no harm: putting back finds nothing to write.
      LOG.log(System.Logger.Level.INFO, "claims are kept: {0}", e.getMessage());
    }
  }

  private String ignored(Cell cell) {
    return cell.key()
        + " was written but has not the wanted value when read back: "
        + (guest && cell.location() != Location.POWER_DSCR
            ? "the hypervisor ignores the write; set the knob on its host, or leave it out of the"
                + " profile of guests"
            : "something else writes it too, or the firmware locks it; find out which, or leave the"
                + " knob out of the profile of such nodes");
  }
}
