package io.numaspark.controller.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.numaspark.controller.fixture.LoggedLines;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CertificateLoopTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration OFTEN = Duration.ofMillis(5);

  private final AtomicInteger looks = new AtomicInteger();
  private final ServingKeys keys = new ServingKeys(InstantSource.system());

  @Test
  void looksAgainLaterIfAllIsWell() {
    try (CertificateLoop loop = loop(() -> true, OFTEN, NEVER)) {
      loop.start();
      await().until(() -> looks.get() > 3);
    }
  }

  @Test
  void looksAgainSoonIfNot() {
    try (CertificateLoop loop = loop(() -> looks.get() > 3, NEVER, OFTEN)) {
      loop.start();
      await().until(() -> looks.get() == 4);
    }
  }

  @Test
  void aFailureIsLoggedOnceAndTriedAgain() {
    try (LoggedLines log = new LoggedLines();
        CertificateLoop loop =
            loop(
                () -> {
                  throw new IllegalStateException("no route to the API server");
                },
                NEVER,
                OFTEN)) {
      loop.start();
      await().until(() -> looks.get() > 3);
      assertThat(log.lines())
          .containsExactly(
              "WARN the webhook's certificates could not be read or written: no route to the API"
                  + " server");
      assertThat(keys.reasonsNotReady())
          .singleElement()
          .asString()
          .endsWith("could not be read or written: no route to the API server");
    }
  }

  /** An error in a library must not end the looking. */
  @Test
  void anErrorDoesNotEndTheLoop() {
    try (CertificateLoop loop =
        loop(
            () -> {
              throw new LinkageError("a test");
            },
            NEVER,
            OFTEN)) {
      loop.start();
      await().until(() -> looks.get() > 3);
    }
  }

  @Test
  void changesDuringALookCauseOneMore() {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    try (CertificateLoop loop =
        loop(
            () -> {
              await().until(() -> mayGoOn.getCount() == 0);
              return true;
            },
            NEVER,
            NEVER)) {
      loop.start();
      await().until(() -> looks.get() == 1);
      for (int i = 0; i < 100; i++) {
        loop.lookNow();
      }
      mayGoOn.countDown();
      await().until(() -> looks.get() == 2);
      await().during(Duration.ofMillis(200)).until(() -> looks.get() == 2);
    }
  }

  @Test
  void afterTheEndNothingHappens() {
    CertificateLoop loop = loop(() -> true, OFTEN, OFTEN);
    loop.close();
    loop.lookNow();
    await().during(Duration.ofMillis(100)).until(() -> looks.get() == 0);
  }

  private CertificateLoop loop(CertificateSource source, Duration usually, Duration soon) {
    return new CertificateLoop(
        () -> {
          looks.incrementAndGet();
          return source.look();
        },
        keys,
        usually,
        soon);
  }
}
