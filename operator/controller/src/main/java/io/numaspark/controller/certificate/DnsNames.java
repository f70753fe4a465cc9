package io.numaspark.controller.certificate;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The names of the DNS that a certificate is for; a common name does not count any more. */
final class DnsNames {
  private static final int DNS_NAME = 2;

  private DnsNames() {}

  static List<String> of(X509Certificate certificate) {
    try {
      Collection<List<?>> names =
          Objects.requireNonNullElse(certificate.getSubjectAlternativeNames(), List.of());
      return names.stream()
          .filter(name -> name.get(0).equals(DNS_NAME))
          .map(name -> (String) name.get(1))
          .toList();
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }

  /** Whether a client that connects to the name takes the certificate. */
  static boolean match(X509Certificate certificate, String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String wildcard = "*" + wanted.substring(Math.max(0, wanted.indexOf('.')));
    return of(certificate).stream()
        .map(one -> one.toLowerCase(Locale.ROOT))
        .anyMatch(one -> one.equals(wanted) || one.equals(wildcard));
  }
}
