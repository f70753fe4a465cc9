package io.numaspark.controller.store;

import io.numaspark.controller.status.ForeignAnnouncement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was announced of the executors of others: thousands of them may be alike, and one of each
 * application says it for all.
 *
 * <p>Limit: it remembers the last {@value #REMEMBERED} that it saw; what is older may be said
 * again.
 */
public final class SaidOnce {
  static final int REMEMBERED = 10_000;

  private final Map<Said, Boolean> said =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Said, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };
  private final Map<String, Instant> optedIn = new ConcurrentHashMap<>();

  /** The hash instead of the text, of which there may be a thousand characters. */
  private record Said(String application, String reason, int note) {}

  /** Whether it was not said before; it then counts as said. */
  public synchronized boolean isNew(ForeignAnnouncement news) {
    return said.put(
            new Said(
                news.application(),
                news.announcement().reason(),
                news.announcement().note().hashCode()),
            true)
        == null;
  }

  /** Since when a namespace is opted in: when it was first seen so. */
  public Instant optedIn(String namespace, Instant now) {
    return optedIn.computeIfAbsent(namespace, unseen -> now);
  }

  /** Forgets a namespace that is gone, or no longer opted in. */
  public void forget(String namespace) {
    optedIn.remove(namespace);
  }
}
