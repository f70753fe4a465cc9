package io.numaspark.controller.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * What a server shows in a TLS handshake, and proves with its key.
 *
 * <p>Limit: it may be expired or not be trusted by anybody; {@link CertificatePolicy} judges that.
 *
 * @param key never logged
 * @param chain the server's own certificate first; never empty
 */
record ServingKey(PrivateKey key, List<X509Certificate> chain) {
  ServingKey {
    chain = List.copyOf(chain);
  }

  X509Certificate certificate() {
    return chain.get(0);
  }

  Instant expiry() {
    return certificate().getNotAfter().toInstant();
  }

  @Override
  public String toString() {
    return "certificate %s until %s"
        .formatted(certificate().getSerialNumber().toString(16), expiry());
  }
}
