package io.numaspark.controller.certificate;

import io.fabric8.kubernetes.api.model.Secret;
import io.numaspark.controller.certificate.Part.Unusable;
import io.numaspark.controller.certificate.Part.Usable;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the Secret of a webhook has, part by part, as far as it can be read at any time.
 *
 * <p>Limit: whether it is valid now, and for whom, is for {@link CertificatePolicy} to say.
 *
 * @param authority of ca.key and the first certificate of ca.crt
 * @param serving of tls.key and tls.crt
 * @param bundle certificates of ca.crt; empty if it cannot be read
 */
record SecretData(
    Part<Authority> authority, Part<ServingKey> serving, List<X509Certificate> bundle) {
  static final String SERVING_CERTIFICATE = "tls.crt";
  static final String SERVING_KEY = "tls.key";
  static final String BUNDLE = "ca.crt";
  static final String AUTHORITY_KEY = "ca.key";

  /** Base64 of the longest text. */
  private static final int MOST_ENCODED = (Pem.MOST_BYTES / 3 + 1) * 4;

  SecretData {
    bundle = List.copyOf(bundle);
  }

  /** What is known of a Secret that does not exist. */
  static SecretData absent() {
    String why = "the Secret does not exist";
    return new SecretData(new Unusable<>(why), new Unusable<>(why), List.of());
  }

  static SecretData of(Secret secret) {
    Map<String, String> data = Objects.requireNonNullElse(secret.getData(), Map.of());
    return new SecretData(authority(data), serving(data), bundle(data));
  }

  private static Part<Authority> authority(Map<String, String> data) {
    try {
      X509Certificate certificate = certificates(data, BUNDLE).get(0);
      PrivateKey key = Pem.privateKey(AUTHORITY_KEY, decoded(data, AUTHORITY_KEY));
      if (certificate.getBasicConstraints() < 0) {
        throw new UnusableException("the first certificate of " + BUNDLE + " is not an authority");
      }
      if (!Signatures.fit(key, certificate.getPublicKey())) {
        throw new UnusableException(
            AUTHORITY_KEY + " does not fit the first certificate of " + BUNDLE);
      }
      return new Usable<>(new Authority(key, certificate));
    } catch (UnusableException e) {
      return new Unusable<>(e.getMessage());
    }
  }

  private static Part<ServingKey> serving(Map<String, String> data) {
    try {
      List<X509Certificate> chain = certificates(data, SERVING_CERTIFICATE);
      PrivateKey key = Pem.privateKey(SERVING_KEY, decoded(data, SERVING_KEY));
      if (!Signatures.fit(key, chain.get(0).getPublicKey())) {
        throw new UnusableException(
            SERVING_KEY + " does not fit the first certificate of " + SERVING_CERTIFICATE);
      }
      return new Usable<>(new ServingKey(key, chain));
    } catch (UnusableException e) {
      return new Unusable<>(e.getMessage());
    }
  }

  private static List<X509Certificate> bundle(Map<String, String> data) {
    try {
      return certificates(data, BUNDLE);
    } catch (UnusableException e) {
      return List.of();
    }
  }

  private static List<X509Certificate> certificates(Map<String, String> data, String key)
      throws UnusableException {
    return Pem.certificates(key, decoded(data, key));
  }

  private static byte[] decoded(Map<String, String> data, String key) throws UnusableException {
    String encoded = data.get(key);
    if (encoded == null || encoded.isEmpty()) {
      throw new UnusableException("the Secret has no " + key);
    }
    if (encoded.length() > MOST_ENCODED) {
      throw new UnusableException(key + " has more than " + Pem.MOST_BYTES + " bytes");
    }
    try {
      return Base64.getDecoder().decode(encoded);
    } catch (IllegalArgumentException e) {
      throw new UnusableException(key + " is not base64");
    }
  }
}
