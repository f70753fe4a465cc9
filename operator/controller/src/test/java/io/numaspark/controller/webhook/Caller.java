package io.numaspark.controller.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Calls the webhook as an API server does: trusts a caBundle, and verifies the name.
 *
 * @param tls of its own, so that no session is resumed
 */
record Caller(SSLContext tls, HttpClient http, int port) {

  /** One that trusts a bundle in base64. */
  static Caller trusting(String caBundle, int port) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    byte[] pem = Base64.getDecoder().decode(caBundle);
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem))) {
      store.setCertificateEntry("ca-" + store.size(), certificate);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    HttpClient http =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    return new Caller(tls, http, port);
  }

  HttpResponse<String> send(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .method(method, body)
            .build(),
        BodyHandlers.ofString());
  }

  HttpResponse<String> review(String text) throws IOException, InterruptedException {
    return send("POST", "/mutate?timeout=2s", HttpRequest.BodyPublishers.ofString(text));
  }
}
