package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.notes.Notes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Properties of spark-submit.
 *
 * <p>Limit: tolerations and slots have no property; they belong in a pod template, which is another
 * file, or are given to the pods when these are created.
 */
public final class SparkSubmitProperties extends ForeignManifest {
  private static final String TEMPLATE = "spark.kubernetes.executor.podTemplateFile";

  private final boolean podsAreReviewed;

  private SparkSubmitProperties(ObjectNode tree, boolean podsAreReviewed) {
    super(tree);
    this.podsAreReviewed = podsAreReviewed;
  }

  /** The properties of a file, of whose pods nothing is known. */
  public static SparkSubmitProperties ofFile(ObjectNode tree) {
    return new SparkSubmitProperties(tree, false);
  }

  /** The properties of a driver whose executors go through {@link ExecutorPodReview}. */
  static SparkSubmitProperties ofReviewedPods(ObjectNode tree) {
    return new SparkSubmitProperties(tree, true);
  }

  @Override
  ForeignManifest with(ObjectNode values) {
    return new SparkSubmitProperties(values, podsAreReviewed);
  }

  @Override
  public String name() {
    return get("spark.app.name").orElse("the application");
  }

  @Override
  List<ManifestField> places(String property) {
    return List.of(ManifestField.text(List.of(), property));
  }

  @Override
  List<String> configuration() {
    return List.of();
  }

  /** The file does not name the application; only these properties tell its language. */
  @Override
  Type language() {
    String type = get("spark.kubernetes.resource.type").orElse("");
    boolean python =
        properties().keySet().stream()
            .anyMatch(
                key -> key.startsWith("spark.pyspark.") || key.equals("spark.submit.pyFiles"));
    if (type.equals("r")) {
      return Type.R;
    }
    return python || type.equals("python") ? Type.Python : Type.Scala;
  }

  /** Spark's default (SchedulerBackendUtils: DEFAULT_NUMBER_EXECUTORS). */
  @Override
  int defaultInstances() {
    return 2;
  }

  @Override
  ManifestField mark() {
    return ManifestField.text(List.of(), InjectionRecord.PROPERTY);
  }

  @Override
  void check(Pins pins, Notes notes) {
    get("spark.master")
        .filter(master -> !master.startsWith("k8s://"))
        .ifPresent(
            master ->
                notes.refuse(
                    "spark.master",
                    "'" + master + "' is not Kubernetes; write k8s:// and the API server"));
    get(TEMPLATE)
        .filter(file -> !podsAreReviewed)
        .ifPresent(
            file ->
                notes.warn(
                    TEMPLATE,
                    file
                        + (pins == Pins.RUNTIME
                            ? " is not read; see that it gives the executor's container no cpu limit"
                            : " is not read; every container in it but the executor's needs equal"
                                + " requests and limits of cpu and memory, and a fraction of a CPU")));
  }

  @Override
  void place(
      Map<String, String> nodeLabels,
      List<Toleration> tolerations,
      Optional<String> slotResource,
      Notes notes) {
    nodeLabels.forEach((label, value) -> set(PropertyRules.EXECUTOR_NODE_SELECTOR + label, value));
    if (podsAreReviewed) {
      return;
    }
    slotResource.ifPresent(
        slot ->
            notes.warn(
                TEMPLATE,
                "no property can request a slot; write resources: {limits: {%s: 1}} for the container %s in the pod"
                        .formatted(slot, PodTemplate.CONTAINER)
                    + " template, or kube-scheduler may send executors to a node without a free"
                    + " slot"));
    if (!tolerations.isEmpty()) {
      notes.warn(
          TEMPLATE,
          "no property can set the profile's tolerations; write them in the pod template");
    }
  }
}
