package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.notes.Notes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** SparkApplication of Apache's spark-kubernetes-operator, v1. */
final class ApacheApplication extends ForeignManifest {
  static final String API_VERSION = "spark.apache.org/v1";
  static final List<String> INSTANCES = List.of("initExecutors", "minExecutors", "maxExecutors");

  private static final List<String> SPEC = List.of("spec");
  private static final List<String> TEMPLATE =
      List.of("spec", "executorSpec", "podTemplateSpec", "spec");

  ApacheApplication(ObjectNode tree) {
    super(tree);
    requireMapping(List.of("metadata"));
    requireMapping(SPEC);
  }

  @Override
  ForeignManifest with(ObjectNode values) {
    return new ApacheApplication(values);
  }

  @Override
  public String name() {
    return "SparkApplication " + tree.path("metadata").path("name").asText();
  }

  @Override
  List<ManifestField> places(String property) {
    return List.of(
        INSTANCES.contains(property)
            ? ManifestField.number(
                List.of("spec", "applicationTolerations", "instanceConfig"), property)
            : ManifestField.text(configuration(), property));
  }

  @Override
  List<String> configuration() {
    return List.of("spec", "sparkConf");
  }

  /** The operator's own order (SparkAppSubmissionWorker): jars, then Python, then R. */
  @Override
  Type language() {
    JsonNode spec = tree.path("spec");
    if (spec.path("mainClass").asText().endsWith(".PythonRunner")) {
      return Type.Python;
    }
    if (spec.hasNonNull("jars")) {
      return Type.Scala;
    }
    if (spec.hasNonNull("pyFiles")) {
      return Type.Python;
    }
    return spec.hasNonNull("sparkRFiles") ? Type.R : Type.Scala;
  }

  /** Spark's default (SchedulerBackendUtils: DEFAULT_NUMBER_EXECUTORS). */
  @Override
  int defaultInstances() {
    return 2;
  }

  @Override
  void check(Pins pins, Notes notes) {
    pods().check(pins, notes);
    if (get(SubmitTemplate.PROPERTY).isPresent()) {
      notes.refuse(
          field(SubmitTemplate.PROPERTY),
          "a template outside of the manifest cannot be checked; write it as"
              + " spec.executorSpec.podTemplateSpec");
    }
  }

  private ExecutorPodSpec pods() {
    return new ExecutorPodSpec(tree, TEMPLATE, get(ExecutorPodSpec.CONTAINER_NAME));
  }

  @Override
  void place(
      Map<String, String> nodeLabels,
      List<Toleration> tolerations,
      Optional<String> slotResource,
      Notes notes) {
    ExecutorPodSpec pods = pods();
    pods.addNodeLabels(nodeLabels, notes);
    pods.addTolerations(tolerations);
    slotResource.ifPresent(pods::addSlot);
  }
}
