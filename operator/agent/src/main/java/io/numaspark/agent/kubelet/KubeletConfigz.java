package io.numaspark.agent.kubelet;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.numaspark.agent.answer.Exchange;
import io.numaspark.agent.answer.Json;
import io.numaspark.agent.kubelet.KubeletException.Reason;
import io.numaspark.agent.tls.TokenFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;

/**
 * Reads the configuration that the kubelet runs with: file, drop-ins and flags merged.
 *
 * <p>Limit: one question at a time over a connection that is not kept. HttpsURLConnection, because
 * java.net.http brings a thread pool and several MiB.
 *
 * @param host address of the node, as in the kubelet's certificate; IPv6 without brackets
 * @param port the kubelet's port, by default {@value #DEFAULT_PORT}
 * @param tokenFile file of the bearer token, read anew for every question because it is rotated
 * @param trust how the kubelet's certificate is judged
 * @param timeout longest time to connect and, again, between two packets of the answer; three times
 *     as long for all of it
 */
public record KubeletConfigz(
    String host, int port, Path tokenFile, KubeletTrust trust, Duration timeout) {
  /** The kubelet's port unless it is configured otherwise (KubeletConfiguration.port). */
  public static final int DEFAULT_PORT = 10250;

  /** Real answers have less than 10 KiB. */
  private static final int MAX_BYTES = 256 * 1024;

  /** The whole exchange may take so many timeouts: to connect, to agree on TLS, to answer. */
  private static final int TIMEOUTS = 3;

  /** The fields of the KubeletConfiguration, without its envelope {@code kubeletconfig}. */
  public Map<String, Object> read() throws KubeletException {
    String token = token();
    HttpsURLConnection connection = null;
    try {
      connection = (HttpsURLConnection) uri().toURL().openConnection(Proxy.NO_PROXY);
      trust.configure(connection);
      connection.setConnectTimeout((int) timeout.toMillis());
      connection.setReadTimeout((int) timeout.toMillis());
      connection.setInstanceFollowRedirects(false); // the token is for the kubelet alone
      connection.setUseCaches(false);
      connection.setRequestProperty("Connection", "close"); // else a thread waits to reuse it
      connection.setRequestProperty("Authorization", "Bearer " + token);
      try (Exchange exchange = new Exchange(connection, timeout.multipliedBy(TIMEOUTS))) {
        int status = exchange.status();
        if (status != HttpURLConnection.HTTP_OK) {
          throw refused(status);
        }
        try (InputStream body = connection.getInputStream()) {
          return configuration(exchange.read(body, MAX_BYTES));
        }
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw explained(e);
    } finally {
      if (connection != null) {
        connection.disconnect();
      }
    }
  }

  private URI uri() throws IOException {
    try {
      return new URI("https", null, host, port, "/configz", null, null);
    } catch (URISyntaxException e) {
      throw new KubeletException(
          Reason.NotFound, "'" + host + "' is not a host: give the address of the agent's node", e);
    }
  }

  private String token() throws KubeletException {
    try {
      return TokenFile.read(tokenFile);
    } catch (IOException e) {
      throw new KubeletException(Reason.NotFound, e.getMessage(), e);
    }
  }

  @SuppressWarnings("unchecked") // JSON has no other keys
  private static Map<String, Object> configuration(byte[] body) throws IOException {
    Object answer = Json.readAny(body);
    if (answer instanceof Map<?, ?> fields
        && fields.get("kubeletconfig") instanceof Map<?, ?> configuration) {
      return (Map<String, Object>) configuration;
    }
    throw new KubeletException(
        Reason.BadAnswer,
        "the kubelet's /configz answers no object kubeletconfig; is it a kubelet?");
  }

  private KubeletException refused(int status) {
    return switch (status) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          new KubeletException(
              Reason.Forbidden,
              at()
                  + "HTTP 401, the kubelet does not accept the agent's token: let the kubelet run"
                  + " with authentication.webhook.enabled");
      case HttpURLConnection.HTTP_FORBIDDEN ->
          new KubeletException(
              Reason.Forbidden,
              at()
                  + "HTTP 403: the agent's ClusterRole needs the verb get on nodes/configz;"
                  + " kubelets before Kubernetes 1.33 ask for nodes/proxy instead");
      case HttpURLConnection.HTTP_NOT_FOUND ->
          new KubeletException(
              Reason.NotFound,
              at()
                  + "HTTP 404: the kubelet serves it only with enableDebuggingHandlers: true, its default");
      default ->
          new KubeletException(Reason.BadAnswer, at() + "HTTP " + status + "; asked again later");
    };
  }

  private KubeletException explained(Exception e) {
    if (e instanceof KubeletException known) {
      return known;
    }
    String why = at() + e.getMessage();
    if (e instanceof Exchange.TooLargeException) {
      return new KubeletException(Reason.BadAnswer, why + "; is it a kubelet?", e);
    }
    if (e instanceof JsonProcessingException) {
      return new KubeletException(
          Reason.BadAnswer, at() + "the answer is not a JSON; is it a kubelet?");
    }
    if (e instanceof SocketTimeoutException) {
      return new KubeletException(
          Reason.TimedOut, why + " (" + timeout.toMillis() + " ms); asked again later", e);
    }
    if (e instanceof SSLException || e instanceof GeneralSecurityException) {
      return new KubeletException(
          Reason.Untrusted,
          why
              + "; give the authority that signed the kubelet's certificate (serverTLSBootstrap: true"
              + " lets the cluster sign it), or allow any certificate",
          e);
    }
    return new KubeletException(
        Reason.Unreachable, why + "; the kubelet restarts or is down, asked again later", e);
  }

  private String at() {
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/configz: ";
  }
}
