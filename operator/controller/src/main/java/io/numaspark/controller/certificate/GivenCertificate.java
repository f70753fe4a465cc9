package io.numaspark.controller.certificate;

import io.numaspark.controller.certificate.Part.Unusable;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate that cert-manager or a person keeps in a Secret, with tls.crt and tls.key.
 *
 * <p>Limit: it is read only, and who keeps it also keeps the caBundle of the configuration.
 */
public final class GivenCertificate implements CertificateSource {
  private static final Logger LOG = LoggerFactory.getLogger(GivenCertificate.class);

  private final SecretStore secrets;
  private final CertificatePolicy policy;
  private final ServingKeys keys;
  private final InstantSource clock;
  private final Remark remark = new Remark(LOG);

  /**
   * A certificate that is given.
   *
   * @param dnsName of the Service, which API servers verify: SERVICE.NAMESPACE.svc
   */
  public GivenCertificate(
      SecretStore secrets, String dnsName, ServingKeys keys, InstantSource clock) {
    this.secrets = secrets;
    this.policy = new CertificatePolicy(dnsName);
    this.keys = keys;
    this.clock = clock;
  }

  @Override
  public boolean look() {
    Part<ServingKey> serving =
        secrets
            .read()
            .map(secret -> SecretData.of(secret).serving())
            .orElseGet(() -> new Unusable<>("it does not exist; create it"));
    Optional<String> fault = policy.servingFault(serving, clock.instant());
    if (fault.isPresent()) {
      String why = "Secret %s cannot be used: %s".formatted(secrets.name(), fault.get());
      remark.warn(why);
      keys.refuse(why);
      return false;
    }
    remark.clear();
    ServingKey key = serving.usable().orElseThrow();
    if (keys.take(key)) {
      LOG.info("The webhook serves the {} of Secret {}", key, secrets.name());
    }
    return true;
  }
}
