package io.numaspark.controller.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservedLockTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-21T08:00:00Z");

  private final Held held = new Held();
  private final Hands clock = new Hands();
  private final ObservedLock lock = new ObservedLock(held, clock);

  @ParameterizedTest(name = "the holder's clock is {0} s ahead")
  @ValueSource(ints = {-600, 0, 600})
  void aLeaseIsOverWhenItWasNotSeenToBeRenewed(int ahead) {
    held.renewedAt(NOW.plusSeconds(ahead));
    assertThat(lock.get(null).getRenewTime()).isEqualTo(NOW);
    clock.now = NOW.plusSeconds(14);
    assertThat(lock.get(null).getRenewTime()).as("not renewed").isEqualTo(NOW);
    held.renewedAt(NOW.plusSeconds(ahead + 14));
    assertThat(lock.get(null).getRenewTime()).as("renewed").isEqualTo(clock.now);
  }

  @Test
  void everythingElseIsTheLocks() {
    assertThat(lock.get(null)).as("there is none yet").isNull();
    held.renewedAt(NOW);
    assertThat(lock.get(null)).isEqualTo(held.record);
    LeaderElectionRecord other =
        new LeaderElectionRecord("other", Duration.ofSeconds(15), NOW, NOW, 4);
    lock.update(null, other);
    assertThat(held.record).isEqualTo(other);
    lock.create(null, null);
    assertThat(held.record).isNull();
    assertThat(lock.identity()).isEqualTo("me");
    assertThat(lock.describe()).isEqualTo("a lease");
  }

  private static final class Held implements Lock {
    private LeaderElectionRecord record;

    void renewedAt(ZonedDateTime time) {
      record = new LeaderElectionRecord("other", Duration.ofSeconds(15), NOW, time, 3);
    }

    @Override
    public LeaderElectionRecord get(KubernetesClient client) {
      return record;
    }

    @Override
    public void create(KubernetesClient client, LeaderElectionRecord wanted) {
      record = wanted;
    }

    @Override
    public void update(KubernetesClient client, LeaderElectionRecord wanted) {
      record = wanted;
    }

    @Override
    public String identity() {
      return "me";
    }

    @Override
    public String describe() {
      return "a lease";
    }
  }

  private static final class Hands extends Clock {
    private ZonedDateTime now = NOW;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now.toInstant();
    }
  }
}
