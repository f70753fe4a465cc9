package io.numaspark.render.plugin;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.numaspark.api.v1alpha1.AdaptiveExecutors;
import io.numaspark.api.v1alpha1.ShuffleSpec.Storage;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkPlugin;
import io.numaspark.render.application.Attempt;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.DriverUi;
import io.numaspark.render.application.PluginJar;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.ShuffleSize;
import io.numaspark.render.application.SparkRelease;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * numaspark's Spark plugin in driver and executors: its jar on the class path, its settings, and
 * the driver's Prometheus endpoint, where it says what it finds.
 *
 * <p>Limit: of a Spark version that is not given nothing is known, so the plugin is loaded only if
 * the application asks for it.
 */
public final class SparkPluginUse implements Concern {
  static final String CLASS = "numaspark.plugin.NumasparkPlugin";

  private static final String VOLUME = "numaspark-plugin";
  private static final String ADAPTIVE = "spark.numaspark.adaptive.";
  private static final String METRICS = "spark.metrics.";
  private static final String SERVLET = METRICS + "conf.driver.sink.prometheusServlet.";

  private static final String ENDPOINT = "/metrics/prometheus";

  /** With the slash: Spark answers without it by a redirection. */
  private static final String PAGE = ENDPOINT + "/";

  @Override
  public Optional<Refusal> refusal(Attempt attempt) {
    SparkApplicationSpec spec = attempt.spec();
    boolean off = Boolean.FALSE.equals(plugin(spec).enabled());
    if (off && isAdaptive(spec)) {
      return Optional.of(
          new Refusal(
              RefusalReason.SPEC_INVALID,
              "spec.sparkPlugin.enabled: is false, but spec.adaptiveExecutors.mode: "
                  + spec.adaptiveExecutors().mode()
                  + " is the plugin's work; remove one of the two"));
    }
    Optional<String> reason = needs(spec);
    return reason.isPresent() && jar(spec, attempt.policies().plugin()).isEmpty()
        ? Optional.of(
            new Refusal(
                RefusalReason.SPARK_PLUGIN_MISSING,
                reason.get()
                    + " needs numaspark's Spark plugin, and this operator does not know where its"
                    + " jar is; set the Helm value sparkPlugin.image.repository or sparkPlugin.path, or"
                    + " give spec.sparkPlugin.path if the image of driver and executors brings it"))
        : Optional.empty();
  }

  @Override
  public Contribution contribution(Request request) {
    return use(request.spec(), request.policies().plugin())
        .map(use -> use.contribution(request))
        .orElse(Contribution.NONE);
  }

  /** Empty if neither the application nor the operator wants it. */
  private static Optional<Use> use(SparkApplicationSpec spec, PluginPolicy policy) {
    boolean off = Boolean.FALSE.equals(plugin(spec).enabled());
    boolean byDefault = policy.byDefault() && isRecent(spec.sparkVersion()) && !off;
    return needs(spec).isPresent() || byDefault
        ? jar(spec, policy).map(jar -> new Use(jar, !off))
        : Optional.empty();
  }

  /** The field that cannot do without the jar. */
  private static Optional<String> needs(SparkApplicationSpec spec) {
    if (ShuffleSize.storage(spec) == Storage.Pages) {
      return Optional.of("spec.shuffle.storage: Pages");
    }
    if (isAdaptive(spec)) {
      return Optional.of("spec.adaptiveExecutors.mode: " + spec.adaptiveExecutors().mode());
    }
    boolean asked = Boolean.TRUE.equals(plugin(spec).enabled()) || plugin(spec).path() != null;
    return asked ? Optional.of("spec.sparkPlugin") : Optional.empty();
  }

  private static SparkPlugin plugin(SparkApplicationSpec spec) {
    return Objects.requireNonNullElse(spec.sparkPlugin(), new SparkPlugin(null, null));
  }

  private static Optional<PluginJar> jar(SparkApplicationSpec spec, PluginPolicy policy) {
    return Optional.ofNullable(plugin(spec).path())
        .<PluginJar>map(PluginJar.InImage::new)
        .or(policy::jar);
  }

  private static boolean isAdaptive(SparkApplicationSpec spec) {
    return spec.adaptiveExecutors() != null
        && spec.adaptiveExecutors().mode() != null
        && spec.adaptiveExecutors().mode() != AdaptiveExecutors.Mode.Disabled;
  }

  /** Images of older Sparks may have a Java that cannot read the plugin's classes. */
  private static boolean isRecent(String sparkVersion) {
    return sparkVersion != null && !SparkRelease.isBefore(sparkVersion, 4, 1);
  }

  /**
   * The plugin as one application has it.
   *
   * @param jar on the class path of both sides
   * @param loaded whether it is among spark.plugins; the shuffle manager needs only the jar
   */
  private record Use(PluginJar jar, boolean loaded) {

    Contribution contribution(Request request) {
      return Contribution.of(settings(request)).withDriver(driver(request)).withExecutor(mounted());
    }

    /** Adds to the user's lists, and to nothing else that the user gives. */
    private Settings settings(Request request) {
      Settings settings = new Settings();
      Settings.From derived = settings.derived("numaspark's Spark plugin");
      derived
          .append("spark.driver.extraClassPath", List.of(jar.path()))
          .append("spark.executor.extraClassPath", List.of(jar.path()));
      if (!loaded) {
        return settings;
      }
      derived.append(SparkKeys.PLUGINS, List.of(CLASS));
      if (isAdaptive(request.spec())) {
        AdaptiveExecutors adaptive = request.spec().adaptiveExecutors();
        settings
            .field("spec.adaptiveExecutors")
            .put(ADAPTIVE + "mode", adaptive.mode().name().toLowerCase(Locale.ROOT))
            .put(ADAPTIVE + "static.threads", adaptive.threads());
      }
      // The driver's endpoint; executors have no web server. It comes to what spec.monitoring sets.
      if (!hasNames(request)) {
        // Else each metric has the run's id in its name.
        derived.put(METRICS + "namespace", "spark");
      }
      derived
          .put("spark.ui.prometheus.enabled", "true")
          .put(SERVLET + "class", "org.apache.spark.metrics.sink.PrometheusServlet")
          .put(SERVLET + "path", ENDPOINT);
      return settings;
    }

    /** Whether the application decides itself how Spark's metrics are called. */
    private static boolean hasNames(Request request) {
      return request.spec().monitoring() != null
          || request.spec().sparkConfigMap() != null
          || request.userConf().keySet().stream().anyMatch(key -> key.startsWith(METRICS));
    }

    /** What the driver pod gets: the jar, and the annotations by which Prometheus finds it. */
    private PodAdditions driver(Request request) {
      boolean scraped = loaded && DriverUi.isEnabled(request.spec());
      return scraped
          ? mounted()
              .scrapedUnlessGiven(
                  Map.of(
                      PodAdditions.SCRAPE,
                      "true",
                      "prometheus.io/port",
                      String.valueOf(request.uiPort()),
                      "prometheus.io/path",
                      PAGE))
          : mounted();
    }

    private PodAdditions mounted() {
      return jar instanceof PluginJar.InVolume volume
          ? PodAdditions.mounted(
              List.of(image(volume)),
              List.of(
                  new VolumeMountBuilder()
                      .withName(VOLUME)
                      .withMountPath(PluginJar.FOLDER)
                      .withReadOnly(true)
                      .build()),
              List.of(),
              Map.of())
          : PodAdditions.NONE;
    }

    private static Volume image(PluginJar.InVolume volume) {
      return new VolumeBuilder()
          .withName(VOLUME)
          .withNewImage(volume.pullPolicy().orElse(null), volume.image())
          .build();
    }
  }
}
