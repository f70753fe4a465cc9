package io.numaspark.render.executors;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sizing.ExecutorSplit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The Spark properties that suit an application's kind of work and its switches, each with its
 * reason; the user's own come after them and win.
 */
public final class WorkloadConf implements Concern {
  private static final String COST = "orders joins by cost (spec.costBasedJoins)";

  /** Bounded, so that no number overflows or takes long; Spark judges what is not of this form. */
  private static final String INSTANCES = "[0-9]{1,10}";

  private static final String CORES = "[0-9]{1,5}";

  private static final String CPUS = "[0-9]{1,5}(\\.[0-9]{1,3})?";

  @Override
  public Contribution contribution(Request request) {
    Settings settings = new Settings();
    of(request.spec(), request.sized().executors())
        .forEach(
            property -> settings.derived(property.why()).put(property.key(), property.value()));
    return Contribution.of(settings);
  }

  public static List<SparkProperty> of(SparkApplicationSpec spec, ExecutorRequest executors) {
    List<SparkProperty> properties = new ArrayList<>();
    if (executors.pinned().isPresent()) {
      properties.addAll(ExecutorSplit.workload(spec).sparkProperties(taskSlots(spec, executors)));
    }
    if (Boolean.TRUE.equals(spec.costBasedJoins())) {
      properties.add(new SparkProperty("spark.sql.cbo.enabled", "true", COST));
      properties.add(new SparkProperty("spark.sql.cbo.joinReorder.enabled", "true", COST));
    }
    return List.copyOf(properties);
  }

  /**
   * Tasks that the application runs at once.
   *
   * @return empty if its properties do not say: dynamic allocation without a maximum, or numbers
   *     that only Spark can judge
   */
  public static OptionalLong taskSlots(SparkApplicationSpec spec, ExecutorRequest executors) {
    Map<String, String> conf = SparkProperties.orEmpty(spec.sparkConf());
    String instances =
        executors
            .range()
            .map(
                range ->
                    range.maximum().isPresent()
                        ? String.valueOf(range.maximum().getAsInt())
                        : "unknown")
            .orElseGet(
                () ->
                    conf.getOrDefault(
                        SparkKeys.EXECUTOR_INSTANCES, String.valueOf(executors.instances())));
    String cores =
        conf.getOrDefault(SparkKeys.EXECUTOR_CORES, String.valueOf(executors.taskSlots()));
    String cpusOfTask = conf.getOrDefault(SparkKeys.TASK_CPUS, "1");
    if (!instances.matches(INSTANCES) || !cores.matches(CORES) || !cpusOfTask.matches(CPUS)) {
      return OptionalLong.empty();
    }
    BigDecimal cpus = new BigDecimal(cpusOfTask);
    if (cpus.signum() == 0) {
      return OptionalLong.empty();
    }
    long slots = new BigDecimal(cores).divide(cpus, 0, RoundingMode.FLOOR).longValueExact();
    long all = Long.parseLong(instances) * slots;
    return all > 0 ? OptionalLong.of(all) : OptionalLong.empty();
  }
}
