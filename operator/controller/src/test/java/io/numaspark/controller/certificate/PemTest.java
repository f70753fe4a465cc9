package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NAME;
import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {
  private final Authority authority = CertificateIssuer.authority(NOW);
  private final ServingKey serving = CertificateIssuer.serving(authority, NAME, NOW);

  @Test
  void whatIsWrittenIsRead() throws Exception {
    List<X509Certificate> chain = List.of(serving.certificate(), authority.certificate());
    assertThat(Pem.certificates("a", Pem.text(chain))).isEqualTo(chain);
    assertThat(Pem.privateKey("a", Pem.text(serving.key()))).isEqualTo(serving.key());
  }

  /** As openssl and cert-manager write them by default. */
  @ParameterizedTest
  @CsvSource({"EC, BEGIN EC PRIVATE KEY", "RSA, BEGIN RSA PRIVATE KEY"})
  void theOlderFormsOfKeysAreRead(String kind, String begin) throws Exception {
    PrivateKey key = kind.equals("EC") ? serving.key() : TestCertificates.rsaKey();
    byte[] text = key instanceof ECPrivateKey curve ? text(sec1(curve)) : text(key);
    assertThat(new String(text, StandardCharsets.US_ASCII)).contains(begin);
    PrivateKey read = Pem.privateKey("a", text);
    assertThat(read.getAlgorithm()).isEqualTo(kind);
    if (key instanceof ECPrivateKey curve) {
      assertThat(((ECPrivateKey) read).getS()).isEqualTo(curve.getS());
      assertThat(Signatures.fit(read, serving.certificate().getPublicKey())).isTrue();
    } else {
      assertThat(read).isEqualTo(key);
    }
  }

  @Test
  void whatIsAroundAKeyDoesNotMatter() throws Exception {
    // As "openssl ecparam -genkey" writes it.
    String parameters =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
    PrivateKey read =
        Pem.privateKey(
            "a", concat("a key\n" + parameters, text(sec1((ECPrivateKey) serving.key()))));
    assertThat(Signatures.fit(read, serving.certificate().getPublicKey())).isTrue();
  }

  @Test
  void anEncryptedKeyIsNamed() throws Exception {
    assertThatThrownBy(() -> Pem.privateKey("tls.key", text(encrypted(serving.key()))))
        .isInstanceOf(UnusableException.class)
        .hasMessage("tls.key is encrypted; store the key without a password");
  }

  @Test
  void aKeyThatNotAllAPIServersTakeIsNamed() throws Exception {
    byte[] text = Pem.text(KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate());
    assertThatThrownBy(() -> Pem.privateKey("tls.key", text))
        .hasMessage("tls.key is a key of kind 1.3.101.112; use RSA or an elliptic curve");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no PEM",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\nno base64!\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n",
        "-----BEGIN EC PRIVATE KEY-----\nMAMCAQE=\n-----END EC PRIVATE KEY-----\n",
        "\u0000\u00ff\u0000"
      })
  void garbageIsAReason(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> Pem.certificates("tls.crt", bytes))
        .isInstanceOf(UnusableException.class)
        .hasMessageStartingWith("tls.crt ");
    assertThatThrownBy(() -> Pem.privateKey("tls.key", bytes))
        .isInstanceOf(UnusableException.class)
        .hasMessageStartingWith("tls.key ");
  }

  /** A key of which a part was lost; no message quotes what is left. */
  @Test
  void noMessageHasPartsOfAKey() {
    byte[] whole = Pem.text(serving.key());
    String body = new String(whole, StandardCharsets.US_ASCII).lines().toList().get(1);
    for (int length = 30; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      try {
        Pem.privateKey("tls.key", part);
      } catch (UnusableException e) {
        assertThat(e.getMessage()).doesNotContain(body.substring(20, 28));
        assertThat(e).hasNoCause();
      }
    }
  }

  @Test
  void textsAreBounded() {
    byte[] large = new byte[Pem.MOST_BYTES + 1];
    assertThatThrownBy(() -> Pem.certificates("ca.crt", large))
        .hasMessage("ca.crt has more than 65536 bytes");
    assertThatThrownBy(() -> Pem.privateKey("ca.key", large))
        .hasMessage("ca.key has more than 65536 bytes");
    byte[] many = Pem.text(Collections.nCopies(Pem.MOST_CERTIFICATES + 1, authority.certificate()));
    assertThatThrownBy(() -> Pem.certificates("ca.crt", many))
        .hasMessage("ca.crt has more than 16 certificates");
  }

  private static byte[] text(Object object) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static PemObject sec1(ECPrivateKey key) throws IOException {
    return new PemObject(
        "EC PRIVATE KEY",
        new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), SECObjectIdentifiers.secp256r1)
            .getEncoded());
  }

  private static PemObject encrypted(PrivateKey key) throws GeneralSecurityException, IOException {
    String algorithm = "PBEWithSHA1AndDESede";
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec("a".toCharArray())),
        new PBEParameterSpec(new byte[8], 100));
    AlgorithmParameters parameters = cipher.getParameters();
    return new PemObject(
        "ENCRYPTED PRIVATE KEY",
        new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key.getEncoded())).getEncoded());
  }

  private static byte[] concat(String text, byte[] bytes) {
    return (text + new String(bytes, StandardCharsets.US_ASCII))
        .getBytes(StandardCharsets.US_ASCII);
  }
}
