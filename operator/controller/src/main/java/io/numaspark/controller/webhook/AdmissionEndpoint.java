package io.numaspark.controller.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.numaspark.controller.certificate.ServingKeys;
import io.numaspark.controller.webhook.Bodies.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves POST /mutate by HTTPS: an AdmissionReview in, an AdmissionReview out, both as bytes of
 * JSON.
 *
 * <p>Limit: it does not verify who calls, as API servers show no certificate by default. It has to
 * be the first HTTP server of its process ({@link ServerLimits}).
 */
public final class AdmissionEndpoint implements AutoCloseable {
  /** Firewalls of managed clusters let their control planes reach this one. */
  public static final int DEFAULT_PORT = 10250;

  /** The path of the configuration's clientConfig. */
  public static final String PATH = "/mutate";

  /** How long requests that have begun may take after {@link #close}. */
  public static final Duration LONGEST_STOP = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(AdmissionEndpoint.class);

  /** Those who begin a request and do not end it keep threads, so each connection may have one. */
  private static final int THREADS = ServerLimits.CONNECTIONS;

  private static final int BACKLOG = 128;
  private static final int MOST_FAULTS_NOTED = 64;
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /**
   * Those with forward secrecy and authentication, by speed: the first compiler of the JVM has no
   * use for the processor's AES instructions (jvm.options).
   */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");

  private final ServingKeys keys;
  private final Function<byte[], byte[]> review;
  private final Bodies bodies = Bodies.ofThisHeap();
  private final AtomicInteger running = new AtomicInteger();
  private final Set<String> faults = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor executor;
  private final HttpsServer server;

  /**
   * Starts to serve.
   *
   * @param port 0 for any that is free
   * @param keys asked at each handshake; it may have no key yet
   * @param review called by several threads at a time
   * @throws IOException if the port is taken
   */
  public AdmissionEndpoint(int port, ServingKeys keys, Function<byte[], byte[]> review)
      throws IOException {
    this.keys = keys;
    this.review = review;
    ServerLimits.set();
    server = HttpsServer.create(new InetSocketAddress(port), BACKLOG);
    server.setHttpsConfigurator(new Tls(context(keys)));
    executor =
        new ThreadPoolExecutor(
            THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named());
    executor.allowCoreThreadTimeOut(true);
    server.setExecutor(executor);
    server.createContext("/", this::handle);
    server.start();
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Why API servers cannot be answered; empty if they can. */
  public List<String> reasonsNotReady() {
    return keys.reasonsNotReady();
  }

  private static ThreadFactory named() {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, "admission-" + number.incrementAndGet());
  }

  private static SSLContext context(ServingKeys keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys.keyManager()}, new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the Java runtime has no TLS", e);
    }
  }

  /** Nothing older than TLS 1.2. */
  private static final class Tls extends HttpsConfigurator {
    Tls(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters tls = getSSLContext().getDefaultSSLParameters();
      List<String> supported =
          Arrays.asList(getSSLContext().getSupportedSSLParameters().getCipherSuites());
      tls.setProtocols(PROTOCOLS);
      tls.setCipherSuites(CIPHERS.stream().filter(supported::contains).toArray(String[]::new));
      tls.setUseCipherSuitesOrder(true);
      parameters.setSSLParameters(tls);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    running.incrementAndGet();
    try (exchange) {
      answer(exchange);
    } finally {
      running.decrementAndGet();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (!PATH.equals(exchange.getRequestURI().getPath())) {
      refuse(exchange, 404, "there is POST " + PATH);
    } else if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      refuse(exchange, 405, "send an AdmissionReview with POST");
    } else {
      Outcome outcome = outcome(exchange);
      if (outcome instanceof Outcome.Answered answered) {
        send(exchange, 200, "application/json", answered.answer());
      } else if (outcome instanceof Outcome.Refused refused) {
        refuse(exchange, refused.status(), refused.why());
      }
    }
  }

  private Outcome outcome(HttpExchange exchange) throws IOException {
    try {
      return bodies.with(exchange.getRequestHeaders(), exchange.getRequestBody(), review);
    } catch (RuntimeException | StackOverflowError e) {
      note(e);
      return new Outcome.Refused(
          500, "this review could not be answered; the log of the webhook says why");
    }
  }

  /** The same fault is logged once in the life of the process: pods are created in thousands. */
  private void note(Throwable fault) {
    StackTraceElement[] trace = fault.getStackTrace();
    String where = fault.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    if (faults.size() < MOST_FAULTS_NOTED && faults.add(where)) {
      LOG.error("A review could not be answered; the same fault is not logged again", fault);
    } else {
      LOG.debug("A review could not be answered", fault);
    }
  }

  private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
    // What is left of the body would be taken for the next request's.
    exchange.getResponseHeaders().set("Connection", "close");
    send(
        exchange,
        status,
        "text/plain; charset=utf-8",
        (why + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] answer)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isHead || answer.length == 0 ? -1 : answer.length);
    if (!isHead) {
      exchange.getResponseBody().write(answer);
    }
  }

  /**
   * Ends. Connections are no longer accepted; requests that have begun are answered if they take no
   * more than {@link #LONGEST_STOP}.
   */
  @Override
  public void close() {
    // The server of JDK 17 waits for the whole time if nothing runs.
    server.stop(running.get() == 0 ? 0 : (int) LONGEST_STOP.toSeconds());
    executor.shutdownNow();
  }
}
