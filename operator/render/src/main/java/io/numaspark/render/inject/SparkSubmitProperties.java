package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.inject.SubmitTemplate.Own.Read;
import io.numaspark.render.inject.SubmitTemplate.Own.Unreadable;
import io.numaspark.render.notes.Notes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Properties of spark-submit, with the pod template that they name.
 *
 * <p>Tolerations and slots have no property: they are written into the template, or are given to
 * the pods when these are created.
 */
public final class SparkSubmitProperties extends ForeignManifest {
  /** Empty if the executors go through {@link ExecutorPodReview}. */
  private final Optional<SubmitTemplate> template;

  private final Optional<ObjectNode> pod;

  private SparkSubmitProperties(ObjectNode tree, Optional<SubmitTemplate> template) {
    super(tree);
    this.template = template;
    this.pod = template.map(SubmitTemplate::pod);
  }

  /** The properties of a file, whose template is another file. */
  public static SparkSubmitProperties ofFile(ObjectNode tree, SubmitTemplate template) {
    return new SparkSubmitProperties(tree, Optional.of(template));
  }

  /** The properties of a driver whose executors go through {@link ExecutorPodReview}. */
  static SparkSubmitProperties ofReviewedPods(ObjectNode tree) {
    return new SparkSubmitProperties(tree, Optional.empty());
  }

  @Override
  ForeignManifest with(ObjectNode values) {
    return new SparkSubmitProperties(values, template);
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
    if (own() instanceof Read) {
      inTemplate(notes, (pods, ofPods) -> pods.check(pins, ofPods));
    }
  }

  private SubmitTemplate.Own own() {
    return template.map(SubmitTemplate::own).orElse(new SubmitTemplate.Own.None());
  }

  /** Reads or changes the template; what is said about it names the property first. */
  private void inTemplate(Notes notes, BiConsumer<ExecutorPodSpec, Notes> step) {
    Notes ofPods = new Notes();
    try {
      step.accept(
          new ExecutorPodSpec(
              pod.orElseThrow(), List.of("spec"), get(ExecutorPodSpec.CONTAINER_NAME)),
          ofPods);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(SubmitTemplate.PROPERTY + ": " + e.getMessage(), e);
    }
    ofPods.refusals().forEach(refusal -> notes.refuse(SubmitTemplate.PROPERTY, refusal));
    ofPods.warnings().forEach(warning -> notes.warn(SubmitTemplate.PROPERTY, warning));
  }

  @Override
  void place(
      Map<String, String> nodeLabels,
      List<Toleration> tolerations,
      Optional<String> slotResource,
      Notes notes) {
    nodeLabels.forEach((label, value) -> set(PropertyRules.EXECUTOR_NODE_SELECTOR + label, value));
    if (template.isEmpty()) {
      return;
    }
    if (own() instanceof Unreadable unreadable) {
      placeBeside(unreadable, tolerations, slotResource, notes);
      return;
    }
    inTemplate(
        notes,
        (pods, ofPods) -> {
          PodTemplate.checkNodeLabels(
              pods.tree(), List.of("spec", "nodeSelector"), nodeLabels, ofPods);
          pods.addTolerations(tolerations);
          slotResource.ifPresent(pods::addSlot);
        });
    if (podTemplate().isPresent()) {
      set(SubmitTemplate.PROPERTY, template.get().location());
    }
  }

  private static void placeBeside(
      Unreadable unreadable,
      List<Toleration> tolerations,
      Optional<String> slotResource,
      Notes notes) {
    if (tolerations.isEmpty() && slotResource.isEmpty()) {
      notes.warn(
          SubmitTemplate.PROPERTY,
          unreadable.why()
              + "; until then it is unknown whether it keeps executors from being pinned");
    } else {
      notes.refuse(SubmitTemplate.PROPERTY, unreadable.why());
    }
  }

  /** The user's own with what was added; empty if nothing was. */
  @Override
  Optional<ObjectNode> podTemplate() {
    return pod.filter(made -> !made.equals(template.orElseThrow().pod()));
  }
}
