package io.numaspark.controller.watch;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.controller.event.Signal;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is watched for trials: themselves, their runs, and their profiles. */
public final class TrialWatches {
  private final Signal<SparkTrial> gone = new Signal<>();
  private volatile IndexerResourceCache<SparkTrial> trials;
  private volatile InformerEventSource<SparkApplication, SparkTrial> runs;
  private volatile InformerEventSource<SparkNodeProfile, SparkTrial> profiles;

  /** Emitted when a trial was deleted. */
  public Signal<SparkTrial> gone() {
    return gone;
  }

  /** Makes the event sources. */
  public List<EventSource<?, SparkTrial>> prepare(EventSourceContext<SparkTrial> context) {
    trials = context.getPrimaryCache();
    runs =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkApplication.class, SparkTrial.class)
                .withName("runs")
                .withLabelSelector(Labels.TRIAL)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(SparkTrial.class))
                .build(),
            context);
    profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, SparkTrial.class)
                .withName("profiles")
                .withWatchAllNamespaces()
                .withSecondaryToPrimaryMapper(profile -> trialsOf(profile))
                .build(),
            context);
    return List.of(runs, profiles, new Deletions());
  }

  private Set<ResourceID> trialsOf(SparkNodeProfile profile) {
    return trials
        .list(
            trial ->
                profile.getMetadata().getName().equals(trial.getSpec().template().nodeProfile()))
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** The reconciler is not told of deletions, as there is no finalizer. */
  private final class Deletions extends SimpleInboundEventSource<SparkTrial>
      implements ResourceEventAware<SparkTrial> {
    Deletions() {
      super("deletions");
    }

    @Override
    public void onResourceDeleted(SparkTrial trial) {
      gone.emit(trial);
    }
  }

  /** Whether the trials are known: they are read before their runs. */
  public boolean isLoaded() {
    return runs != null && runs.isRunning();
  }

  /** The trials that are known now. */
  public Stream<SparkTrial> trials() {
    return trials == null ? Stream.of() : trials.list();
  }

  /** A profile. */
  public Optional<SparkNodeProfile> profile(String name) {
    return profiles.get(new ResourceID(name));
  }

  /** The application of a run. */
  public Optional<SparkApplication> run(String namespace, String name) {
    return runs.get(new ResourceID(name, namespace));
  }

  /** All runs of a trial that exist. */
  public List<SparkApplication> runs(SparkTrial trial) {
    String uid = trial.getMetadata().getUid();
    return runs.list(trial.getMetadata().getNamespace(), run -> isOf(run, uid)).toList();
  }

  private static boolean isOf(SparkApplication run, String uid) {
    return run.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> uid.equals(owner.getUid()));
  }
}
