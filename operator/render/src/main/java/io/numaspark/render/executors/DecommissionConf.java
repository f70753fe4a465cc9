package io.numaspark.render.executors;

import io.numaspark.api.v1alpha1.Decommission;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Spark's decommissioning of executors (spec.decommission): the properties; the time that the pods
 * get is a part of the pods.
 *
 * <p>Limit: Spark tells an executor by a script of the image, {@code /opt/decom.sh}, which nothing
 * here can look for.
 */
public final class DecommissionConf implements Concern {
  private static final String FIELD = "spec.decommission";
  private static final String ENABLED = "spark.decommission.enabled";
  private static final String STORAGE = "spark.storage.decommission.enabled";
  private static final String SHUFFLE = "spark.storage.decommission.shuffleBlocks.enabled";
  private static final String CACHED = "spark.storage.decommission.rddBlocks.enabled";
  private static final String FALLBACK = "spark.storage.decommission.fallbackStorage.path";
  private static final String KILL_INTERVAL = "spark.executor.decommission.killInterval";

  /** Otherwise reads from an executor that has gone count towards the end of the application. */
  private static final String IGNORE_FETCH_FAILURE = "spark.stage.ignoreDecommissionFetchFailure";

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    Map<String, String> conf = SparkProperties.orEmpty(spec.sparkConf());
    return spec.decommission() == null
        ? Optional.empty()
        : List.of(ENABLED, STORAGE).stream()
            .filter(key -> conf.getOrDefault(key, "").equalsIgnoreCase("false"))
            .findFirst()
            .map(
                key ->
                    new Refusal(
                        RefusalReason.SPARK_CONF_REFUSED,
                        "spec.sparkConf[\"%s\"]: is false, but %s is given; remove one of the two"
                            .formatted(key, FIELD)));
  }

  @Override
  public Contribution contribution(Request request) {
    Decommission decommission = request.spec().decommission();
    if (decommission == null) {
      return Contribution.NONE;
    }
    boolean shuffle = !Boolean.FALSE.equals(decommission.shuffleBlocks());
    boolean cached = !Boolean.FALSE.equals(decommission.cachedBlocks());
    Settings settings = new Settings();
    settings.field(FIELD).put(ENABLED, true).put(STORAGE, shuffle || cached);
    settings.field(FIELD + ".shuffleBlocks", SHUFFLE, shuffle);
    settings.field(FIELD + ".cachedBlocks", CACHED, cached);
    settings.field(FIELD + ".fallbackStorage", FALLBACK, decommission.fallbackStorage());
    settings.field(
        FIELD + ".graceSeconds", KILL_INTERVAL, GivenPods.graceSeconds(decommission) + "s");
    settings.derived(FIELD).put(IGNORE_FETCH_FAILURE, true);
    return Contribution.of(settings);
  }
}
