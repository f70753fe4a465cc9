package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NAME;
import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static io.numaspark.controller.certificate.TestCertificates.data;
import static io.numaspark.controller.certificate.TestCertificates.fresh;
import static io.numaspark.controller.certificate.TestCertificates.trusts;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.certificate.Decision.Keep;
import io.numaspark.controller.certificate.Decision.RenewAuthority;
import io.numaspark.controller.certificate.Decision.RenewServing;
import io.numaspark.controller.certificate.Decision.StartOver;
import io.numaspark.controller.certificate.Part.Unusable;
import io.numaspark.controller.certificate.Part.Usable;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificatePolicyTest {
  private static final Certificates FRESH = fresh(NOW);

  private final CertificatePolicy policy = new CertificatePolicy(NAME);

  /** Of certificates that were made on day 0; the authority's life is 365 days and an hour. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0     | Keep
          59.9  | Keep
          60    | RenewServing
          89    | RenewServing
          90    | RenewServing
          243   | RenewServing
          365.1 | StartOver
          -0.03 | Keep
          -0.1  | StartOver
          """)
  void twoThirdsOfALife(double day, String decision) {
    assertThat(policy.decide(data(FRESH), day(day)).getClass().getSimpleName()).isEqualTo(decision);
  }

  /** The same, with a serving certificate that was made the day before. */
  @ParameterizedTest
  @CsvSource({
    "243, Keep",
    "243.5, RenewAuthority",
    "300, RenewAuthority",
    "364.9999, RenewAuthority"
  })
  void twoThirdsOfAnAuthoritysLife(double day, String decision) {
    ServingKey serving = CertificateIssuer.serving(FRESH.authority(), NAME, day(day - 1));
    SecretData data =
        new SecretData(new Usable<>(FRESH.authority()), new Usable<>(serving), FRESH.bundle());
    Decision decided = policy.decide(data, day(day));
    assertThat(decided.getClass().getSimpleName()).isEqualTo(decision);
  }

  @Test
  void aNewAuthorityStandsBesideTheOldOneAndSignsNothingYet() {
    Instant due = day(250);
    ServingKey serving = CertificateIssuer.serving(FRESH.authority(), NAME, day(249));
    SecretData old =
        new SecretData(new Usable<>(FRESH.authority()), new Usable<>(serving), FRESH.bundle());
    Certificates renewed = policy.carryOut(policy.decide(old, due), old, due);
    assertThat(renewed.bundle())
        .containsExactly(renewed.authority().certificate(), FRESH.authority().certificate());
    assertThat(renewed.serving()).isEqualTo(serving);
    assertThat(policy.decide(data(renewed), due)).isEqualTo(new Keep());
  }

  @Test
  void aNewAuthoritySignsADayLaterOrIfNothingElseServes() {
    Authority next = CertificateIssuer.authority(day(0));
    ServingKey due = CertificateIssuer.serving(FRESH.authority(), NAME, day(-61));
    SecretData data =
        new SecretData(
            new Usable<>(next),
            new Usable<>(due),
            List.of(next.certificate(), FRESH.authority().certificate()));
    assertThat(policy.decide(data, day(0.9))).isEqualTo(new Keep());
    assertThat(policy.decide(data, day(1))).isInstanceOf(RenewServing.class);
    ServingKey ends = CertificateIssuer.serving(FRESH.authority(), NAME, day(-89.5));
    SecretData ending = new SecretData(data.authority(), new Usable<>(ends), data.bundle());
    assertThat(policy.decide(ending, day(0.1))).isInstanceOf(RenewServing.class);
  }

  @Test
  void aLostKeyOfTheAuthorityLeavesWhatServes() {
    SecretData data =
        new SecretData(
            new Unusable<>("ca.key is lost"), new Usable<>(FRESH.serving()), FRESH.bundle());
    Decision decision = policy.decide(data, NOW);
    assertThat(decision).isEqualTo(new RenewAuthority("ca.key is lost"));
    Certificates renewed = policy.carryOut(decision, data, NOW);
    assertThat(renewed.serving()).isEqualTo(FRESH.serving());
    assertThat(renewed.bundle()).hasSize(2).contains(FRESH.authority().certificate());
  }

  @Test
  void aServingCertificateThatNobodyTrustsIsRenewed() {
    Certificates other = fresh(NOW);
    SecretData data =
        new SecretData(
            new Usable<>(FRESH.authority()), new Usable<>(other.serving()), FRESH.bundle());
    assertThat(policy.decide(data, NOW))
        .isEqualTo(new RenewServing("tls.crt is not signed by a valid certificate of ca.crt"));
    assertThat(
            trusts(
                FRESH.bundle(),
                policy.carryOut(policy.decide(data, NOW), data, NOW).serving(),
                NOW))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "numaspark-webhook.numaspark-system.svc, true",
    "NUMASPARK-webhook.numaspark-system.svc, true",
    "*.numaspark-system.svc, true",
    "*.svc, false",
    "webhook.numaspark-system.svc, false",
    "numaspark-webhook.other.svc, false",
    "numaspark-webhook, false"
  })
  void aCertificateForAnotherServiceIsRenewed(String name, boolean isKept) {
    SecretData data =
        new SecretData(
            new Usable<>(FRESH.authority()),
            new Usable<>(CertificateIssuer.serving(FRESH.authority(), name, NOW)),
            FRESH.bundle());
    Decision decision = policy.decide(data, NOW);
    if (isKept) {
      assertThat(decision).isEqualTo(new Keep());
    } else {
      assertThat(decision)
          .isEqualTo(new RenewServing("tls.crt is for [" + name + "] and not for " + NAME));
    }
  }

  @Test
  void aSecretThatDoesNotExistIsMade() {
    Decision decision = policy.decide(SecretData.absent(), NOW);
    assertThat(decision).isEqualTo(new StartOver("the Secret does not exist"));
    assertThat(policy.decide(data(policy.carryOut(decision, SecretData.absent(), NOW)), NOW))
        .isEqualTo(new Keep());
  }

  @Test
  void aBundleIsBounded() {
    Instant now = NOW;
    SecretData data = SecretData.absent();
    for (int i = 0; i < 20; i++) {
      Certificates certificates =
          policy.carryOut(new RenewAuthority("a test"), withServing(data), now);
      data = data(certificates);
    }
    assertThat(data.bundle()).hasSize(8);
  }

  private static SecretData withServing(SecretData data) {
    return new SecretData(data.authority(), new Usable<>(FRESH.serving()), data.bundle());
  }

  /**
   * Three years, looked at every day. An API server that knows the bundle of the day before trusts
   * what is served, and nothing is renewed more often than two thirds of a life.
   */
  @Test
  void threeYearsWithAPIServersThatAreADayLate() {
    Certificates now = fresh(NOW);
    SecretData data = data(now);
    List<X509Certificate> late = now.bundle();
    int servings = 0;
    int authorities = 0;
    for (Instant time = NOW; time.isBefore(day(3 * 365)); time = time.plus(Duration.ofDays(1))) {
      List<X509Certificate> yesterday = now.bundle();
      for (Decision decision = policy.decide(data, time);
          !(decision instanceof Keep);
          decision = policy.decide(data, time)) {
        now = policy.carryOut(decision, data, time);
        data = data(now);
        servings += decision instanceof RenewServing ? 1 : 0;
        authorities += decision instanceof RenewAuthority ? 1 : 0;
        assertThat(decision).as("at %s", time).isNotInstanceOf(StartOver.class);
      }
      assertThat(trusts(late, now.serving(), time)).as("at %s", time).isTrue();
      assertThat(now.bundle()).hasSizeBetween(1, 2);
      late = yesterday;
    }
    assertThat(servings).isBetween(3 * 365 / 62, 3 * 365 / 60);
    assertThat(authorities).isEqualTo(4);
  }

  /** Nobody looked for long; what expires next is not renewed again and again. */
  @ParameterizedTest
  @ValueSource(doubles = {300, 364, 364.5, 364.95, 364.99, 364.9999})
  void whateverTheDayAFewRenewalsAreEnough(double day) {
    SecretData data =
        new SecretData(
            new Usable<>(FRESH.authority()),
            new Usable<>(CertificateIssuer.serving(FRESH.authority(), NAME, day(day - 80))),
            FRESH.bundle());
    int renewals = 0;
    for (Instant time = day(day); time.isBefore(day(day + 1.5)); time = time.plusSeconds(600)) {
      Decision decision = policy.decide(data, time);
      if (!(decision instanceof Keep)) {
        renewals++;
        data = data(policy.carryOut(decision, data, time));
      }
    }
    assertThat(renewals).isBetween(1, 3);
  }

  private static Instant day(double day) {
    return NOW.plusSeconds(Math.round(day * 86400));
  }
}
