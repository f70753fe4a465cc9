package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.inject.InjectionNotes;
import io.numaspark.render.proof.SlotRequest;
import io.numaspark.render.text.Labels;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/**
 * What a person should see of an executor of others that got no slot though its namespace is opted
 * in.
 *
 * <p>Limit: only of one that was created a short time ago, so that an operator that starts does not
 * repeat what another one has said. Its annotation says the same for as long as it lives.
 *
 * @param application those that are alike are announced once: namespace and Spark's application id
 */
public record ForeignAnnouncement(String application, Announcement announcement) {
  /** A new leader works within a minute; the rest is for an operator that could not start. */
  static final Duration RECENT = Duration.ofMinutes(10);

  /** The API server has its own cache of the labels of namespaces, and calls no webhook before. */
  static final Duration FOLLOWED = Duration.ofSeconds(5);

  /**
   * What is to be said of a pod, if anything.
   *
   * @param profile that the label of its namespace names; may be empty
   * @param optedIn since when, as far as this operator has seen
   */
  public static Optional<ForeignAnnouncement> of(
      Pod pod, String profile, Instant optedIn, Instant now) {
    Map<String, String> labels =
        Optional.ofNullable(pod.getMetadata().getLabels()).orElse(Map.of());
    Optional<Instant> created = created(pod);
    if (created.isEmpty()
        || now.isAfter(created.get().plus(RECENT))
        || SlotRequest.of(pod).isPresent()) {
      return Optional.empty();
    }
    String application =
        pod.getMetadata().getNamespace() + "/" + labels.get(Labels.SPARK_APP_SELECTOR);
    Map<String, String> annotations = ForeignExecutors.annotations(pod);
    String reason = annotations.get(InjectionNotes.REASON);
    if (reason != null) {
      return Optional.of(
          new ForeignAnnouncement(
              application, Announcement.warning(EventReason.NOT_INJECTED, reason)));
    }
    // The pod's label goes before that of its namespace, and an empty one names no profile.
    String own = labels.getOrDefault(Labels.INJECT, "");
    String wanted = own.isEmpty() ? profile : own;
    if (wanted.isEmpty()
        || wanted.equals(Labels.INJECT_NOT)
        || annotations.containsKey(InjectionNotes.SUMMARY)
        || created.get().isBefore(optedIn.plus(FOLLOWED))) {
      return Optional.empty();
    }
    return Optional.of(
        new ForeignAnnouncement(
            application,
            Announcement.warning(
                EventReason.NOT_REVIEWED,
                "the webhook did not answer when the executor was created, so it has no slot of profile %s and is not pinned; look at the webhook's pods (kubectl get pods -A -l app.kubernetes.io/name=numaspark-webhook) and their logs, then delete the executor's pod, and Spark replaces it"
                    .formatted(wanted))));
  }

  private static Optional<Instant> created(Pod pod) {
    try {
      return Optional.ofNullable(pod.getMetadata().getCreationTimestamp()).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
