package io.numaspark.render.rules;

import io.numaspark.render.application.Request;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.JavaOptionsText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What could be better in an application that runs nevertheless; one line each, with the field and
 * the remedy.
 *
 * <p>It takes the place of what the studies did by rewriting queries: Spark's adaptive execution
 * and its cost-based optimizer do that today, and SQL is never rewritten here.
 */
final class Advice {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String COST_BASED = "spark.sql.cbo.enabled";
  private static final String JOIN_REORDER = "spark.sql.cbo.joinReorder.enabled";
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  private Advice() {}

  /** The advice that an application's fields alone give rise to. */
  static List<String> of(Request request, SparkProperties conf) {
    List<String> advice = new ArrayList<>();
    addSql(advice, conf);
    addPartitions(advice, request);
    String taskCpus = conf.get(SparkKeys.TASK_CPUS);
    if (taskCpus != null && taskCpus.contains(".") && request.spec().sparkVersion() == null) {
      advice.add(
          field(SparkKeys.TASK_CPUS)
              + ": fractions need Spark 4.3 or later, older drivers refuse them; set"
              + " spec.sparkVersion so that this can be checked");
    }
    if (JavaOptionsText.split(conf.get(SparkKeys.DRIVER_OPTIONS))
        .contains("-XX:+DisableExplicitGC")) {
      advice.add(
          "spec.driver.javaOptions: -XX:+DisableExplicitGC: the driver's ContextCleaner calls"
              + " System.gc to find shuffles and broadcasts that are no longer used; without it"
              + " their files stay; remove it");
    }
    return List.copyOf(advice);
  }

  private static void addSql(List<String> advice, SparkProperties conf) {
    if ("false".equalsIgnoreCase(conf.get(ADAPTIVE))) {
      advice.add(
          field(ADAPTIVE)
              + ": adaptive execution turns joins with small results into broadcast joins and joins"
              + " small shuffle partitions; remove it");
    }
    boolean costBased = "true".equalsIgnoreCase(conf.get(COST_BASED));
    if (costBased && !"true".equalsIgnoreCase(conf.get(JOIN_REORDER))) {
      advice.add(
          field(COST_BASED)
              + ": joins keep their order without "
              + JOIN_REORDER
              + "; set spec.costBasedJoins: true instead, which sets both");
    }
    if (costBased) {
      advice.add(
          "spec.costBasedJoins: has no effect on tables without statistics; run ANALYZE TABLE t"
              + " COMPUTE STATISTICS FOR ALL COLUMNS for every table of the joins");
    }
  }

  private static void addPartitions(List<String> advice, Request request) {
    String partitions = request.userConf().get(PARTITIONS);
    OptionalLong slots = request.taskSlots();
    if (partitions != null
        && partitions.matches("[0-9]{1,9}")
        && slots.isPresent()
        && Long.parseLong(partitions) < slots.getAsLong()) {
      advice.add(
          field(PARTITIONS)
              + ": "
              + partitions
              + " partitions leave part of the "
              + slots.getAsLong()
              + " task slots idle after every shuffle; remove it, or give at least as many");
    }
  }

  private static String field(String property) {
    return "spec.sparkConf[\"" + property + "\"]";
  }
}
