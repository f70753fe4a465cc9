package io.numaspark.controller.observe;

import io.numaspark.render.scheduling.PodGroupApi;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which version of a batch scheduler's PodGroup the API server serves: a scheduler that is
 * installed later needs no restart of the operator.
 *
 * <p>An answer serves for ten seconds, since each application that waits is looked at again and
 * again. Limit: an API without its scheduler looks the same; its pods then wait, or start one by
 * one.
 */
public final class ServedPodGroups {
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final ServedKinds kinds;
  private final InstantSource clock;
  private final Map<PodGroupApi, Answer> answers = new ConcurrentHashMap<>();

  /** What the API server said, and until when that serves. */
  private record Answer(Optional<String> apiVersion, Instant until) {}

  public ServedPodGroups(ServedKinds kinds, InstantSource clock) {
    this.kinds = kinds;
    this.clock = clock;
  }

  /** Group and version, the newest that both sides know. */
  public Optional<String> apiVersion(PodGroupApi api) {
    Instant now = clock.instant();
    Answer known = answers.get(api);
    if (known == null || !now.isBefore(known.until())) {
      known =
          new Answer(
              api.apiVersions().stream().filter(this::isServed).findFirst(), now.plus(FRESH));
      answers.put(api, known);
    }
    return known.apiVersion();
  }

  private boolean isServed(String apiVersion) {
    return kinds.has(apiVersion, PodGroupApi.KIND);
  }
}
