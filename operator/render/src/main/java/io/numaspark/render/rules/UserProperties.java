package io.numaspark.render.rules;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.driver.ImageName;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The properties that an application gives itself: spec.sparkConf and spec.hadoopConf. */
public final class UserProperties implements Concern {
  private static final Set<String> IMAGES =
      Set.of(SparkKeys.IMAGE, SparkKeys.DRIVER_IMAGE, SparkKeys.EXECUTOR_IMAGE);
  private static final String HADOOP_CONFIG_MAP = "spark.kubernetes.hadoop.configMapName";

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    return ConfRules.check(spec, spec.nodeProfile() != null).or(() -> DriverConfRules.check(spec));
  }

  @Override
  public Contribution contribution(Request request) {
    Settings settings = new Settings();
    SortedMap<String, String> hadoop = new TreeMap<>();
    SparkProperties.orEmpty(request.spec().hadoopConf())
        .forEach((key, value) -> hadoop.put("spark.hadoop." + key, value));
    settings.field("spec.hadoopConf").putAll(hadoop);
    SortedMap<String, String> user = new TreeMap<>(request.userConf());
    user.replaceAll(
        (key, value) -> IMAGES.contains(key) ? ImageName.of(value, request.spec()) : value);
    settings.user("spec.sparkConf").putAll(user);
    // What spark-submit does with a ConfigMap that was given for the driver
    // (HadoopConfDriverFeatureStep).
    settings
        .enforced(HADOOP_CONFIG_MAP)
        .put("spark.kubernetes.executor.hadoopConfigMapName", user.get(HADOOP_CONFIG_MAP));
    return Contribution.of(settings);
  }
}
