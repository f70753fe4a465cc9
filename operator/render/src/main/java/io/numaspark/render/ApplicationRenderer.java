package io.numaspark.render;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Attempt;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Concern.Whole;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.application.Policies;
import io.numaspark.render.application.Preparation;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SizedExecutors;
import io.numaspark.render.application.SizedExecutors.Refused;
import io.numaspark.render.application.SizedExecutors.Sized;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.driver.DependencyConf;
import io.numaspark.render.driver.DriverManifests;
import io.numaspark.render.driver.DriverProtection;
import io.numaspark.render.driver.SparkRun;
import io.numaspark.render.driver.WebAccess;
import io.numaspark.render.executors.DecommissionConf;
import io.numaspark.render.executors.DynamicAllocationConf;
import io.numaspark.render.executors.ExecutorJvm;
import io.numaspark.render.executors.ExecutorPlacement;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.executors.ExecutorPods;
import io.numaspark.render.executors.RetryLimits;
import io.numaspark.render.executors.WorkloadConf;
import io.numaspark.render.lineage.LineageListener;
import io.numaspark.render.monitoring.MetricsExposure;
import io.numaspark.render.plugin.SparkPluginUse;
import io.numaspark.render.rules.FieldAdvice;
import io.numaspark.render.rules.FieldWarnings;
import io.numaspark.render.rules.GrantRules;
import io.numaspark.render.rules.PodFieldWarnings;
import io.numaspark.render.rules.SpecRules;
import io.numaspark.render.rules.UserProperties;
import io.numaspark.render.scheduling.BatchScheduling;
import io.numaspark.render.shuffle.ShuffleInMemory;
import io.numaspark.render.sizing.ExecutorSplit;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Renders an attempt of an application: the same application and plan give the same bytes.
 *
 * <p>The attempt is parsed once into a {@link Request}. Each {@link Concern} answers it with a
 * {@link Contribution}, and the contributions are folded into manifests. A new feature is a class
 * and a line in {@link #CONCERNS}.
 */
public final class ApplicationRenderer {
  /**
   * Values do not depend on this order. Lists follow it: of volumes, objects and warnings, of the
   * items that are appended to a property, and of what is refused, of which the first is reported.
   */
  static final List<Concern> CONCERNS =
      List.of(
          new FieldAdvice(),
          new SparkRun(),
          new UserProperties(),
          new DependencyConf(),
          new ExecutorPods(),
          new WorkloadConf(),
          new RetryLimits(),
          new DynamicAllocationConf(),
          new DecommissionConf(),
          new ExecutorJvm(),
          new MetricsExposure(),
          new SparkPluginUse(),
          new ShuffleInMemory(),
          new ExecutorPlacement(),
          new LineageListener(),
          new WebAccess(),
          new DriverProtection(),
          new BatchScheduling(),
          new GrantRules());

  private final Policies policies;
  private final List<Concern> concerns;

  /**
   * A renderer that makes what applications ask for.
   *
   * @param defaultServiceAccount service account of drivers whose application names none
   */
  public ApplicationRenderer(String defaultServiceAccount) {
    this(defaultServiceAccount, UiPolicy.AS_ASKED, PluginPolicy.NONE, Grants.AS_ASKED);
  }

  /**
   * A renderer.
   *
   * @param defaultServiceAccount service account of drivers whose application names none
   * @param ui what is made for web UIs
   * @param plugin what there is for the Spark plugin
   * @param grants what applications may ask for
   */
  public ApplicationRenderer(
      String defaultServiceAccount, UiPolicy ui, PluginPolicy plugin, Grants grants) {
    this(new Policies(defaultServiceAccount, ui, plugin, grants), CONCERNS);
  }

  ApplicationRenderer(Policies policies, List<Concern> concerns) {
    this.policies = policies;
    this.concerns = concerns;
  }

  /** The manifests of the attempt that the application's status names, or of its first. */
  public RenderResult render(SparkApplication application, Optional<ProfileContext> profile) {
    return render(application, profile, ApplicationIdentity.of(application).attempt());
  }

  /** The manifests of one attempt, or why it is refused. */
  public RenderResult render(
      SparkApplication application, Optional<ProfileContext> profile, int attempt) {
    Preparation prepared = prepare(application, profile, attempt);
    return prepared instanceof Request request ? fold(request) : (Refusal) prepared;
  }

  /**
   * What one attempt of an application asks for, or why it is refused. All that a user can have
   * done wrong is found here.
   *
   * @param profile empty for an ordinary application
   * @param attempt number of the attempt, from 1
   */
  public Preparation prepare(
      SparkApplication application, Optional<ProfileContext> profile, int attempt) {
    try {
      // Names are made of fields that may be missing in a file, so they are checked first.
      GivenPods pods = SpecRules.read(application.getSpec());
      SparkApplicationSpec spec = pods.spec();
      Attempt asked =
          new Attempt(
              spec,
              application.getSpec(),
              ApplicationIdentity.of(application, attempt),
              profile,
              policies);
      Optional<Refusal> refusal =
          first(concern -> concern.contradiction(spec, pods))
              .or(() -> first(concern -> concern.refusal(asked)));
      if (refusal.isPresent()) {
        return refusal.get();
      }
      SizedExecutors executors = ExecutorSplit.of(spec, profile);
      if (executors instanceof Refused refused) {
        return refused.refusal();
      }
      Request request = Request.of(asked, (Sized) executors, pods);
      return first(concern -> concern.refusal(request)).<Preparation>map(r -> r).orElse(request);
    } catch (IllegalArgumentException e) {
      return invalid(e);
    }
  }

  private static Refusal invalid(IllegalArgumentException e) {
    return new Refusal(RefusalReason.SPEC_INVALID, e.getMessage());
  }

  private Optional<Refusal> first(Function<Concern, Optional<Refusal>> check) {
    return concerns.stream().map(check).flatMap(Optional::stream).findFirst();
  }

  /** The manifests of an attempt that was not refused. */
  public Manifests fold(Request request) {
    List<Contribution> given =
        concerns.stream().map(concern -> concern.contribution(request)).toList();
    SparkProperties properties =
        SparkProperties.of(given.stream().flatMap(one -> one.properties().stream()).toList());
    DriverManifests driver = new DriverManifests(request, properties);
    Whole whole =
        extended(new Whole(properties, driver.pod(), ExecutorPodTemplate.of(request)), given);
    List<Contribution> completions =
        concerns.stream().map(concern -> concern.completion(request, whole)).toList();
    requireAgreement("driver", Contribution::driver, given, completions);
    requireAgreement("executor", Contribution::executor, given, completions);
    Whole complete = extended(whole, completions);
    List<HasMetadata> objects = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    Stream.concat(given.stream(), completions.stream())
        .forEach(
            one -> {
              objects.addAll(one.objects());
              warnings.addAll(one.warnings());
            });
    return new Manifests(
        driver.service(),
        driver.configuration(complete.executor()),
        List.copyOf(objects),
        complete.driver(),
        request.executors(),
        properties,
        WebAccess.endpoints(request.attempt()).webUi(),
        inEffect(WorkloadConf.of(request), properties),
        List.copyOf(warnings));
  }

  private void requireAgreement(
      String pod,
      Function<Contribution, PodAdditions> of,
      List<Contribution> given,
      List<Contribution> completions) {
    List<PodAdditions.By> additions = new ArrayList<>();
    for (List<Contribution> all : List.of(given, completions)) {
      for (int i = 0; i < concerns.size(); i++) {
        String concern = concerns.get(i).getClass().getSimpleName();
        additions.add(new PodAdditions.By(concern, of.apply(all.get(i))));
      }
    }
    PodAdditions.requireAgreement(pod, additions);
  }

  private static Whole extended(Whole whole, List<Contribution> contributions) {
    Pod driver =
        PodAdditions.applyAll(
            whole.driver(),
            Labels.DRIVER_CONTAINER,
            contributions.stream().map(Contribution::driver).toList());
    Pod executor =
        PodAdditions.applyAll(
            whole.executor(),
            Labels.EXECUTOR_CONTAINER,
            contributions.stream().map(Contribution::executor).toList());
    return new Whole(whole.properties(), driver, executor);
  }

  /** Without those that the user's own replaced. */
  private static List<SparkProperty> inEffect(
      List<SparkProperty> properties, SparkProperties inEffect) {
    return properties.stream()
        .filter(property -> inEffect.has(property.key(), property.value()))
        .toList();
  }

  /** Why an application can never be run, whatever its profile: a field that its schema refuses. */
  public static Optional<Refusal> check(SparkApplicationSpec spec) {
    return refusal(spec, List.of());
  }

  /**
   * Why an application can never be run, whatever the plan of its profile: {@link #check} and what
   * its Spark properties and options contradict.
   */
  public static Optional<Refusal> refusal(SparkApplicationSpec spec) {
    return refusal(spec, CONCERNS);
  }

  private static Optional<Refusal> refusal(SparkApplicationSpec spec, List<Concern> concerns) {
    try {
      GivenPods pods = SpecRules.read(spec);
      return concerns.stream()
          .map(concern -> concern.contradiction(pods.spec(), pods))
          .flatMap(Optional::stream)
          .findFirst();
    } catch (IllegalArgumentException e) {
      return Optional.of(invalid(e));
    }
  }

  /**
   * Fields that an application gives and that have no effect, whatever the operator's settings; one
   * sentence each with the field and the remedy.
   *
   * @param given one that is not refused
   */
  public static List<String> withoutEffect(SparkApplicationSpec given) {
    GivenPods pods = SpecRules.read(given);
    SparkApplicationSpec spec = pods.spec();
    // An operator may have an Ingress for web UIs, so their options are not spoken of.
    List<String> warnings =
        new ArrayList<>(
            FieldWarnings.of(
                spec, new UiPolicy(true, Optional.of("{{$appName}}"), Optional.empty())));
    warnings.addAll(PodFieldWarnings.of(spec, pods));
    return List.copyOf(warnings);
  }
}
