package io.numaspark.agent.cluster;

import io.numaspark.agent.tls.PemFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * Where the API server is, and how one proves who one is.
 *
 * @param api such as https://10.96.0.1:443
 * @param credentials folder with the files token and ca.crt, as the kubelet mounts it for a service
 *     account
 */
public record ClusterAddress(URI api, Path credentials) {

  /** The file with the token. */
  public Path token() {
    return credentials.resolve("token");
  }

  /** The file with the certificates that sign the cluster's. */
  public Path certificateAuthority() {
    return credentials.resolve("ca.crt");
  }

  ApiServer server() throws IOException {
    return new ApiServer(
        api, token(), PemFile.authorities(certificateAuthority()).getSocketFactory());
  }
}
