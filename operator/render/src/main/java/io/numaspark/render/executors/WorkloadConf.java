package io.numaspark.render.executors;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.sizing.ExecutorSplit;
import java.util.ArrayList;
import java.util.List;

/**
 * The Spark properties that suit an application's kind of work and its switches, each with its
 * reason; the user's own come after them and win.
 */
public final class WorkloadConf implements Concern {
  private static final String COST = "orders joins by cost (spec.costBasedJoins)";

  @Override
  public Contribution contribution(Request request) {
    Settings settings = new Settings();
    of(request)
        .forEach(
            property -> settings.derived(property.why()).put(property.key(), property.value()));
    return Contribution.of(settings);
  }

  public static List<SparkProperty> of(Request request) {
    SparkApplicationSpec spec = request.spec();
    List<SparkProperty> properties = new ArrayList<>();
    if (request.executors().pinned().isPresent()) {
      properties.addAll(ExecutorSplit.workload(spec).sparkProperties(request.taskSlots()));
    }
    if (Boolean.TRUE.equals(spec.costBasedJoins())) {
      properties.add(new SparkProperty("spark.sql.cbo.enabled", "true", COST));
      properties.add(new SparkProperty("spark.sql.cbo.joinReorder.enabled", "true", COST));
    }
    return List.copyOf(properties);
  }
}
