package io.numaspark.agent.kubelet;

import io.numaspark.agent.kubelet.KubeletException.Reason;
import io.numaspark.agent.tls.PemFile;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** How the kubelet's serving certificate is judged. */
public sealed interface KubeletTrust {

  /** Makes the connection judge so. */
  void configure(HttpsURLConnection connection) throws IOException, GeneralSecurityException;

  /**
   * The certificate must be signed by an authority of this file and name the host that is asked.
   *
   * @param file certificates in PEM form; read anew for every question
   */
  record Authorities(Path file) implements KubeletTrust {
    @Override
    public void configure(HttpsURLConnection connection) throws IOException {
      try {
        connection.setSSLSocketFactory(PemFile.authorities(file).getSocketFactory());
      } catch (IOException e) {
        throw new KubeletException(Reason.Untrusted, e.getMessage(), e);
      }
    }
  }

  /**
   * Any certificate will do, as with metrics-server's {@code --kubelet-insecure-tls}: for kubelets
   * whose certificate is self-signed. Whoever can take over the kubelet's address then gets the
   * agent's token.
   */
  record Anyone() implements KubeletTrust {
    @Override
    public void configure(HttpsURLConnection connection) throws GeneralSecurityException {
      TrustManager[] all = {new TrustEverything()};
      connection.setSSLSocketFactory(PemFile.context(all).getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
    }

    /** The extended class, because the JDK adds a check of the host name to any other. */
    private static final class TrustEverything extends X509ExtendedTrustManager {
      private TrustEverything() {}

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String type) {}

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

      @Override
      public void checkClientTrusted(X509Certificate[] chain, String type) {}

      @Override
      public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

      @Override
      public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

      @Override
      public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
      }
    }
  }
}
