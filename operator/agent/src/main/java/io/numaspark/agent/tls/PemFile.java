package io.numaspark.agent.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS that trusts the certificate authorities of one file and nobody else. */
public final class PemFile {
  /** A cluster has a few authorities, each of some KiB. */
  private static final int MAX_BYTES = 256 * 1024;

  private PemFile() {}

  /**
   * Reads the file.
   *
   * @param file certificates in PEM form
   * @throws IOException naming the file, if it cannot be read or has no certificate
   */
  public static SSLContext authorities(Path file) throws IOException {
    try (InputStream pem = Files.newInputStream(file)) {
      KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
      authorities.load(null, null);
      int number = 0;
      byte[] text = pem.readNBytes(MAX_BYTES + 1);
      if (text.length > MAX_BYTES) {
        throw new CertificateException("it has more than " + MAX_BYTES + " bytes");
      }
      for (Certificate one :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text))) {
        authorities.setCertificateEntry("authority-" + number++, one);
      }
      if (number == 0) {
        throw new CertificateException("it is empty");
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(authorities);
      return context(factory.getTrustManagers());
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " has no certificates in PEM form: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException("the authorities' file " + file + " cannot be read: mount it there", e);
    }
  }

  /** TLS that asks these. */
  public static SSLContext context(TrustManager[] managers) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers, null);
    return context;
  }
}
