package io.numaspark.controller.wiring;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.numaspark.controller.apply.WebhookConfiguration;
import io.numaspark.controller.apply.WebhookSecret;
import io.numaspark.controller.certificate.CertificateLoop;
import io.numaspark.controller.certificate.CertificateSource;
import io.numaspark.controller.certificate.GivenCertificate;
import io.numaspark.controller.certificate.SelfSignedCertificates;
import io.numaspark.controller.certificate.ServingKeys;
import io.numaspark.controller.config.WebhookConfig;
import io.numaspark.controller.metrics.PlanMetrics;
import io.numaspark.controller.metrics.WebhookMetrics;
import io.numaspark.controller.profile.OfferPlanning;
import io.numaspark.controller.profile.ProfilePlanning;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.watch.SecretWatch;
import io.numaspark.controller.watch.WebhookWatches;
import io.numaspark.controller.webhook.AdmissionEndpoint;
import io.numaspark.controller.webhook.AdmissionHandler;
import io.numaspark.controller.webhook.OfferBook;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of the webhook's process, which has no reconciler and no lease: every replica answers.
 */
public final class WebhookAssembly implements AutoCloseable {
  /** Until API servers have learned that this replica is not ready. */
  private static final Duration STILL_SENT = Duration.ofSeconds(5);

  private final WebhookWatches watches;
  private final OfferBook book;
  private final ServingKeys keys;
  private final CertificateLoop certificates;
  private final SecretWatch secret;
  private final AdmissionEndpoint endpoint;
  private volatile boolean closing;

  /**
   * Makes all parts and starts them.
   *
   * @throws IOException if the port is taken
   */
  public WebhookAssembly(
      WebhookConfig config, KubernetesClient client, PrometheusRegistry registry, Clock clock)
      throws IOException {
    watches = new WebhookWatches(client);
    PlanStore plans = new PlanStore();
    OfferPlanning planning =
        new OfferPlanning(
            new ProfilePlanning(
                plans,
                new SlotBoard(),
                // The operator reports them already.
                new PlanMetrics(new PrometheusRegistry(), plans::plans),
                config.pinners(),
                watches::nodes,
                watches::topology),
            plans);
    book =
        new OfferBook(
            watches::isLoaded, () -> planning.offers(watches.profiles(), clock.instant()));
    watches.changes().listen(changed -> book.changed());
    keys = new ServingKeys(clock);
    certificates = new CertificateLoop(source(config, client, clock), keys);
    secret = new SecretWatch(client, config.namespace(), config.secret(), certificates::lookNow);
    endpoint =
        new AdmissionEndpoint(
            config.port(),
            keys,
            new AdmissionHandler(
                watches::profileOf,
                watches::defaultsOf,
                book::offer,
                new WebhookMetrics(registry, keys::expiry)));
    watches.start();
    book.changed();
    certificates.start();
    secret.start();
  }

  private CertificateSource source(WebhookConfig config, KubernetesClient client, Clock clock) {
    WebhookSecret secrets = new WebhookSecret(client, config.namespace(), config.secret());
    return config.selfSigned()
        ? new SelfSignedCertificates(
            secrets, new WebhookConfiguration(client, config.name()), config.dnsName(), keys, clock)
        : new GivenCertificate(secrets, config.dnsName(), keys, clock);
  }

  /** The port that API servers are answered on. */
  public int port() {
    return endpoint.port();
  }

  /**
   * Why API servers should not be sent here; empty if they should. What was read once is good
   * enough to answer while the API server does not answer itself.
   */
  public List<String> reasonsNotReady() {
    List<String> reasons = new ArrayList<>(endpoint.reasonsNotReady());
    if (closing) {
      reasons.add("the webhook stops");
    }
    if (!book.isPlanned()) {
      reasons.addAll(watches.reasonsNotReady());
      reasons.add("the profiles are not planned yet");
    }
    return List.copyOf(reasons);
  }

  /** Answers a while longer, then ends. */
  @Override
  public void close() {
    closing = true;
    try {
      Thread.sleep(STILL_SENT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endpoint.close();
    secret.close();
    certificates.close();
    book.close();
    watches.close();
  }
}
