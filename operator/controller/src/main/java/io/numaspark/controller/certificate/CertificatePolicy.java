package io.numaspark.controller.certificate;

import io.numaspark.controller.certificate.Decision.Keep;
import io.numaspark.controller.certificate.Decision.RenewAuthority;
import io.numaspark.controller.certificate.Decision.RenewServing;
import io.numaspark.controller.certificate.Decision.StartOver;
import io.numaspark.controller.certificate.Part.Unusable;
import io.numaspark.controller.certificate.Part.Usable;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides which certificates to keep and which to renew, and what the renewed ones are.
 *
 * <p>An authority is in the bundle for a day before it signs, so that API servers with the old
 * bundle trust what is served. Limit: it signs at once if no certificate that is there can serve.
 *
 * @param dnsName of the Service, which API servers verify
 */
record CertificatePolicy(String dnsName) {
  /** How long a new authority waits for the API servers to know it. */
  static final Duration SETTLING = Duration.ofDays(1);

  /** An authority lives less than twice as long as it signs, so a bundle has two of them. */
  private static final int MOST_AUTHORITIES = 8;

  Decision decide(SecretData data, Instant now) {
    Optional<String> authorityFault = authorityFault(data, now);
    Optional<String> servingFault =
        servingFault(data.serving(), now).or(() -> trustFault(data, now));
    if (authorityFault.isPresent()) {
      return servingFault.isPresent()
          ? new StartOver(
              Stream.of(authorityFault.get(), servingFault.get())
                  .distinct()
                  .reduce((one, other) -> one + "; " + other)
                  .orElseThrow())
          : new RenewAuthority(authorityFault.get());
    }
    if (servingFault.isPresent()) {
      return new RenewServing(servingFault.get());
    }
    X509Certificate authority = data.authority().usable().orElseThrow().certificate();
    X509Certificate serving = data.serving().usable().orElseThrow().certificate();
    if (endsSoon(authority, now)) {
      return new RenewAuthority("it expires within a day");
    }
    if (isDue(serving, now) && (hasSettled(authority, now) || endsSoon(serving, now))) {
      return new RenewServing("two thirds of its life have passed");
    }
    return isDue(authority, now)
        ? new RenewAuthority("two thirds of its life have passed")
        : new Keep();
  }

  /** Whether everything is there and the key can serve now, if something is due or not. */
  boolean canServe(SecretData data, Instant now) {
    return data.authority().usable().isPresent()
        && servingFault(data.serving(), now).or(() -> trustFault(data, now)).isEmpty();
  }

  /** Why a key cannot serve now, whoever signed its certificate; empty if it can. */
  Optional<String> servingFault(Part<ServingKey> serving, Instant now) {
    if (serving instanceof Unusable<ServingKey> unusable) {
      return Optional.of(unusable.why());
    }
    X509Certificate certificate = ((Usable<ServingKey>) serving).value().certificate();
    return timeFault(SecretData.SERVING_CERTIFICATE, certificate, now)
        .or(
            () ->
                DnsNames.match(certificate, dnsName)
                    ? Optional.empty()
                    : Optional.of(
                        "%s is for %s and not for %s"
                            .formatted(
                                SecretData.SERVING_CERTIFICATE,
                                DnsNames.of(certificate),
                                dnsName)));
  }

  private static Optional<String> authorityFault(SecretData data, Instant now) {
    return data.authority() instanceof Unusable<Authority> unusable
        ? Optional.of(unusable.why())
        : timeFault(
            "the first certificate of " + SecretData.BUNDLE,
            data.authority().usable().orElseThrow().certificate(),
            now);
  }

  private static Optional<String> trustFault(SecretData data, Instant now) {
    X509Certificate serving = data.serving().usable().orElseThrow().certificate();
    return valid(data.bundle(), now).anyMatch(one -> Signatures.signedBy(serving, one))
        ? Optional.empty()
        : Optional.of(
            "%s is not signed by a valid certificate of %s"
                .formatted(SecretData.SERVING_CERTIFICATE, SecretData.BUNDLE));
  }

  private static Optional<String> timeFault(String name, X509Certificate certificate, Instant now) {
    if (now.isBefore(notBefore(certificate))) {
      return Optional.of(
          "%s is valid from %s; a clock is wrong".formatted(name, notBefore(certificate)));
    }
    return now.isBefore(notAfter(certificate))
        ? Optional.empty()
        : Optional.of("%s has expired at %s".formatted(name, notAfter(certificate)));
  }

  private static boolean isDue(X509Certificate certificate, Instant now) {
    Duration life = Duration.between(notBefore(certificate), notAfter(certificate));
    return !now.isBefore(notBefore(certificate).plus(life.dividedBy(3).multipliedBy(2)));
  }

  private static boolean hasSettled(X509Certificate authority, Instant now) {
    return !now.isBefore(notBefore(authority).plus(CertificateIssuer.BACKDATED).plus(SETTLING));
  }

  private static boolean endsSoon(X509Certificate certificate, Instant now) {
    return !now.plus(SETTLING).isBefore(notAfter(certificate));
  }

  private static Stream<X509Certificate> valid(List<X509Certificate> bundle, Instant now) {
    return bundle.stream()
        .filter(one -> one.getBasicConstraints() >= 0)
        .filter(one -> timeFault("", one, now).isEmpty());
  }

  private static Instant notBefore(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant();
  }

  private static Instant notAfter(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  /**
   * The certificates after a decision. Of the others in the bundle, those that are valid stay.
   *
   * @param data what was decided on
   */
  Certificates carryOut(Decision decision, SecretData data, Instant now) {
    boolean keepsAuthority = decision instanceof Keep || decision instanceof RenewServing;
    boolean keepsServing = decision instanceof Keep || decision instanceof RenewAuthority;
    Authority authority =
        keepsAuthority ? data.authority().usable().orElseThrow() : CertificateIssuer.authority(now);
    ServingKey serving =
        keepsServing
            ? data.serving().usable().orElseThrow()
            : CertificateIssuer.serving(authority, dnsName, now);
    return new Certificates(authority, serving, bundle(authority, data, now));
  }

  private static List<X509Certificate> bundle(Authority authority, SecretData data, Instant now) {
    List<X509Certificate> bundle = new ArrayList<>(List.of(authority.certificate()));
    valid(data.bundle(), now)
        .filter(one -> !one.equals(authority.certificate()))
        .limit(MOST_AUTHORITIES - 1)
        .forEach(bundle::add);
    return bundle;
  }
}
