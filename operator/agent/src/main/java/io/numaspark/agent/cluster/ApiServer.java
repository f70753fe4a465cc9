package io.numaspark.agent.cluster;

import io.numaspark.agent.answer.Exchange;
import io.numaspark.agent.answer.Json;
import io.numaspark.agent.tls.TokenFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * JSON requests to the API server with the token of a service account.
 *
 * <p>The fabric8 client, which the operator uses, would take twice the memory that the whole agent
 * may have. Limit: no PATCH, which {@link HttpURLConnection} does not know.
 */
final class ApiServer {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 30_000;

  /** For one whole exchange, whatever comes when. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** The API server itself stores no object of more than 1.5 MiB. */
  private static final int MAX_BYTES = 2 * 1024 * 1024;

  /** The server ends a watch after so long; bookmarks come about every minute until then. */
  private static final int WATCH_SECONDS = 900;

  private static final int WATCH_SILENCE_MILLIS = 180_000;

  private final URI address;
  private final Path token;
  private final SSLSocketFactory sockets;

  /**
   * An API server.
   *
   * @param address such as https://10.96.0.1:443
   * @param token file that is read for each request, because the kubelet renews it
   */
  ApiServer(URI address, Path token, SSLSocketFactory sockets) {
    this.address = address;
    this.token = token;
    this.sockets = sockets;
    // Each connection begins with the default, for which the JDK would load all public authorities.
    HttpsURLConnection.setDefaultSSLSocketFactory(sockets);
  }

  /**
   * One request.
   *
   * @param body null for none
   * @throws ApiException if the server refuses
   */
  Map<String, Object> request(String method, String path, Object body) throws IOException {
    HttpsURLConnection connection = open(method, path, READ_MILLIS);
    try (Exchange exchange = new Exchange(connection, LONGEST)) {
      if (body != null) {
        byte[] json = Json.write(body);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(json.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(json);
        }
      }
      try (InputStream in = answer(connection, exchange)) {
        return Json.read(exchange.read(in, MAX_BYTES));
      }
    }
  }

  /**
   * Watches until the server ends it.
   *
   * @param path with the resource version to begin after
   * @param events called with each event
   * @throws ApiException if the server refuses, at the start or later
   */
  void watch(String path, Consumer<Map<String, Object>> events) throws IOException {
    HttpsURLConnection connection =
        open("GET", path + "&timeoutSeconds=" + WATCH_SECONDS, WATCH_SILENCE_MILLIS);
    try (InputStream in = beginning(connection)) {
      for (byte[] line = line(in); line.length > 0; line = line(in)) {
        Map<String, Object> event = Json.read(line);
        if ("ERROR".equals(event.get("type"))) {
          throw refused(Json.object(event, "object"), 500);
        }
        events.accept(event);
      }
    } finally {
      connection.disconnect();
    }
  }

  private static InputStream beginning(HttpsURLConnection connection) throws IOException {
    try (Exchange exchange = new Exchange(connection, LONGEST)) {
      return new BufferedInputStream(answer(connection, exchange));
    }
  }

  /** The next line; empty at the end. */
  private static byte[] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (line.size() == MAX_BYTES) {
        throw new IOException("the API server tells a change of more than " + MAX_BYTES + " bytes");
      }
      line.write(next);
    }
    return line.toByteArray();
  }

  private HttpsURLConnection open(String method, String path, int readMillis) throws IOException {
    HttpsURLConnection connection =
        (HttpsURLConnection) address.resolve(path).toURL().openConnection();
    connection.setSSLSocketFactory(sockets);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(readMillis);
    connection.setRequestMethod(method);
    connection.setInstanceFollowRedirects(false); // the token is for this server alone
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty("User-Agent", "numaspark-agent");
    connection.setRequestProperty("Authorization", "Bearer " + TokenFile.read(token));
    return connection;
  }

  private static InputStream answer(HttpsURLConnection connection, Exchange exchange)
      throws IOException {
    int status = exchange.status();
    if (status / 100 == 2) {
      return connection.getInputStream();
    }
    try (InputStream error = connection.getErrorStream()) {
      throw refused(error == null ? Map.of() : json(error, exchange), status);
    }
  }

  /** A refusal is a Status object, unless a proxy on the way has refused. */
  private static Map<String, Object> json(InputStream error, Exchange exchange) {
    try {
      return Json.read(exchange.read(error, MAX_BYTES));
    } catch (IOException e) {
      return Map.of();
    }
  }

  private static ApiException refused(Map<String, Object> status, int httpStatus) {
    int code = status.get("code") instanceof Number number ? number.intValue() : httpStatus;
    Object message = status.get("message");
    return new ApiException(
        code, "the API server answers " + code + (message == null ? "" : ": " + message));
  }
}
