package io.numaspark.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.controller.apply.ObjectStore;
import io.numaspark.controller.observe.AttemptPods;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An API server in memory with one application, that can kill its client after any write.
 *
 * <p>It fails the test if a driver pod is created twice, or while another one lives.
 */
final class InMemoryCluster implements ObjectStore, AttemptPods {

  /** The client is dead: nothing may catch this. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  final Map<String, HasMetadata> objects = new TreeMap<>();
  final List<String> driversCreated = new ArrayList<>();

  /** Whether the API server serves the groups of pods that the application needs. */
  boolean servesPodGroups;

  /** Attempts that an operator may have something in memory of. */
  final Set<String> remembered = new TreeSet<>();

  private final Set<Integer> kills;
  private SparkApplication application;
  private Map<String, HasMetadata> cache = Map.of();
  private final boolean lagging;
  private int writes;
  private int version;
  private int refusals;
  private Optional<Pod> lastDriver = Optional.empty();

  /**
   * A cluster.
   *
   * @param kills numbers of the writes, from 1, after which the client dies
   * @param lagging whether pods are seen one step late
   */
  InMemoryCluster(SparkApplication application, Set<Integer> kills, boolean lagging) {
    this.application = application;
    this.kills = kills;
    this.lagging = lagging;
    touch();
  }

  /** The next so many driver pods are refused, as for a missing service account. */
  void refuseDrivers(int count) {
    refusals = count;
  }

  int writes() {
    return writes;
  }

  /** The application as it is; empty when it was deleted. */
  Optional<SparkApplication> application() {
    return Optional.ofNullable(application).map(Serialization::clone);
  }

  /** A user's edit of the spec. */
  void edit(SparkApplication edited) {
    edited.setStatus(application.getStatus());
    edited.getMetadata().setGeneration(application.getMetadata().getGeneration() + 1);
    application = edited;
    touch();
  }

  /** What a watch would bring. */
  void sync() {
    cache = Map.copyOf(objects);
  }

  Optional<Pod> pod(String name) {
    return Optional.ofNullable((Pod) objects.get("Pod/" + name));
  }

  void setPod(Pod pod) {
    objects.put(key(pod), pod);
  }

  /** A driver pod goes while nobody looks; a watch has brought this version of it before. */
  void removeDriver(Pod lastSeen) {
    objects.remove(key(lastSeen));
    lastDriver = Optional.of(lastSeen);
  }

  /** The kubelet's part and the garbage collector's: what is marked goes, and its executors. */
  void removeMarked() {
    List<HasMetadata> marked =
        objects.values().stream()
            .filter(object -> object.getMetadata().getDeletionTimestamp() != null)
            .toList();
    marked.forEach(object -> objects.remove(key(object)));
    marked.stream()
        .filter(object -> Labels.ROLE_DRIVER.equals(label(object, Labels.SPARK_ROLE)))
        .forEach(
            driver ->
                objects
                    .values()
                    .removeIf(
                        object ->
                            Labels.ROLE_EXECUTOR.equals(label(object, Labels.SPARK_ROLE))
                                && label(driver, Labels.SPARK_APP_SELECTOR)
                                    .equals(label(object, Labels.SPARK_APP_SELECTOR))));
  }

  @Override
  public HasMetadata create(HasMetadata wanted) {
    if (objects.containsKey(key(wanted))) {
      throw failure(409);
    }
    if (wanted instanceof Pod && refusals-- > 0) {
      throw failure(403);
    }
    HasMetadata created = Serialization.clone(wanted);
    created.getMetadata().setUid("uid-" + ++version);
    if (created instanceof Pod pod) {
      String driver = driver(pod);
      assertThat(driversCreated).as("drivers created").doesNotContain(driver);
      assertThat(livingDrivers()).as("living drivers beside a new one").isEmpty();
      driversCreated.add(driver);
      pod.setStatus(new PodStatus());
      pod.getStatus().setPhase("Pending");
    }
    objects.put(key(created), created);
    written();
    return Serialization.clone(created);
  }

  /** What a driver is created once for. */
  static String driver(Pod pod) {
    return pod.getMetadata().getName() + " of " + label(pod, Labels.SPARK_APP_SELECTOR);
  }

  List<String> livingDrivers() {
    return objects.values().stream()
        .filter(object -> Labels.ROLE_DRIVER.equals(label(object, Labels.SPARK_ROLE)))
        .map(Pod.class::cast)
        .filter(pod -> Set.of("Pending", "Running").contains(pod.getStatus().getPhase()))
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  @Override
  public Optional<HasMetadata> find(HasMetadata like) {
    return Optional.ofNullable(objects.get(key(like))).map(Serialization::clone);
  }

  @Override
  public void delete(HasMetadata object) {
    objects.remove(key(object));
    written();
  }

  @Override
  public void deletePodsAtOnce(String namespace, Map<String, String> labels) {
    objects
        .values()
        .removeIf(
            object ->
                object instanceof Pod
                    && object.getMetadata().getLabels().entrySet().containsAll(labels.entrySet()));
    written();
  }

  /** Pods only get their mark, as from an API server: the kubelet stops them first. */
  @Override
  public void deleteAll(
      String apiVersion, String kind, String namespace, Map<String, String> labels) {
    List<HasMetadata> found =
        objects.values().stream()
            .filter(object -> kind.equals(object.getKind()))
            .filter(
                object ->
                    object.getMetadata().getLabels().entrySet().containsAll(labels.entrySet()))
            .toList();
    for (HasMetadata object : found) {
      if (object instanceof Pod pod
          && Set.of("Pending", "Running").contains(pod.getStatus().getPhase())) {
        Pod marked = Serialization.clone(pod);
        marked.getMetadata().setDeletionTimestamp("2026-11-21T08:00:00Z");
        setPod(marked);
      } else {
        objects.remove(key(object));
      }
    }
    written();
  }

  @Override
  public SparkApplication writeStatus(SparkApplication read, SparkApplicationStatus status) {
    requireCurrent(read);
    application = Serialization.clone(application);
    // Through JSON as on the wire: what is not written must not be missed.
    application.setStatus(Serialization.clone(status));
    if (status.sparkApplicationId() != null) {
      remembered.add(status.sparkApplicationId());
    }
    touch();
    written();
    return Serialization.clone(application);
  }

  @Override
  public void deleteApplication(SparkApplication read) {
    requireCurrent(read);
    application = null;
    written();
  }

  private void requireCurrent(SparkApplication read) {
    if (application == null) {
      throw failure(404);
    }
    if (!application
        .getMetadata()
        .getResourceVersion()
        .equals(read.getMetadata().getResourceVersion())) {
      throw failure(409);
    }
  }

  private void written() {
    writes++;
    if (kills.contains(writes)) {
      throw new Killed();
    }
  }

  private void touch() {
    application.getMetadata().setResourceVersion(String.valueOf(++version));
  }

  @Override
  public Optional<Pod> cachedDriver(ApplicationIdentity attempt) {
    return Optional.ofNullable((Pod) seen().get("Pod/" + attempt.names().driverPod()));
  }

  @Override
  public Optional<Pod> liveDriver(ApplicationIdentity attempt) {
    return pod(attempt.names().driverPod());
  }

  @Override
  public Optional<Pod> lastDriver(ApplicationIdentity attempt) {
    return lastDriver;
  }

  @Override
  public List<Pod> executors(ApplicationIdentity attempt) {
    return seen().values().stream()
        .filter(object -> Labels.ROLE_EXECUTOR.equals(label(object, Labels.SPARK_ROLE)))
        .filter(
            object -> attempt.names().sparkAppId().equals(label(object, Labels.SPARK_APP_SELECTOR)))
        .map(Pod.class::cast)
        .toList();
  }

  @Override
  public List<Pod> failedExecutors(ApplicationIdentity attempt) {
    return List.of();
  }

  @Override
  public void counted(ApplicationIdentity attempt, List<Pod> pods) {}

  private Map<String, HasMetadata> seen() {
    return lagging ? cache : objects;
  }

  @Override
  public void forget(String namespace, String sparkAppId) {
    remembered.remove(sparkAppId);
  }

  static String label(HasMetadata object, String key) {
    return object.getMetadata().getLabels() == null
        ? null
        : object.getMetadata().getLabels().get(key);
  }

  private static String key(HasMetadata object) {
    return object.getKind() + "/" + object.getMetadata().getName();
  }

  private static KubernetesClientException failure(int code) {
    return new KubernetesClientException(
        "code " + code, code, new StatusBuilder().withCode(code).withMessage("refused").build());
  }
}
