package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pinned applications in a namespace that may have only some of the node's three slots. */
@Order(25)
@Tag("quotas")
class QuotaE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String RESOURCE = "requests.slots.numaspark.io/dual-socket";
  private static final String FIRST = "quota-first";
  private static final String SECOND = "quota-second";
  private static final Duration START = Duration.ofMinutes(12);

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    await("the slots of the node")
        .atMost(START)
        .until(() -> Applications.publishedSlots().equals("3"));
  }

  @AfterEach
  void cleanUp() {
    Stream.of(FIRST, SECOND).forEach(name -> Lab.delete(KIND, name));
    Lab.delete("resourcequota", "team");
    Stream.of(FIRST, SECOND).forEach(Applications::awaitNoPods);
  }

  @Test
  void anApplicationWaitsUntilTheQuotaAllowsItsExecutors() {
    allow(1);
    Lab.apply(application(FIRST)).orFail();
    assertThat(awaitReason(FIRST, "QuotaTooSmall"))
        .contains("needs 2 slots, but ResourceQuota team allows 1 of " + RESOURCE);
    allow(2);
    awaitPinned(FIRST);

    // The third slot is free, but not for this namespace.
    Lab.apply(application(SECOND)).orFail();
    assertThat(awaitReason(SECOND, "WaitingForQuota"))
        .contains("needs 2 slots, but 2 of the 2 are in use");
    assertThat(Lab.list("pods", "spark-role=driver,numaspark.io/application=" + SECOND)).isEmpty();
    Applications.awaitCompleted(FIRST, START);
    awaitPinned(SECOND);
    Applications.awaitCompleted(SECOND, START);
  }

  private static String application(String name) {
    return Applications.pinned(
        name, Applications.SPARK, Applications.MAIN_CLASS, 2, "[\"4\", \"10\"]");
  }

  private static void allow(int slots) {
    Lab.apply(
            """
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: team}
            spec: {hard: {%s: "%d"}}
            """
                .formatted(RESOURCE, slots))
        .orFail();
    Lab.awaitObject(
        "resourcequota",
        "team",
        START,
        quota -> quota.path("status").path("hard").path(RESOURCE).asInt() == slots);
  }

  private static String awaitReason(String name, String reason) {
    JsonNode application =
        Lab.awaitObject(
            KIND,
            name,
            START,
            found -> Lab.condition(found, "Ready").path("reason").asText().equals(reason));
    assertThat(Lab.waits(application)).isTrue();
    return Lab.condition(application, "Ready").path("message").asText();
  }

  private static void awaitPinned(String name) {
    Lab.awaitObject(
        KIND, name, START, found -> found.at("/status/executorCounts/pinned").asInt() == 2);
  }
}
