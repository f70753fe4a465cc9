package io.numaspark.agent.pages;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Makes the folder of each namespace, and deletes what executors left that died without doing it
 * themselves: {@code <namespace>/<mounted folder>/<application>/<executor>}, where an executor that
 * lives holds the lock of its file {@code lock}.
 *
 * <p>Limit: tenants write here, so nothing that is found is believed, and no namespace gets more
 * time than another.
 */
public final class PagesFolders {
  private final List<NamespaceSweep> sweeps;
  private final Limits limits;
  private volatile List<String> troubled;

  /**
   * The folders below one root.
   *
   * @param root on a tmpfs of the node
   * @param namespaces each has a folder of its own
   */
  public PagesFolders(Path root, Collection<String> namespaces) {
    this(root, namespaces, Limits.USUAL);
  }

  PagesFolders(Path root, Collection<String> namespaces, Limits limits) {
    this.limits = limits;
    this.sweeps =
        namespaces.stream()
            .distinct()
            .map(namespace -> new NamespaceSweep(root, namespace, limits))
            .toList();
  }

  /**
   * Makes what is missing and deletes what nobody owns, for a bounded time; trouble is told and
   * does no harm.
   *
   * @return how long to wait until it is called again
   */
  public Duration look(Instant now) {
    long start = System.nanoTime();
    Duration part = limits.time().dividedBy(Math.max(1, sweeps.size()));
    boolean more = false;
    for (NamespaceSweep sweep : sweeps) {
      more |= sweep.round(now, part);
    }
    troubled =
        sweeps.stream().filter(NamespaceSweep::isTroubled).map(NamespaceSweep::namespace).toList();
    Duration round = Duration.ofNanos(System.nanoTime() - start);
    return more ? limits.pauseAfter(round) : limits.period();
  }

  /**
   * The namespaces in whose folders something could not be looked at or deleted; absent before the
   * first look.
   */
  public Optional<List<String>> troubled() {
    return Optional.ofNullable(troubled);
  }
}
