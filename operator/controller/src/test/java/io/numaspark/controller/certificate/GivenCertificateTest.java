package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NAME;
import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.fixture.LoggedLines;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GivenCertificateTest {
  private static final String SECRET = "Secret numaspark-system/numaspark-webhook";

  private final MemoryCluster cluster = new MemoryCluster();
  private final FakeClock clock = new FakeClock(NOW);
  private final ServingKeys keys = new ServingKeys(clock);
  private final LoggedLines log = new LoggedLines();
  private final GivenCertificate given = new GivenCertificate(cluster, NAME, keys, clock);

  @AfterEach
  void close() {
    log.close();
  }

  /** As cert-manager writes it. */
  private static Map<String, String> tls(Certificates certificates) {
    Map<String, String> data = new HashMap<>(certificates.data());
    data.remove(SecretData.AUTHORITY_KEY);
    return data;
  }

  @Test
  void whatIsGivenIsServedAndNothingIsWritten() {
    Certificates first = TestCertificates.fresh(NOW);
    cluster.put(tls(first));
    assertThat(given.look()).isTrue();
    assertThat(keys.expiry()).contains(first.serving().expiry());
    clock.advance(Duration.ofDays(70));
    assertThat(given.look()).isTrue();
    cluster.put(tls(TestCertificates.fresh(clock.instant())));
    assertThat(given.look()).isTrue();
    assertThat(keys.expiry()).contains(NOW.plus(Duration.ofDays(160)));
    assertThat(cluster.writes).isZero();
  }

  @Test
  void aSecretThatDoesNotExistIsAReasonNotToBeReady() {
    for (int i = 0; i < 3; i++) {
      assertThat(given.look()).isFalse();
    }
    String why = SECRET + " cannot be used: it does not exist; create it";
    assertThat(keys.reasonsNotReady()).containsExactly("the webhook has no certificate: " + why);
    assertThat(log.lines()).containsExactly("WARN " + why);
  }

  @Test
  void aCertificateForAnotherServiceIsNotServed() {
    Authority authority = CertificateIssuer.authority(NOW);
    ServingKey other = CertificateIssuer.serving(authority, "a.b.svc", NOW);
    cluster.put(tls(new Certificates(authority, other, List.of(authority.certificate()))));
    assertThat(given.look()).isFalse();
    assertThat(keys.reasonsNotReady())
        .containsExactly(
            "the webhook has no certificate: "
                + SECRET
                + " cannot be used: tls.crt is for [a.b.svc] and not for "
                + NAME);
  }

  @Test
  void theLastGoodOneIsServedWhileTheSecretIsBroken() {
    cluster.put(tls(TestCertificates.fresh(NOW)));
    given.look();
    cluster.put(Map.of());
    assertThat(given.look()).isFalse();
    assertThat(keys.reasonsNotReady()).isEmpty();
    clock.advance(Duration.ofDays(91));
    assertThat(keys.reasonsNotReady())
        .containsExactly(
            "the webhook's certificate has expired at 2027-02-24T12:00:00Z: "
                + SECRET
                + " cannot be used: the Secret has no tls.crt");
  }
}
