package io.numaspark.render.sparktrial;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Metric;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Writes;
import io.numaspark.schema.CustomResourceSchema;
import io.numaspark.schema.Violation;
import java.util.List;
import java.util.Map;

/** The spec of the SparkApplication that is one run of a trial. */
public final class RunSpec {
  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  private static final String RUN = "{{run}}";

  private RunSpec() {}

  /**
   * The template with the arm's patch and with its placeholders filled in. It runs once, and stays
   * until the trial has read it.
   *
   * @param run the name of the run
   * @throws IllegalArgumentException naming the field that is wrong and the remedy
   */
  public static SparkApplicationSpec application(
      SparkTrial trial, ArmPlan arm, String run, int round) {
    JsonNode template = JSON.valueToTree(trial.getSpec().template());
    JsonNode patch = arm.variant().application();
    JsonNode patched =
        patch == null || patch.isNull() ? template : MergePatch.apply(template, patch);
    if (trial.getSpec().writes() == Writes.Elsewhere && !patched.toString().contains(RUN)) {
      throw new IllegalArgumentException(
          "spec.template: spec.writes is Elsewhere, and no text has %s, so all runs would write to one place; put it into a path, for example into arguments"
              .formatted(RUN));
    }
    ObjectNode spec =
        (ObjectNode)
            filled(
                patched,
                Map.of(
                    "{{trial}}",
                    trial.getMetadata().getName(),
                    "{{arm}}",
                    arm.arm().name(),
                    "{{round}}",
                    Integer.toString(round),
                    RUN,
                    run));
    spec.remove(List.of("suspend", "timeToLiveSeconds"));
    // What it waits for slots is not its time.
    spec.put("start", SparkApplicationSpec.Start.AllOrNothing.name());
    spec.putObject("restartPolicy").put("type", "Never");
    JsonNode executor = spec.path("executor");
    // What is neither is refused below.
    if (isMetricOfPods(trial.getSpec().metric())
        && (executor.isMissingNode() || executor.isObject())) {
      // Their pods say when they began and ended.
      spec.withObject("/executor").put("deleteOnTermination", false);
    }
    if (!trial.getSpec().template().nodeProfile().equals(spec.path("nodeProfile").asText())) {
      throw new IllegalArgumentException(
          "application.nodeProfile: an arm runs on the nodes of the template's profile, which the trial has locked; leave it out");
    }
    ObjectNode object = JSON.createObjectNode();
    object.putObject("metadata").put("name", run);
    object.set("spec", spec);
    List<Violation> violations = CustomResourceSchema.of(SparkApplication.class).check(object);
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException("application: " + Violation.text(violations));
    }
    return JSON.convertValue(spec, SparkApplicationSpec.class);
  }

  /** Whether the times of pods are compared, so that the pods of executors have to stay. */
  public static boolean isMetricOfPods(Metric metric) {
    return metric == Metric.ExecutorTime || metric == Metric.Cost;
  }

  private static JsonNode filled(JsonNode node, Map<String, String> values) {
    if (node.isTextual()) {
      String text = node.textValue();
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace(value.getKey(), value.getValue());
      }
      return TextNode.valueOf(text);
    }
    if (node.isArray()) {
      ArrayNode array = JSON.createArrayNode();
      node.forEach(element -> array.add(filled(element, values)));
      return array;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode object = JSON.createObjectNode();
    node.properties()
        .forEach(field -> object.set(field.getKey(), filled(field.getValue(), values)));
    return object;
  }
}
