package io.numaspark.controller.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and the real API server, and spoils what passes as a {@link Fault} says.
 *
 * <p>Limit: WebSocket upgrades are not passed on; watches use plain HTTP.
 */
public final class FaultProxy implements AutoCloseable {
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection", "upgrade", "host", "content-length", "transfer-encoding", "http2-settings");

  private static final int CHUNK = 16 * 1024;

  private final URI upstream;
  private final HttpClient http;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<InputStream> watches = ConcurrentHashMap.newKeySet();
  private final AtomicInteger writes = new AtomicInteger();
  private volatile Fault fault = Fault.NONE;
  private volatile boolean dead;

  /** A proxy on a free port of the loopback interface. */
  public FaultProxy(Config config) throws IOException {
    this.upstream = URI.create(config.getMasterUrl());
    try {
      this.http =
          HttpClient.newBuilder()
              .sslContext(SSLUtils.sslContext(config))
              .version(HttpClient.Version.HTTP_1_1)
              .executor(threads)
              .build();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  /** Settings of a client that goes through this proxy. */
  public Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
        .withNamespace("default")
        .withOnlyHttpWatches(true)
        .withRequestRetryBackoffLimit(3)
        .build();
  }

  /** Spoils from now on what passes. */
  public void spoil(Fault newFault) {
    this.fault = newFault;
  }

  /** Writes that have reached the API server. */
  public int writes() {
    return writes.get();
  }

  /** Ends every watch that is open, as an API server does from time to time. */
  public void closeWatches() {
    List.copyOf(watches).forEach(FaultProxy::closeQuietly);
  }

  /** Nothing passes any more, as if the client's process had been killed at this moment. */
  public void die() {
    dead = true;
    closeWatches();
  }

  private void pass(HttpExchange exchange) throws IOException {
    Fault.Request request =
        new Fault.Request(exchange.getRequestMethod(), exchange.getRequestURI().toString());
    byte[] body = exchange.getRequestBody().readAllBytes();
    Fault.Effect effect = dead ? Fault.Effect.LOST_REQUEST : fault.on(request);
    if (effect == Fault.Effect.LOST_REQUEST) {
      exchange.close();
      return;
    }
    if (effect.status() != 0) {
      refuse(exchange, effect);
      return;
    }
    HttpResponse<InputStream> response = forward(exchange, request, body);
    if (request.isWrite()) {
      int count = writes.incrementAndGet();
      if (fault.diesAfter(count)) {
        die();
      }
    }
    if (effect == Fault.Effect.LOST_RESPONSE || dead) {
      closeQuietly(response.body());
      exchange.close();
      return;
    }
    answer(exchange, request, response);
  }

  private HttpResponse<InputStream> forward(
      HttpExchange exchange, Fault.Request request, byte[] body) throws IOException {
    HttpRequest.Builder forwarded =
        HttpRequest.newBuilder(upstream.resolve(request.uri()))
            .method(
                request.method(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!HOP_BY_HOP.contains(name.toLowerCase())
                  && !name.toLowerCase().startsWith("sec-websocket")) {
                values.forEach(value -> forwarded.header(name, value));
              }
            });
    try {
      return http.send(forwarded.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private void answer(
      HttpExchange exchange, Fault.Request request, HttpResponse<InputStream> response)
      throws IOException {
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!HOP_BY_HOP.contains(name.toLowerCase()) && !name.startsWith(":")) {
                exchange.getResponseHeaders().put(name, values);
              }
            });
    InputStream in = response.body();
    if (request.isWatch()) {
      watches.add(in);
    }
    exchange.sendResponseHeaders(response.statusCode(), 0);
    try (in;
        OutputStream out = exchange.getResponseBody()) {
      byte[] chunk = new byte[CHUNK];
      for (int read = in.read(chunk); read >= 0 && !dead; read = in.read(chunk)) {
        out.write(chunk, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      exchange.close(); // The client or closeWatches() ended it.
    } finally {
      watches.remove(in);
    }
  }

  private static void refuse(HttpExchange exchange, Fault.Effect effect) throws IOException {
    byte[] status =
        """
        {"kind":"Status","apiVersion":"v1","status":"Failure","message":"injected","reason":"%s","code":%d}
        """
            .formatted(effect.reason(), effect.status())
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(effect.status(), status.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(status);
    }
  }

  private static void closeQuietly(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    die();
    server.stop(0);
    threads.shutdownNow();
  }
}
