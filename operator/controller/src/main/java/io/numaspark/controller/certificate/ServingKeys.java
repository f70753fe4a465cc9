package io.numaspark.controller.certificate;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The key that new TLS handshakes use, which another one replaces without a restart.
 *
 * <p>Limit: connections that are open keep theirs; without any key a handshake fails.
 */
public final class ServingKeys {
  private final InstantSource clock;
  private final Manager manager = new Manager();
  private volatile Held held = new Held(Optional.empty(), Optional.empty());
  private volatile String problem = "the Secret was not read yet";

  /**
   * The key of now and the one before, since a handshake asks twice: which key, and then its parts.
   */
  private record Held(Optional<Named> now, Optional<Named> before) {
    Optional<Named> named(String alias) {
      return Stream.of(now, before)
          .flatMap(Optional::stream)
          .filter(one -> one.alias().equals(alias))
          .findFirst();
    }
  }

  /** A key under the name that a handshake knows it by. */
  private record Named(String alias, ServingKey key) {}

  /** No key yet. */
  public ServingKeys(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Serves a key from now on. Called by one thread.
   *
   * @return whether it is another one than before
   */
  boolean take(ServingKey key) {
    problem = "";
    Held old = held;
    if (old.now().filter(named -> named.key().chain().equals(key.chain())).isPresent()) {
      return false;
    }
    int number = old.now().map(named -> Integer.parseInt(named.alias()) + 1).orElse(0);
    held = new Held(Optional.of(new Named(String.valueOf(number), key)), old.now());
    return true;
  }

  /** Says why there is no newer key; the present one is served until then. */
  void refuse(String why) {
    problem = why;
  }

  /** Why handshakes fail; empty if they do not. */
  public List<String> reasonsNotReady() {
    Optional<Instant> expiry = expiry();
    if (expiry.isEmpty()) {
      return List.of("the webhook has no certificate: " + problem);
    }
    return clock.instant().isBefore(expiry.get())
        ? List.of()
        : List.of(
            "the webhook's certificate has expired at %s%s"
                .formatted(expiry.get(), problem.isEmpty() ? "" : ": " + problem));
  }

  /** When the certificate that is served expires; empty if there is none. */
  public Optional<Instant> expiry() {
    return held.now().map(named -> named.key().expiry());
  }

  /** The same in seconds since 1970, for a metric; not a number if there is none. */
  public double expirySeconds() {
    return expiry().map(instant -> (double) instant.getEpochSecond()).orElse(Double.NaN);
  }

  /** Hands the keys to TLS. */
  public X509ExtendedKeyManager keyManager() {
    return manager;
  }

  /** Reads what is held at each handshake. */
  private final class Manager extends X509ExtendedKeyManager {
    private String alias(String keyType) {
      return held.now()
          .filter(named -> named.key().key().getAlgorithm().equals(keyType))
          .map(Named::alias)
          .orElse(null);
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
      return alias(keyType);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      return alias(keyType);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
      return Stream.of(Optional.ofNullable(alias(keyType)))
          .flatMap(Optional::stream)
          .toArray(String[]::new);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
      return new String[0];
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return held.named(Objects.requireNonNullElse(alias, ""))
          .map(named -> named.key().chain().toArray(X509Certificate[]::new))
          .orElse(null);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return held.named(Objects.requireNonNullElse(alias, ""))
          .map(named -> named.key().key())
          .orElse(null);
    }
  }
}
