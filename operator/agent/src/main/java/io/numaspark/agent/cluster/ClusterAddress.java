package io.numaspark.agent.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Where the API server is, and how one proves who one is.
 *
 * @param api such as https://10.96.0.1:443
 * @param credentials folder with the files token and ca.crt, as the kubelet mounts it for a service
 *     account
 */
public record ClusterAddress(URI api, Path credentials) {

  /** The file with the token. */
  public Path token() {
    return credentials.resolve("token");
  }

  /** The file with the certificates that sign the cluster's. */
  public Path certificateAuthority() {
    return credentials.resolve("ca.crt");
  }

  ApiServer server() throws IOException {
    return new ApiServer(api, token(), tls().getSocketFactory());
  }

  /**
   * TLS that trusts the cluster's certificate authority alone.
   *
   * @throws IOException if ca.crt is missing or no certificate
   */
  private SSLContext tls() throws IOException {
    try (InputStream in = Files.newInputStream(certificateAuthority())) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate ca : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("ca" + number++, ca);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          certificateAuthority() + " is no certificate authority: " + e.getMessage(), e);
    }
  }
}
