package io.numaspark.controller.certificate;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Certificates of tests, and clients that trust them or not. */
final class TestCertificates {
  static final String NAME = "numaspark-webhook.numaspark-system.svc";
  static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private TestCertificates() {}

  /** What a replica makes that finds nothing. */
  static Certificates fresh(Instant now) {
    CertificatePolicy policy = new CertificatePolicy(NAME);
    return policy.carryOut(new Decision.StartOver("a test"), SecretData.absent(), now);
  }

  static Secret secret(Map<String, String> data) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName("numaspark-webhook")
        .withNamespace("numaspark-system")
        .endMetadata()
        .withData(data)
        .build();
  }

  static SecretData data(Certificates certificates) {
    return SecretData.of(secret(certificates.data()));
  }

  static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static PrivateKey rsaKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair().getPrivate();
  }

  /** Whether a client with the bundle takes the certificate, by the JDK's own PKIX. */
  static boolean trusts(List<X509Certificate> bundle, ServingKey serving, Instant now) {
    try {
      Set<TrustAnchor> anchors =
          bundle.stream().map(one -> new TrustAnchor(one, null)).collect(Collectors.toSet());
      PKIXParameters parameters = new PKIXParameters(anchors);
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509")
                  .generateCertPath(new ArrayList<>(serving.chain())),
              parameters);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
