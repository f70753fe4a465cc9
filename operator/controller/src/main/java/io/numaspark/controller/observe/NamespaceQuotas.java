package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceQuotas of a namespace, asked for when an application is to start there.
 *
 * <p>An answer serves for two seconds, because many may start at once. Limit: without the right to
 * list them there are none, as before the operator looked at quotas.
 */
public final class NamespaceQuotas {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceQuotas.class);
  private static final Duration FRESH = Duration.ofSeconds(2);

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  private record Answer(List<ResourceQuota> quotas, Instant until) {}

  public NamespaceQuotas(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Those of a namespace. */
  public List<ResourceQuota> in(String namespace) {
    Instant now = clock.instant();
    answers.values().removeIf(answer -> !now.isBefore(answer.until()));
    return answers.computeIfAbsent(namespace, of -> new Answer(read(of), now.plus(FRESH))).quotas();
  }

  private List<ResourceQuota> read(String namespace) {
    try {
      return client.resourceQuotas().inNamespace(namespace).list().getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e; // The API server is unwell: the framework retries.
      }
      LOG.warn("quotas of namespace {} do not count: {}", namespace, e.getMessage());
      return List.of();
    }
  }
}
