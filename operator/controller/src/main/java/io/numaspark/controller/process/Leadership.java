package io.numaspark.controller.process;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.numaspark.controller.config.OperatorConfig.Lease;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one replica work at a time, and hands over at once when it stops.
 *
 * <p>A replica that stops gives its lease back, so that another one takes it within two retry
 * periods; one that dies keeps it for {@link #LEASE_DURATION}. The framework's own election does
 * not give it back, and believes the clocks of other replicas.
 */
public final class Leadership implements AutoCloseable {
  /** The values of kube-controller-manager (LeaderElectionConfiguration). */
  static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  private final LeaderElector elector;
  private final ExecutorService executor;
  private volatile boolean leading;
  private volatile boolean closing;
  private CompletableFuture<?> election;

  /**
   * A replica that does not take part yet.
   *
   * @param whenLeading called once, in a thread of its own
   * @param whenLost called when another replica may be working: this one must not go on
   */
  public Leadership(KubernetesClient client, Lease lease, Runnable whenLeading, Runnable whenLost) {
    this.executor =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "leader-election");
              thread.setDaemon(true);
              return thread;
            });
    LeaderCallbacks callbacks =
        new LeaderCallbacks(
            () -> {
              leading = true;
              LOG.info("{} is the leader", lease.identity());
              new Thread(whenLeading, "leader").start();
            },
            () -> {
              leading = false;
              if (!closing) {
                LOG.error("{} is no longer the leader", lease.identity());
                whenLost.run();
              }
            },
            leader -> LOG.info("the leader is {}", leader == null ? "to be chosen" : leader));
    this.elector =
        new LeaderElector(
            client,
            new LeaderElectionConfigBuilder()
                .withName(lease.name())
                .withLock(
                    new ObservedLock(
                        new LeaseLock(lease.namespace(), lease.name(), lease.identity()),
                        Clock.systemUTC()))
                .withLeaseDuration(LEASE_DURATION)
                .withRenewDeadline(RENEW_DEADLINE)
                .withRetryPeriod(RETRY_PERIOD)
                .withReleaseOnCancel(true)
                .withLeaderCallbacks(callbacks)
                .build(),
            executor);
  }

  /** Takes part in the election from now on. */
  public void start() {
    election = elector.start();
  }

  /** Whether this replica holds the lease. */
  public boolean isLeading() {
    return leading;
  }

  /** Gives the lease back; call it when nothing works any more. */
  @Override
  public void close() {
    closing = true;
    if (election != null) {
      election.cancel(false);
    }
    executor.shutdown();
  }
}
