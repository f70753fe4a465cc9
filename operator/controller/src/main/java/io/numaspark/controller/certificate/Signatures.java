package io.numaspark.controller.certificate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * What is signed by what.
 *
 * <p>Limit: RSA and elliptic curves, which all API servers accept.
 */
final class Signatures {
  private static final byte[] SAMPLE = "numaspark".getBytes(StandardCharsets.US_ASCII);

  private Signatures() {}

  /** How a key signs; empty if it is of another kind. */
  static Optional<String> algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> Optional.of("SHA256withECDSA");
      case "RSA" -> Optional.of("SHA256withRSA");
      default -> Optional.empty();
    };
  }

  /** Whether both are halves of one pair. */
  static boolean fit(PrivateKey key, PublicKey publicKey) {
    Optional<String> algorithm = algorithm(key);
    if (algorithm.isEmpty()) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance(algorithm.get());
      signature.initSign(key);
      signature.update(SAMPLE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Whether the authority has signed the certificate. */
  static boolean signedBy(X509Certificate certificate, X509Certificate authority) {
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
