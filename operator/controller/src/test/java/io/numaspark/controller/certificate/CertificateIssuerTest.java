package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NAME;
import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static io.numaspark.controller.certificate.TestCertificates.trusts;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateIssuerTest {
  private final Authority authority = CertificateIssuer.authority(NOW);

  @Test
  void anAuthorityLivesAYearAndSignsServersOnly() {
    X509Certificate certificate = authority.certificate();
    assertThat(authority.expiry()).isEqualTo(NOW.plus(Duration.ofDays(365)));
    assertThat(certificate.getNotBefore()).isEqualTo(NOW.minus(Duration.ofHours(1)));
    assertThat(certificate.getBasicConstraints()).as("authorities below it").isZero();
    assertThat(certificate.getKeyUsage()[5]).as("keyCertSign").isTrue();
    assertThat(Signatures.signedBy(certificate, certificate)).isTrue();
    assertThat(((ECPublicKey) certificate.getPublicKey()).getParams().getOrder().bitLength())
        .isEqualTo(256);
  }

  @Test
  void aServingCertificateLivesNinetyDaysAndIsForOneName() throws Exception {
    ServingKey serving = CertificateIssuer.serving(authority, NAME, NOW);
    assertThat(serving.expiry()).isEqualTo(NOW.plus(Duration.ofDays(90)));
    assertThat(DnsNames.of(serving.certificate())).containsExactly(NAME);
    assertThat(serving.certificate().getExtendedKeyUsage())
        .as("server authentication")
        .containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(serving.certificate().getBasicConstraints()).isEqualTo(-1);
    assertThat(Signatures.fit(serving.key(), serving.certificate().getPublicKey())).isTrue();
    assertThat(trusts(List.of(authority.certificate()), serving, NOW)).isTrue();
    assertThat(trusts(List.of(CertificateIssuer.authority(NOW).certificate()), serving, NOW))
        .isFalse();
  }

  @Test
  void itDoesNotOutliveItsAuthority() {
    ServingKey late =
        CertificateIssuer.serving(authority, NAME, authority.expiry().minus(Duration.ofDays(3)));
    assertThat(late.expiry()).isEqualTo(authority.expiry());
  }

  @Test
  void aNameMayBeAsLongAsServicesAndNamespacesAre() {
    String longest = "s".repeat(63) + "." + "n".repeat(63) + ".svc";
    ServingKey serving = CertificateIssuer.serving(authority, longest, NOW);
    assertThat(DnsNames.match(serving.certificate(), longest)).isTrue();
    assertThat(trusts(List.of(authority.certificate()), serving, NOW)).isTrue();
  }

  @Test
  void noKeyIsInWhatIsPrinted() {
    ServingKey serving = CertificateIssuer.serving(authority, NAME, NOW);
    assertThat(serving.toString()).matches("certificate [0-9a-f]+ until 2027-02-24T12:00:00Z");
    assertThat(authority.toString()).matches("authority [0-9a-f]+ until 2027-11-26T12:00:00Z");
  }
}
