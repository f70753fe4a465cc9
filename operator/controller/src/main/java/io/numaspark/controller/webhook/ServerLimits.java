package io.numaspark.controller.webhook;

import java.util.Map;

/**
 * Limits of the JDK's HTTP server, which reads them once in the life of a process.
 *
 * <p>Limit: they do nothing in a process that has used the server before.
 */
final class ServerLimits {
  /** Of all clients together. One that does not send its request loses it after five seconds. */
  static final int CONNECTIONS = 256;

  private static final Map<String, String> PROPERTIES =
      Map.of(
          "jdk.httpserver.maxConnections", String.valueOf(CONNECTIONS),
          "sun.net.httpserver.maxIdleConnections", String.valueOf(CONNECTIONS),
          // An API server closes an idle connection after 90 s. If this side did so first, a review
          // that is sent at that moment would fail.
          "sun.net.httpserver.idleInterval", "120",
          // API servers wait 10 s by default, and for this webhook less.
          "sun.net.httpserver.maxReqTime", "5",
          "sun.net.httpserver.maxRspTime", "10",
          // How often the times are looked at, in milliseconds.
          "sun.net.httpserver.clockTick", "1000",
          "sun.net.httpserver.timerMillis", "500",
          "sun.net.httpserver.maxReqHeaderSize", String.valueOf(32 << 10),
          "sun.net.httpserver.nodelay", "true");

  private ServerLimits() {}

  /** Sets the limits; call it before the first server. What the command line says is kept. */
  static void set() {
    PROPERTIES.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
  }
}
