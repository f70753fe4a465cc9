package io.numaspark.controller.certificate;

import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * All that a webhook with its own authority needs.
 *
 * @param authority signs now; its certificate is the first of the bundle
 * @param bundle whom API servers shall trust
 */
record Certificates(Authority authority, ServingKey serving, List<X509Certificate> bundle) {
  Certificates {
    bundle = List.copyOf(bundle);
  }

  /** The caBundle of a webhook, in base64. */
  String caBundle() {
    return encoded(Pem.text(bundle));
  }

  /** The data of the Secret. */
  Map<String, String> data() {
    return Map.of(
        SecretData.SERVING_CERTIFICATE, encoded(Pem.text(serving.chain())),
        SecretData.SERVING_KEY, encoded(Pem.text(serving.key())),
        SecretData.BUNDLE, caBundle(),
        SecretData.AUTHORITY_KEY, encoded(Pem.text(authority.key())));
  }

  private static String encoded(byte[] text) {
    return Base64.getEncoder().encodeToString(text);
  }
}
