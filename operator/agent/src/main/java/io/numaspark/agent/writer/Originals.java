package io.numaspark.agent.writer;

import java.util.Map;
import java.util.TreeMap;

/**
 * What was there before the writer changed it: for each touched cell, the bits that it may have
 * changed and what they were.
 *
 * <p>A bit once claimed keeps its original until it is released, so that an original is never
 * overwritten by a changed value. Bits that the writer never touches are not kept: if somebody else
 * changes them, they stay changed.
 *
 * @param bootId the kernel's id of the start of the machine during which all this was read
 * @param restoring whether everything is on its way back, so that a writer that finds this at its
 *     start goes on with it unasked
 * @param cells by cell; unmodifiable by convention, replaced and never changed
 */
record Originals(String bootId, boolean restoring, TreeMap<Cell, Saved> cells) {

  /**
   * Claimed bits of a cell.
   *
   * @param mask the bits that the writer may have changed
   * @param bits their original content, 0 outside of the mask
   */
  record Saved(long mask, long bits) {}

  static Originals none(String bootId) {
    return new Originals(bootId, false, new TreeMap<>());
  }

  boolean isEmpty() {
    return cells.isEmpty();
  }

  /** The claimed bits of a cell; an empty mask if it is not touched. */
  Saved of(Cell cell) {
    return cells.getOrDefault(cell, new Saved(0, 0));
  }

  Originals withRestoring(boolean now) {
    return new Originals(bootId, now, cells);
  }

  /**
   * Claims further bits of cells; those that are claimed already keep their original.
   *
   * @param claims bits to claim, with their content as it is now
   */
  Originals claim(Map<Cell, Saved> claims) {
    TreeMap<Cell, Saved> next = new TreeMap<>(cells);
    claims.forEach(
        (cell, claim) -> {
          Saved old = of(cell);
          long added = claim.mask() & ~old.mask();
          next.put(cell, new Saved(old.mask() | added, old.bits() | claim.bits() & added));
        });
    return new Originals(bootId, restoring, next);
  }

  /**
   * Forgets bits that have their original content again.
   *
   * @param masks bits to forget, by cell
   */
  Originals release(Map<Cell, Long> masks) {
    TreeMap<Cell, Saved> next = new TreeMap<>(cells);
    masks.forEach(
        (cell, mask) -> {
          Saved old = of(cell);
          long kept = old.mask() & ~mask;
          if (kept == 0) {
            next.remove(cell);
          } else {
            next.put(cell, new Saved(kept, old.bits() & kept));
          }
        });
    return new Originals(bootId, restoring, next);
  }
}
