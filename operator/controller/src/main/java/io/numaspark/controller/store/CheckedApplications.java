package io.numaspark.controller.store;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What applications that wait to be started ask for, from the rendering that found nothing to
 * refuse, so that none is rendered at each look. It holds for one spec, attempt and plan.
 *
 * <p>After a restart each waiting application is rendered once more.
 */
public final class CheckedApplications {
  private final Map<String, Checked> checked = new ConcurrentHashMap<>();

  private record Checked(Subject subject, ExecutorRequest executors) {}

  /** What a rendering depends on. */
  private record Subject(
      String uid, Long generation, int attempt, Optional<ProfileContext> profile) {
    static Subject of(SparkApplication application, int attempt, Optional<ProfileContext> profile) {
      return new Subject(
          application.getMetadata().getUid(),
          application.getMetadata().getGeneration(),
          attempt,
          profile);
    }
  }

  /** Notes that an attempt can be rendered, and what it asks for. */
  public void put(
      SparkApplication application,
      int attempt,
      Optional<ProfileContext> profile,
      ExecutorRequest executors) {
    checked.put(
        key(application.getMetadata().getNamespace(), application.getMetadata().getName()),
        new Checked(Subject.of(application, attempt, profile), executors));
  }

  /** What an attempt asks for; empty if it has to be rendered to know. */
  public Optional<ExecutorRequest> of(
      SparkApplication application, int attempt, Optional<ProfileContext> profile) {
    return Optional.ofNullable(
            checked.get(
                key(application.getMetadata().getNamespace(), application.getMetadata().getName())))
        .filter(known -> known.subject().equals(Subject.of(application, attempt, profile)))
        .map(Checked::executors);
  }

  /** Forgets an application that is gone, or need not wait any more. */
  public void forget(String namespace, String name) {
    checked.remove(key(namespace, name));
  }

  /** How many applications are remembered. */
  public int size() {
    return checked.size();
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }
}
