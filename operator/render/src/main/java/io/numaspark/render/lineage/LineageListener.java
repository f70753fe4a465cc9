package io.numaspark.render.lineage;

import io.numaspark.api.v1alpha1.Dependencies;
import io.numaspark.api.v1alpha1.OpenLineage;
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
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * OpenLineage's listener in the driver (spec.openLineage), with its HTTP transport.
 *
 * <p>Limit: the listener was not run with this project; its properties follow OpenLineage's
 * documentation. Tokens are not a field, so that no spec holds one: mount a configuration file, or
 * use spec.driver.env.
 */
public final class LineageListener implements Concern {
  private static final String LISTENER = "io.openlineage.spark.agent.OpenLineageSparkListener";
  private static final String PREFIX = "spark.openlineage.";
  private static final String TYPE = PREFIX + "transport.type";
  private static final String ARTIFACT = "openlineage-spark";

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    String type = SparkProperties.orEmpty(spec.sparkConf()).get(TYPE);
    return spec.openLineage() == null || type == null || type.equals("http")
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                RefusalReason.SPARK_CONF_REFUSED,
                "spec.sparkConf[\"%s\"]: is %s, but spec.openLineage sends by HTTP; remove one of the two"
                    .formatted(TYPE, type)));
  }

  @Override
  public Contribution contribution(Request request) {
    OpenLineage lineage = request.spec().openLineage();
    if (lineage == null) {
      return Contribution.NONE;
    }
    Settings settings = new Settings();
    settings
        .field("spec.openLineage")
        .append("spark.extraListeners", List.of(LISTENER))
        .put(TYPE, "http")
        .put(PREFIX + "transport.url", lineage.url())
        .put(PREFIX + "transport.endpoint", lineage.endpoint());
    settings.field(
        "spec.openLineage.namespace",
        PREFIX + "namespace",
        lineage.namespace(),
        request.identity().namespace());
    return Contribution.of(settings).withWarnings(bringsJar(request) ? List.of() : advice());
  }

  private static List<String> advice() {
    return List.of(
        "spec.openLineage: Spark does not have the listener "
            + LISTENER
            + ", and without it the driver does not start; add"
            + " io.openlineage:openlineage-spark_2.13:VERSION to spec.deps.packages, unless the image"
            + " has its jar");
  }

  private static boolean bringsJar(Request request) {
    Dependencies deps = request.spec().deps();
    Stream<String> fields =
        deps == null
            ? Stream.of()
            : Stream.of(deps.packages(), deps.jars())
                .filter(Objects::nonNull)
                .flatMap(List::stream);
    Stream<String> properties =
        Stream.of("spark.jars.packages", "spark.jars")
            .map(key -> request.userConf().getOrDefault(key, ""));
    return Stream.concat(fields, properties).anyMatch(item -> item.contains(ARTIFACT));
  }
}
