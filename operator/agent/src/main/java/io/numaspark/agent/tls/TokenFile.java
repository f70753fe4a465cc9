package io.numaspark.agent.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The token of a service account, read anew for each question because the kubelet renews it. */
public final class TokenFile {
  /** Tokens of service accounts have about 1 KiB. */
  private static final int MAX_BYTES = 64 * 1024;

  private TokenFile() {}

  /**
   * Reads the token.
   *
   * @throws IOException naming the file, never its text, if it cannot be read or has no token
   */
  public static String read(Path file) throws IOException {
    String token;
    try (InputStream in = Files.newInputStream(file)) {
      token = new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      throw new IOException(
          "the token " + file + " cannot be read: let the pod mount its service account's token",
          e);
    }
    // What is not a token must not get into a header, whose errors quote it.
    if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IOException(
          "the file " + file + " has no token: let the pod mount its service account's token");
    }
    return token;
  }
}
