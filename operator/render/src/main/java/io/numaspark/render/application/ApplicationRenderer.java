package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.SizedExecutors.Refused;
import io.numaspark.render.application.SizedExecutors.Sized;
import io.numaspark.render.sparkpod.FieldPods;
import io.numaspark.render.sparkpod.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Renders an attempt of an application: the same application and plan give the same bytes. */
public final class ApplicationRenderer {
  private final String defaultServiceAccount;
  private final UiPolicy ui;
  private final PluginPolicy plugin;
  private final Grants grants;

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
    this.defaultServiceAccount = defaultServiceAccount;
    this.ui = ui;
    this.plugin = plugin;
    this.grants = grants;
  }

  /** The manifests of the attempt that the application's status names, or of its first. */
  public RenderResult render(SparkApplication application, Optional<ProfileContext> profile) {
    return render(application, profile, ApplicationIdentity.of(application).attempt());
  }

  /**
   * The manifests of one attempt of an application, or why it is refused.
   *
   * @param profile empty for an ordinary application
   * @param attempt number of the attempt, from 1
   */
  public RenderResult render(
      SparkApplication application, Optional<ProfileContext> profile, int attempt) {
    SparkApplicationSpec spec = application.getSpec();
    // Names are made of fields that may be missing in a file, so they are checked first.
    Optional<Refusal> refusal = check(spec);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    ApplicationIdentity identity = ApplicationIdentity.of(application, attempt);
    DriverEndpoints endpoints = new DriverEndpoints(spec, identity, ui);
    refusal =
        checkBeyondSchema(spec, profile.isPresent())
            .or(() -> SparkPluginUse.check(spec, plugin))
            .or(() -> SharedPages.check(spec, identity.namespace(), plugin))
            .or(endpoints::refusal)
            .or(() -> GrantRules.check(spec, identity, endpoints, grants));
    if (refusal.isPresent()) {
      return refusal.get();
    }
    SizedExecutors executors = SizedExecutors.of(spec, profile);
    if (executors instanceof Refused refused) {
      return refused.refusal();
    }
    Sized sized = (Sized) executors;
    Optional<JvmRules> jvm =
        sized
            .executors()
            .pinned()
            .map(executor -> new JvmRules(spec, profile.orElseThrow(), executor));
    refusal = jvm.flatMap(JvmRules::refusal);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    String serviceAccount =
        FieldPods.serviceAccount(Side.DRIVER, spec).orElse(defaultServiceAccount);
    try {
      return new AttemptRendering(spec, identity, profile, sized, plugin)
          .manifests(serviceAccount, endpoints, jvm, ui);
    } catch (IllegalArgumentException e) {
      return new Refusal(RefusalReason.SPEC_INVALID, e.getMessage());
    }
  }

  /** Why an application can never be run, whatever its profile: a field that its schema refuses. */
  public static Optional<Refusal> check(SparkApplicationSpec spec) {
    return SpecRules.check(spec);
  }

  /**
   * Why an application can never be run, whatever the plan of its profile: {@link #check} and what
   * its Spark properties and options contradict.
   */
  public static Optional<Refusal> refusal(SparkApplicationSpec spec) {
    return check(spec).or(() -> checkBeyondSchema(spec, spec.nodeProfile() != null));
  }

  /**
   * Fields that an application gives and that have no effect, whatever the operator's settings; one
   * sentence each with the field and the remedy.
   *
   * @param spec one that is not refused
   */
  public static List<String> withoutEffect(SparkApplicationSpec spec) {
    // An operator may have an Ingress for web UIs, so their options are not spoken of.
    List<String> warnings =
        new ArrayList<>(
            FieldWarnings.of(
                spec, new UiPolicy(true, Optional.of("{{$appName}}"), Optional.empty())));
    warnings.addAll(PodFieldWarnings.of(spec, SparkConf.orEmpty(spec.sparkConf())));
    return List.copyOf(warnings);
  }

  private static Optional<Refusal> checkBeyondSchema(SparkApplicationSpec spec, boolean pinned) {
    return ConfRules.check(spec, pinned)
        .or(() -> DriverConfRules.check(spec))
        .or(() -> ShuffleRules.check(spec))
        .or(() -> DynamicExecutors.check(spec))
        .or(() -> MetricsExposure.check(spec))
        .or(() -> BatchScheduling.check(spec));
  }

  /** The port of the driver's web UI. */
  public static int uiPort(SparkApplicationSpec spec) {
    return DriverManifests.uiPort(SparkConf.orEmpty(spec.sparkConf()));
  }

  /** Whether the driver has a web UI, which is on unless the user switched it off. */
  public static boolean isUiEnabled(SparkApplicationSpec spec) {
    return !"false".equalsIgnoreCase(SparkConf.orEmpty(spec.sparkConf()).get("spark.ui.enabled"));
  }
}
