package io.numaspark.planner.jvm;

/**
 * How much memory an executor keeps for files that it reads and writes, inside its own limit: with
 * cgroup v2 the kernel charges a page of a file to the pod that touched it first.
 *
 * @param minBytes kept even if the heap becomes smaller by it
 * @param maxBytes most of one executor; {@link #UNLIMITED}: all that its share of the NUMA node
 *     leaves
 */
public record PageCachePolicy(long minBytes, long maxBytes) {
  /** The slot's share is the only bound. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** Pods take heap and overhead alone, and what is left of a NUMA node is nobody's. */
  public static final PageCachePolicy NONE = new PageCachePolicy(0, 0);

  /** All that heaps leave. */
  public static final PageCachePolicy SHARE = new PageCachePolicy(0, UNLIMITED);

  public PageCachePolicy {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "page cache of %d to %d bytes: the minimum must be at least 0 and at most the maximum"
              .formatted(minBytes, maxBytes));
    }
  }
}
