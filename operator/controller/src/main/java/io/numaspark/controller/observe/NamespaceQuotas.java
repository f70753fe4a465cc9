package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
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
 * <p>An answer serves for two seconds, because many may start at once. Limits: without the right to
 * list them there are none, as before the operator looked at quotas, and of very many only the
 * first are read.
 */
public final class NamespaceQuotas {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceQuotas.class);
  private static final Duration FRESH = Duration.ofSeconds(2);

  /** A namespace has a handful; whoever made more is not waited for. */
  private static final long MOST = 500;

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
    Answer known = answers.get(namespace);
    if (known == null) {
      known = new Answer(read(namespace), now.plus(FRESH));
      answers.put(namespace, known);
    }
    return known.quotas();
  }

  private List<ResourceQuota> read(String namespace) {
    try {
      return client
          .resourceQuotas()
          .inNamespace(namespace)
          .list(new ListOptionsBuilder().withLimit(MOST).build())
          .getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e; // The API server is unwell: the framework retries.
      }
      LOG.warn("quotas of namespace {} do not count: {}", namespace, e.getMessage());
      return List.of();
    }
  }
}
