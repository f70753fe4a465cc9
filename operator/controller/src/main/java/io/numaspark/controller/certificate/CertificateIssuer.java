package io.numaspark.controller.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes keys on P-256 and certificates of them.
 *
 * <p>Limit: it takes the time that it is given, and judges nothing.
 */
final class CertificateIssuer {
  static final Duration AUTHORITY_LIFE = Duration.ofDays(365);
  static final Duration SERVING_LIFE = Duration.ofDays(90);

  /** Certificates begin in the past, for API servers whose clock is behind. */
  static final Duration BACKDATED = Duration.ofHours(1);

  private static final SecureRandom RANDOM = new SecureRandom();

  private CertificateIssuer() {}

  /** A new authority, which has signed itself. */
  static Authority authority(Instant now) {
    try {
      KeyPair pair = pair();
      BigInteger serial = serial();
      // A name of its own, so that nobody takes one authority of a bundle for another.
      X500Principal name = new X500Principal("CN=numaspark webhook CA " + serial.toString(16));
      X509v3CertificateBuilder certificate =
          new JcaX509v3CertificateBuilder(
                  name,
                  serial,
                  Date.from(now.minus(BACKDATED)),
                  Date.from(now.plus(AUTHORITY_LIFE)),
                  name,
                  pair.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      return new Authority(pair.getPrivate(), signed(certificate, pair.getPrivate()));
    } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("the Java runtime cannot make an authority", e);
    }
  }

  /**
   * A new key, and its certificate for a name of the DNS. It does not outlive the authority.
   *
   * @param dnsName in the subject's alternative names only, as a common name may be too short
   */
  static ServingKey serving(Authority authority, String dnsName, Instant now) {
    try {
      KeyPair pair = pair();
      Instant until = now.plus(SERVING_LIFE);
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      X509v3CertificateBuilder certificate =
          new JcaX509v3CertificateBuilder(
                  authority.certificate().getSubjectX500Principal(),
                  serial(),
                  Date.from(now.minus(BACKDATED)),
                  Date.from(until.isBefore(authority.expiry()) ? until : authority.expiry()),
                  new X500Principal("CN=numaspark webhook"),
                  pair.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(
                  Extension.extendedKeyUsage,
                  false,
                  new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
              .addExtension(
                  Extension.subjectAlternativeName,
                  false,
                  new GeneralNames(new GeneralName(GeneralName.dNSName, dnsName)))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  identifiers.createSubjectKeyIdentifier(pair.getPublic()))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  identifiers.createAuthorityKeyIdentifier(authority.certificate()));
      return new ServingKey(pair.getPrivate(), List.of(signed(certificate, authority.key())));
    } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("the Java runtime cannot make a certificate", e);
    }
  }

  private static X509Certificate signed(X509v3CertificateBuilder certificate, PrivateKey key)
      throws OperatorCreationException, GeneralSecurityException {
    String algorithm =
        Signatures.algorithm(key)
            .orElseThrow(() -> new GeneralSecurityException("an authority of another kind"));
    return new JcaX509CertificateConverter()
        .getCertificate(certificate.build(new JcaContentSignerBuilder(algorithm).build(key)));
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
    return generator.generateKeyPair();
  }

  private static BigInteger serial() {
    return new BigInteger(127, RANDOM).add(BigInteger.ONE);
  }
}
