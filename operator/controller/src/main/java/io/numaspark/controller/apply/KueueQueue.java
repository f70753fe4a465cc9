package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.slots.KueueState;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.scheduling.KueueWorkload;
import io.numaspark.render.text.ForeignText;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Queues applications with the label {@value KueueWorkload#QUEUE} in Kueue, by a Workload that is
 * owned by the application, as Kueue's integrations do.
 *
 * <p>Limit: a Workload that somebody else made is left alone, and the application waits. What a
 * flavor says of nodes is not added to pods: the profile decides that.
 *
 * @param workloads the Workload of an application in a cache, which may be old
 * @param served whether the API server knows the kind, and the cache is filled
 */
public record KueueQueue(
    KubernetesClient client,
    Function<SparkApplication, Optional<GenericKubernetesResource>> workloads,
    BooleanSupplier served,
    InstantSource clock)
    implements WorkloadQueue {
  private static final int LONGEST_MESSAGE = 1024;

  @Override
  public boolean isFor(SparkApplication application) {
    return KueueWorkload.queue(application).isPresent();
  }

  @Override
  public Optional<String> waitsFor(SparkApplication application, GenericKubernetesResource wanted) {
    if (!served.getAsBoolean()) {
      return Optional.of(
          "label %s: the API server serves no %s of %s; install Kueue 0.16 or later and restart the operator, or remove the label"
              .formatted(KueueWorkload.QUEUE, KueueWorkload.KIND, KueueWorkload.API_VERSION));
    }
    Optional<GenericKubernetesResource> known = workloads.apply(application);
    if (known.isEmpty()) {
      return Optional.of(create(wanted));
    }
    GenericKubernetesResource workload = known.get();
    if (workload.isMarkedForDeletion()) {
      return Optional.of("the Workload that it had before is being deleted");
    }
    if (!OwnedMetadata.isOf(application, workload)) {
      return Optional.of(
          "Workload %s is not of this application; delete it, or rename the application"
              .formatted(workload.getMetadata().getName()));
    }
    KueueState state = KueueState.of(workload);
    if (state.finished() || !digest(workload).equals(digest(wanted))) {
      delete(workload);
      return Optional.of("it queues again, as its pods or its queue have changed since");
    }
    if (state.isToBeLeft()) {
      leave(application);
    } else if (state.admitted()) {
      return Optional.empty();
    }
    return Optional.of(
        "Workload %s is not admitted in LocalQueue %s%s"
            .formatted(
                workload.getMetadata().getName(),
                KueueWorkload.queue(application).orElse("?"),
                state.message().isEmpty()
                    ? ""
                    : ": " + ForeignText.line(state.message(), LONGEST_MESSAGE)));
  }

  private String create(GenericKubernetesResource wanted) {
    try {
      client.resource(wanted).create();
      return "Workload %s was put into the queue".formatted(wanted.getMetadata().getName());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return "Workload %s is being created".formatted(wanted.getMetadata().getName());
      }
      if (e.getCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
        throw e; // The API server is unwell: the framework retries.
      }
      return "Workload %s is refused: %s"
          .formatted(
              wanted.getMetadata().getName(), ForeignText.line(e.getMessage(), LONGEST_MESSAGE));
    }
  }

  @Override
  public boolean isEvicted(SparkApplication application) {
    return own(application).map(KueueState::of).filter(KueueState::isToBeLeft).isPresent();
  }

  @Override
  public void leave(SparkApplication application) {
    own(application)
        .filter(workload -> KueueState.of(workload).isToBeLeft())
        .ifPresent(workload -> write(workload, KueueState.left(workload, now())));
  }

  @Override
  public void withdraw(SparkApplication application) {
    own(application).ifPresent(this::delete);
  }

  @Override
  public void finish(SparkApplication application, boolean succeeded) {
    own(application)
        .filter(workload -> !KueueState.of(workload).finished())
        .ifPresent(workload -> write(workload, KueueState.finished(workload, succeeded, now())));
  }

  private Optional<GenericKubernetesResource> own(SparkApplication application) {
    return workloads
        .apply(application)
        .filter(workload -> !workload.isMarkedForDeletion())
        .filter(workload -> OwnedMetadata.isOf(application, workload));
  }

  /** Replaced with the version that was read. */
  private void write(GenericKubernetesResource workload, Map<String, Object> status) {
    GenericKubernetesResource replacement = Serialization.clone(workload);
    replacement.setAdditionalProperty("status", status);
    unlessChanged(() -> client.resource(replacement).updateStatus());
  }

  private void delete(GenericKubernetesResource workload) {
    unlessChanged(
        () ->
            client
                .resource(workload)
                .lockResourceVersion(workload.getMetadata().getResourceVersion())
                .delete());
  }

  /** What was changed or deleted since it was read is decided on once more, by its event. */
  private static void unlessChanged(Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String digest(GenericKubernetesResource workload) {
    Map<String, String> annotations = workload.getMetadata().getAnnotations();
    return annotations == null
        ? ""
        : Objects.requireNonNullElse(annotations.get(KueueWorkload.DIGEST), "");
  }
}
