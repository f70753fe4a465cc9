package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.controller.config.OperatorConfig.Lease;
import io.numaspark.controller.process.Leadership;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.class)
class LeadershipIT {
  /** Two retry periods with their jitter, far below the duration of a lease. */
  private static final Duration HAND_OVER = Duration.ofSeconds(12);

  private final KubernetesClient client = ApiServer.client();
  private final AtomicInteger worked = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void aReplicaThatStopsHandsOver(TestInfo test) {
    String lease = test.getTestMethod().orElseThrow().getName().toLowerCase();
    Leadership first = replica(lease, "first");
    await().until(first::isLeading);
    Leadership second = replica(lease, "second");
    await().during(Duration.ofSeconds(3)).until(() -> !second.isLeading() && worked.get() == 1);
    first.close();
    await().atMost(HAND_OVER).until(second::isLeading);
    await().until(() -> worked.get() == 2);
    assertThat(first.isLeading()).isFalse();
    assertThat(lost).as("replicas that lost their lease against their will").hasValue(0);
    second.close();
  }

  @Test
  void aReplicaWhoseLeaseIsTakenStops(TestInfo test) {
    String lease = test.getTestMethod().orElseThrow().getName().toLowerCase();
    Leadership replica = replica(lease, "first");
    await().until(replica::isLeading);
    client
        .leases()
        .inNamespace("default")
        .withName(lease)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"holderIdentity\": \"other\"}}");
    await().atMost(HAND_OVER).until(() -> lost.get() == 1);
    assertThat(replica.isLeading()).isFalse();
    replica.close();
  }

  private Leadership replica(String lease, String identity) {
    Leadership leadership =
        new Leadership(
            client,
            new Lease("default", lease, identity),
            worked::incrementAndGet,
            lost::incrementAndGet);
    leadership.start();
    return leadership;
  }
}
