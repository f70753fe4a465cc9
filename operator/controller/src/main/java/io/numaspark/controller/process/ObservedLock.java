package io.numaspark.controller.process;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.util.Objects;

/**
 * A lock that tells when this replica saw it renewed, not when its holder says it was.
 *
 * <p>A lease is over when it was not renewed for its duration. Compared with the holder's time, a
 * replica whose clock is behind would wait for the difference of the clocks after a crash, and one
 * whose clock is ahead would take a lease that is in use. Kubernetes' own elector measures in the
 * same way (client-go, leaderelection.go, observedTime).
 */
final class ObservedLock implements Lock {
  private final Lock lock;
  private final Clock clock;
  private LeaderElectionRecord seen;
  private ZonedDateTime seenAt;

  ObservedLock(Lock lock, Clock clock) {
    this.lock = lock;
    this.clock = clock;
  }

  @Override
  public synchronized LeaderElectionRecord get(KubernetesClient client) {
    LeaderElectionRecord held = lock.get(client);
    if (held == null) {
      return null;
    }
    if (!Objects.equals(held, seen)) {
      seen = held;
      seenAt = ZonedDateTime.now(clock);
    }
    return new LeaderElectionRecord(
        held.getHolderIdentity(),
        held.getLeaseDuration(),
        held.getAcquireTime(),
        seenAt,
        held.getLeaderTransitions());
  }

  @Override
  public void create(KubernetesClient client, LeaderElectionRecord held) {
    lock.create(client, held);
  }

  @Override
  public void update(KubernetesClient client, LeaderElectionRecord held) {
    lock.update(client, held);
  }

  @Override
  public String identity() {
    return lock.identity();
  }

  @Override
  public String describe() {
    return lock.describe();
  }
}
