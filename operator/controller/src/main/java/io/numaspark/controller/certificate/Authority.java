package io.numaspark.controller.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * The certificate authority that signs serving certificates now.
 *
 * @param key never logged
 */
record Authority(PrivateKey key, X509Certificate certificate) {

  Instant expiry() {
    return certificate.getNotAfter().toInstant();
  }

  @Override
  public String toString() {
    return "authority %s until %s".formatted(certificate.getSerialNumber().toString(16), expiry());
  }
}
