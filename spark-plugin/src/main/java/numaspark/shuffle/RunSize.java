package numaspark.shuffle;

/** How many bytes of rows are collected before they are written. */
final class RunSize {
  /** With few partitions, as much as a core's own caches hold about. */
  private static final int LEAST = 2 << 20;

  private static final int MOST = 32 << 20;

  /** So that a reduce task reads pieces of some pages each. */
  private static final int BYTES_A_PARTITION = 8 << 10;

  private RunSize() {}

  static int forPartitions(int partitions) {
    return (int) Math.max(LEAST, Math.min(MOST, (long) partitions * BYTES_A_PARTITION));
  }
}
