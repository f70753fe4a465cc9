package io.numaspark.controller.webhook;

import io.numaspark.controller.certificate.MemoryCluster;
import io.numaspark.controller.certificate.SelfSignedCertificates;
import io.numaspark.controller.certificate.ServingKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Function;

/**
 * An endpoint in a process of its own, since the JDK's server reads its limits once in the life of
 * a process, and other tests use it too.
 */
final class EndpointProcess implements AutoCloseable {
  private final Process process;
  private final int port;
  private final String caBundle;

  EndpointProcess() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EndpointProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = reader.readLine();
    while (line != null && !line.startsWith("port ")) {
      line = reader.readLine();
    }
    if (line == null) {
      throw new IOException("the endpoint did not start");
    }
    port = Integer.parseInt(line.split(" ")[1]);
    caBundle = line.split(" ")[2];
  }

  /** The process: it ends with its input. */
  public static void main(String[] arguments) throws IOException {
    MemoryCluster cluster = new MemoryCluster();
    cluster.configure();
    ServingKeys keys = new ServingKeys(Clock.systemUTC());
    new SelfSignedCertificates(
            cluster, cluster.configurations(), "localhost", keys, Clock.systemUTC())
        .look();
    try (AdmissionEndpoint endpoint = new AdmissionEndpoint(0, keys, Function.identity())) {
      System.out.println("port " + endpoint.port() + " " + cluster.caBundle());
      System.in.read();
    }
  }

  int port() {
    return port;
  }

  String caBundle() {
    return caBundle;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
