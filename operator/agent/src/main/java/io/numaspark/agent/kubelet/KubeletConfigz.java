package io.numaspark.agent.kubelet;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Reads the configuration that the kubelet runs with: file, drop-ins and flags merged.
 *
 * @param host address of the node, as in the kubelet's certificate; IPv6 without brackets
 * @param port the kubelet's port, by default {@value #DEFAULT_PORT}
 * @param tokenFile file of the bearer token, read anew for every question because it is rotated
 * @param trust how the kubelet's certificate is judged
 * @param timeout longest time to connect and, again, between two packets of the answer
 */
public record KubeletConfigz(
    String host, int port, Path tokenFile, KubeletTrust trust, Duration timeout) {
  /** The kubelet's port unless it is configured otherwise (KubeletConfiguration.port). */
  public static final int DEFAULT_PORT = 10250;

  /** The JSON text of the KubeletConfiguration, without its envelope {@code kubeletconfig}. */
  public String read() throws KubeletException {
    throw new KubeletException(KubeletException.Reason.NotFound, "");
  }
}
