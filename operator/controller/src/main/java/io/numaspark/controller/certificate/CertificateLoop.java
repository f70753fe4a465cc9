package io.numaspark.controller.certificate;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the certificates again and again, in a thread of its own: every minute, and at once if
 * the Secret has changed.
 *
 * <p>Limit: changes that come during a look cause one more look, however many they are.
 */
public final class CertificateLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateLoop.class);

  static final Duration USUALLY = Duration.ofSeconds(60);

  /** While something is missing: another part of the chart may be on its way. */
  static final Duration SOON = Duration.ofSeconds(5);

  /** The client adds to each message all that the API server has said. */
  private static final int MOST_OF_A_MESSAGE = 300;

  private final CertificateSource source;
  private final ServingKeys keys;
  private final Duration usually;
  private final Duration soon;
  private final Remark remark = new Remark(LOG);
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "certificates");
            made.setDaemon(true);
            return made;
          });
  private ScheduledFuture<?> next;

  /**
   * A loop that has not started.
   *
   * @param keys those of the source; they say why a look failed
   */
  public CertificateLoop(CertificateSource source, ServingKeys keys) {
    this(source, keys, USUALLY, SOON);
  }

  CertificateLoop(CertificateSource source, ServingKeys keys, Duration usually, Duration soon) {
    this.source = source;
    this.keys = keys;
    this.usually = usually;
    this.soon = soon;
  }

  /** Looks now, and from now on. */
  public void start() {
    lookIn(Duration.ZERO);
  }

  /** Looks as soon as possible; of any thread. Nothing happens after the end. */
  public void lookNow() {
    lookIn(Duration.ZERO);
  }

  private synchronized void lookIn(Duration delay) {
    if (next != null) {
      next.cancel(false);
    }
    try {
      next = thread.schedule(this::look, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The loop of the certificates has ended");
    }
  }

  private void look() {
    ScheduledFuture<?> mine;
    synchronized (this) {
      mine = next;
    }
    boolean well = false;
    try {
      well = source.look();
      remark.clear();
    } catch (RuntimeException e) {
      String message = String.valueOf(e.getMessage());
      String why =
          "the webhook's certificates could not be read or written: "
              + message.substring(0, Math.min(MOST_OF_A_MESSAGE, message.length()));
      remark.warn(why);
      keys.refuse(why);
    } finally {
      lookAgain(mine, well ? usually : soon);
    }
  }

  /** Unless somebody has requested a look meanwhile, which comes first. */
  private synchronized void lookAgain(ScheduledFuture<?> last, Duration delay) {
    if (next == last) {
      lookIn(delay);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
