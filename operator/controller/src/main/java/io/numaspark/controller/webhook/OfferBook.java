package io.numaspark.controller.webhook;

import io.numaspark.render.inject.PinningOffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each profile offers, planned anew soon after something has changed.
 *
 * <p>Limit: an answer within {@link #PAUSE} of a change may be that of before.
 */
public final class OfferBook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OfferBook.class);

  /** Many nodes change at once when a pool starts, and a plan is for all of them. */
  static final Duration PAUSE = Duration.ofMillis(500);

  private final BooleanSupplier isLoaded;
  private final Supplier<Map<String, PinningOffer>> planning;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "offers"));
  private final AtomicBoolean awaited = new AtomicBoolean();
  private volatile Optional<Map<String, PinningOffer>> offers = Optional.empty();

  /**
   * A book without offers.
   *
   * @param isLoaded whether all that plans are made from has been read
   * @param planning makes those of all profiles, by name
   */
  public OfferBook(BooleanSupplier isLoaded, Supplier<Map<String, PinningOffer>> planning) {
    this.isLoaded = isLoaded;
    this.planning = planning;
  }

  /** Plans anew after a pause, once for all changes until then. */
  public void changed() {
    if (awaited.compareAndSet(false, true)) {
      executor.schedule(this::plan, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void plan() {
    awaited.set(false);
    if (!isLoaded.getAsBoolean()) {
      changed();
      return;
    }
    try {
      offers = Optional.of(Map.copyOf(planning.get()));
    } catch (RuntimeException e) {
      LOG.error("Profiles could not be planned; what was planned before holds", e);
    }
  }

  /** Whether all profiles have been planned once. */
  public boolean isPlanned() {
    return offers.isPresent();
  }

  /** What a profile offers now. */
  public PinningOffer offer(String profile) {
    Optional<Map<String, PinningOffer>> now = offers;
    if (now.isEmpty()) {
      return new PinningOffer.None("numaspark's webhook has just started; create it again");
    }
    return Optional.ofNullable(now.get().get(profile))
        .orElseGet(
            () ->
                new PinningOffer.None(
                    "label numaspark.io/inject: there is no SparkNodeProfile %s; name one of: %s"
                        .formatted(profile, String.join(", ", new TreeSet<>(now.get().keySet())))));
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
