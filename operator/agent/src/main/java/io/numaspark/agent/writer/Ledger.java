package io.numaspark.agent.writer;

import io.numaspark.agent.writer.Originals.Saved;
import java.io.IOException;
import java.util.Map;

/**
 * The originals in memory and on disk, the disk first.
 *
 * <p>A claim is on disk before the caller may write the register, and is given up only after the
 * caller has read the original back. Whatever fails between leaves a claim too many, never one too
 * few.
 */
final class Ledger {

  private final OriginalsStore store;
  private final Machine machine;
  private Originals originals;

  Ledger(OriginalsStore store, Machine machine) {
    this.store = store;
    this.machine = machine;
  }

  /** Where the originals are kept, for messages. */
  String file() {
    return store.file().toString();
  }

  /**
   * Reads the originals once. Those of another start of the machine are dropped, because that start
   * has reset what they are originals of.
   *
   * @throws IOException if it cannot be said what was changed; nothing may be written then
   */
  Originals open() throws IOException {
    if (originals != null) {
      return originals;
    }
    String bootId = machine.bootId();
    Originals kept;
    try {
      kept = store.load();
    } catch (IOException e) {
      throw new IOException(
          store.file()
              + " is not readable as originals ("
              + e.getMessage()
              + "), so that nothing can be put back and nothing is changed: restart the node, which"
              + " resets the knobs, and remove the file",
          e);
    }
    if (kept != null && !kept.bootId().equals(bootId)) {
      store.save(Originals.none(bootId));
      kept = null;
    }
    originals = kept == null ? Originals.none(bootId) : kept;
    return originals;
  }

  void claim(Map<Cell, Saved> claims) throws IOException {
    if (!claims.isEmpty()) {
      keep(originals.claim(claims));
    }
  }

  void release(Map<Cell, Long> masks) throws IOException {
    if (!masks.isEmpty()) {
      keep(originals.release(masks));
    }
  }

  void setRestoring(boolean restoring) throws IOException {
    if (originals.restoring() != restoring && !originals.isEmpty()) {
      keep(originals.withRestoring(restoring));
    }
  }

  private void keep(Originals next) throws IOException {
    // "Restoring" ends with the last original.
    Originals whole = next.isEmpty() ? Originals.none(next.bootId()) : next;
    store.save(whole);
    originals = whole;
  }
}
