package io.numaspark.controller.certificate;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.numaspark.controller.certificate.Decision.Keep;
import io.numaspark.controller.certificate.Decision.RenewAuthority;
import io.numaspark.controller.certificate.Decision.RenewServing;
import io.numaspark.controller.certificate.Decision.StartOver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that the replicas make themselves, and share through a Secret; the caBundle of the
 * configuration follows it.
 *
 * <p>The first replica that writes wins, and the others use what it wrote. Limit: a replica writes
 * the Secret at most once a minute, so that two of them with different clocks do not race.
 */
public final class SelfSignedCertificates implements CertificateSource {
  private static final Logger LOG = LoggerFactory.getLogger(SelfSignedCertificates.class);

  static final Duration BETWEEN_WRITES = Duration.ofMinutes(1);

  /** Each failure is another replica's success, after which there is nothing to write. */
  private static final int MOST_TRIES = 5;

  private final SecretStore secrets;
  private final ConfigurationStore configurations;
  private final CertificatePolicy policy;
  private final ServingKeys keys;
  private final InstantSource clock;
  private final Remark secretRemark = new Remark(LOG);
  private final Remark bundleRemark = new Remark(LOG);
  private Optional<Instant> written = Optional.empty();

  /**
   * Certificates of a Service.
   *
   * @param dnsName of the Service, which API servers verify: SERVICE.NAMESPACE.svc
   */
  public SelfSignedCertificates(
      SecretStore secrets,
      ConfigurationStore configurations,
      String dnsName,
      ServingKeys keys,
      InstantSource clock) {
    this.secrets = secrets;
    this.configurations = configurations;
    this.policy = new CertificatePolicy(dnsName);
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * The configuration is read before the Secret: if the former is still the same when it is
   * patched, then the bundle is not older than the one that it has. If it is not, another replica
   * was faster.
   */
  @Override
  public boolean look() {
    Optional<String> refusal = Optional.empty();
    for (int i = 0; i < MOST_TRIES; i++) {
      Optional<MutatingWebhookConfiguration> configuration = configurations.read();
      Optional<Certificates> certificates = current();
      certificates.ifPresent(this::serve);
      if (certificates.isEmpty() || !exists(configuration)) {
        return false;
      }
      refusal = publish(configuration.get(), certificates.get().caBundle());
      if (refusal.isEmpty()) {
        bundleRemark.clear();
        return true;
      }
    }
    bundleRemark.warn(
        "The caBundle of MutatingWebhookConfiguration %s was not written, a later look tries again: %s"
            .formatted(configurations.name(), refusal.orElse("")));
    return false;
  }

  private void serve(Certificates certificates) {
    if (keys.take(certificates.serving())) {
      LOG.info("The webhook serves the {} of Secret {}", certificates.serving(), secrets.name());
    }
  }

  /** What the Secret has, after it was renewed if need be. */
  private Optional<Certificates> current() {
    for (int i = 0; i < MOST_TRIES; i++) {
      Instant now = clock.instant();
      Optional<Secret> read = secrets.read();
      SecretData data = read.map(SecretData::of).orElseGet(SecretData::absent);
      Decision decision = policy.decide(data, now);
      if (decision instanceof Keep) {
        secretRemark.clear();
        return Optional.of(policy.carryOut(decision, data, now));
      }
      if (written.filter(then -> now.isBefore(then.plus(BETWEEN_WRITES))).isPresent()) {
        return waiting(data, decision, now);
      }
      Certificates renewed = policy.carryOut(decision, data, now);
      if (secrets.write(read, renewed.data())) {
        written = Optional.of(now);
        LOG.info("Secret {} has a new {}", secrets.name(), what(decision, renewed));
        return Optional.of(renewed);
      }
    }
    return refused("Secret %s is written by others all the time".formatted(secrets.name()));
  }

  /** It was changed right after it was written; what can serve does so. */
  private Optional<Certificates> waiting(SecretData data, Decision decision, Instant now) {
    if (policy.canServe(data, now)) {
      return Optional.of(policy.carryOut(new Keep(), data, now));
    }
    return refused(
        "Secret %s was changed within a minute after it was written: %s"
            .formatted(secrets.name(), why(decision)));
  }

  private Optional<Certificates> refused(String why) {
    secretRemark.warn(why);
    keys.refuse(why);
    return Optional.empty();
  }

  private static String what(Decision decision, Certificates renewed) {
    String made =
        decision instanceof RenewAuthority
            ? renewed.authority().toString()
            : decision instanceof RenewServing
                ? renewed.serving().toString()
                : renewed.authority() + " and a new " + renewed.serving();
    return made + ", because " + why(decision);
  }

  private static String why(Decision decision) {
    if (decision instanceof RenewServing renewal) {
      return renewal.why();
    }
    if (decision instanceof RenewAuthority renewal) {
      return renewal.why();
    }
    return decision instanceof StartOver start ? start.why() : "";
  }

  private boolean exists(Optional<MutatingWebhookConfiguration> configuration) {
    if (configuration.isEmpty()) {
      bundleRemark.warn(
          "MutatingWebhookConfiguration %s does not exist, so the API server sends no pods here;"
                  .formatted(configurations.name())
              + " install it, for example with the chart");
    }
    return configuration.isPresent();
  }

  /** Why the API server refused it; empty if the configuration has the bundle now. */
  private Optional<String> publish(MutatingWebhookConfiguration configuration, String caBundle) {
    Optional<String> patch = BundlePatch.of(configuration, caBundle);
    Optional<String> refusal = patch.flatMap(configurations::patch);
    if (patch.isPresent() && refusal.isEmpty()) {
      LOG.info(
          "MutatingWebhookConfiguration {} has the caBundle of Secret {}",
          configurations.name(),
          secrets.name());
    }
    return refusal;
  }
}
