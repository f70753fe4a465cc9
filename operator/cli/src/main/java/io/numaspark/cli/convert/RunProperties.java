package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.notes.Notes;
import java.util.Map;
import java.util.TreeMap;

/**
 * Spark properties that name a run or say where it runs: numaspark gives them itself and refuses a
 * user's.
 */
final class RunProperties {
  private static final String MASTER = "spark.master";

  private static final Map<String, String> LEFT_OUT =
      new TreeMap<>(
          Map.of(
              "spark.app.id", "every run gets an id of its own",
              "spark.kubernetes.driver.pod.name", "the driver's name is spec.driver.podName",
              "spark.kubernetes.executor.podNamePrefix",
                  "executors are named after the application",
              "spark.kubernetes.namespace", "the namespace is metadata.namespace",
              "spark.submit.deployMode", "the driver always runs as a pod"));

  private RunProperties() {}

  /**
   * Takes them out.
   *
   * @param conf is changed
   * @param field path of the properties, for messages
   */
  static void drop(ObjectNode conf, String field, Notes notes) {
    LEFT_OUT.forEach(
        (property, instead) -> {
          if (conf.remove(property) != null) {
            notes.warn(field + "." + property, "is left out: " + instead);
          }
        });
    if (!conf.has(MASTER)) {
      return;
    }
    String master = conf.remove(MASTER).asText();
    if (master.startsWith("k8s://")) {
      notes.warn(
          field + "." + MASTER, "is left out: executors run in the cluster of the application");
    } else {
      notes.refuse(
          field + "." + MASTER,
          "is "
              + master
              + ", but numaspark's executors are pods that the driver creates in Kubernetes; remove it"
              + " and give the executors in spec.executor");
    }
  }
}
