package io.numaspark.controller.certificate;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Certificates and keys as PEM; keys in the forms of PKCS #8, PKCS #1 and SEC 1, since cert-manager
 * and openssl write all three.
 *
 * <p>Limit: a text of more than 64 KiB or 16 certificates is refused.
 */
final class Pem {
  static final int MOST_BYTES = 64 << 10;
  static final int MOST_CERTIFICATES = 16;

  private static final Map<ASN1ObjectIdentifier, String> KINDS =
      Map.of(PKCSObjectIdentifiers.rsaEncryption, "RSA", X9ObjectIdentifiers.id_ecPublicKey, "EC");

  private Pem() {}

  /**
   * All certificates of a text, which has one at least.
   *
   * @param name of the text, for messages
   */
  static List<X509Certificate> certificates(String name, byte[] text) throws UnusableException {
    List<X509Certificate> certificates = new ArrayList<>();
    JcaX509CertificateConverter converter = new JcaX509CertificateConverter();
    try (PEMParser parser = parser(name, text)) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof X509CertificateHolder holder) {
          certificates.add(converter.getCertificate(holder));
        }
        if (certificates.size() > MOST_CERTIFICATES) {
          throw new UnusableException(
              name + " has more than " + MOST_CERTIFICATES + " certificates");
        }
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new UnusableException(name + " is not PEM of certificates");
    }
    if (certificates.isEmpty()) {
      throw new UnusableException(name + " has no certificate");
    }
    return certificates;
  }

  /** The first private key of a text. */
  static PrivateKey privateKey(String name, byte[] text) throws UnusableException {
    try (PEMParser parser = parser(name, text)) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof PEMEncryptedKeyPair || part instanceof PKCS8EncryptedPrivateKeyInfo) {
          throw new UnusableException(name + " is encrypted; store the key without a password");
        }
        if (part instanceof PEMKeyPair pair) {
          return key(name, pair.getPrivateKeyInfo());
        }
        if (part instanceof PrivateKeyInfo info) {
          return key(name, info);
        }
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // Without the cause, whose message may quote the key.
      throw new UnusableException(name + " is not PEM of a private key");
    }
    throw new UnusableException(name + " has no private key");
  }

  private static PrivateKey key(String name, PrivateKeyInfo info)
      throws IOException, GeneralSecurityException, UnusableException {
    ASN1ObjectIdentifier kind = info.getPrivateKeyAlgorithm().getAlgorithm();
    if (!KINDS.containsKey(kind)) {
      throw new UnusableException(
          "%s is a key of kind %s; use RSA or an elliptic curve".formatted(name, kind));
    }
    return KeyFactory.getInstance(KINDS.get(kind))
        .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
  }

  private static PEMParser parser(String name, byte[] text) throws UnusableException {
    if (text.length > MOST_BYTES) {
      throw new UnusableException(name + " has more than " + MOST_BYTES + " bytes");
    }
    return new PEMParser(new StringReader(new String(text, StandardCharsets.ISO_8859_1)));
  }

  static byte[] text(List<X509Certificate> certificates) {
    try {
      List<PemObject> objects = new ArrayList<>();
      for (X509Certificate certificate : certificates) {
        objects.add(new PemObject("CERTIFICATE", certificate.getEncoded()));
      }
      return text(objects.toArray(PemObject[]::new));
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("a certificate cannot be encoded", e);
    }
  }

  static byte[] text(PrivateKey key) {
    return text(new PemObject("PRIVATE KEY", key.getEncoded()));
  }

  private static byte[] text(PemObject... objects) {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      for (PemObject object : objects) {
        writer.writeObject(object);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
