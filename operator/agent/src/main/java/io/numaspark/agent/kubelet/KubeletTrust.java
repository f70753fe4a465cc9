package io.numaspark.agent.kubelet;

import java.nio.file.Path;

/** How the kubelet's serving certificate is judged. */
public sealed interface KubeletTrust {
  /**
   * The certificate must be signed by an authority of this file and name the host that is asked.
   *
   * @param file certificates in PEM form; read anew for every question
   */
  record Authorities(Path file) implements KubeletTrust {}

  /**
   * Any certificate will do, as with metrics-server's {@code --kubelet-insecure-tls}: for kubelets
   * whose certificate is self-signed. Whoever can take over the kubelet's address then gets the
   * agent's token.
   */
  record Anyone() implements KubeletTrust {}
}
