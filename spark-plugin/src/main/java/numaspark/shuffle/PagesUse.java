package numaspark.shuffle;

import java.io.Serializable;

/**
 * What one executor has in pages; the message from executor to driver.
 *
 * @param heldBytes in pages now
 * @param budgetBytes the most that it may hold
 * @param outputs map outputs written since its start
 * @param onDisk those of them that continued on disk, because there was no room
 */
record PagesUse(String executor, long heldBytes, long budgetBytes, long outputs, long onDisk)
    implements Serializable {

  /** Its outputs stay counted when it is gone; its pages do not. */
  PagesUse afterItsEnd() {
    return new PagesUse(executor, 0, 0, outputs, onDisk);
  }
}
