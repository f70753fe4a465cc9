package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.notes.Notes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SparkApplication and ScheduledSparkApplication of kubeflow's operator: the field names are the
 * same, so little but the apiVersion changes.
 */
final class KubeflowConversion {
  static final String GROUP = "sparkoperator.k8s.io";
  static final Set<String> VERSIONS =
      Set.of(GROUP + "/v1beta2", GROUP + "/v1beta1", GROUP + "/v1alpha1");

  private static final String VERSION_PATTERN =
      "^[0-9]+\\.[0-9]+(\\.[0-9]+)?([-.][0-9A-Za-z.-]+)?$";

  private KubeflowConversion() {}

  /** The converted document; its keys keep their order, so that the text can be edited. */
  static ObjectNode convert(ObjectNode document, Optional<String> profile, Notes notes) {
    boolean scheduled = document.path("kind").asText().equals("ScheduledSparkApplication");
    ObjectNode result = document.deepCopy();
    result.put("apiVersion", ApiGroup.NAME + "/" + ApiGroup.VERSION);
    notes.dropNulls(result);
    Metadata.clean(result, notes);
    if (!(result.get("spec") instanceof ObjectNode spec)) {
      notes.refuse("spec", "is missing; give it one");
      return result;
    }
    JsonNode application = scheduled ? spec.path("template") : spec;
    String path = scheduled ? "spec.template" : "spec";
    if (!(application instanceof ObjectNode template)) {
      notes.refuse(path, "is missing; give the application that the schedule runs");
      return result;
    }
    if (scheduled) {
      schedule(spec, notes);
    }
    application(template, path, notes);
    profile.ifPresent(name -> template.put("nodeProfile", name));
    KnownFields.keep(spec, scheduled, notes);
    return result;
  }

  private static void schedule(ObjectNode spec, Notes notes) {
    if (spec.path("concurrencyPolicy").asText("?").isEmpty()) {
      spec.remove("concurrencyPolicy");
      notes.warn(
          "spec.concurrencyPolicy",
          "is empty, which is Allow here; kubeflow's operator starts no second run then");
    }
    if (!spec.hasNonNull("timeZone")) {
      notes.warn(
          "spec.timeZone",
          "is absent, which is UTC here; kubeflow's operator takes the zone of its own container");
    }
  }

  private static void application(ObjectNode spec, String path, Notes notes) {
    String mode = spec.path("mode").asText("cluster");
    if (!mode.equals("cluster")) {
      spec.put("mode", "cluster");
      notes.warn(
          path + ".mode", "is " + mode + "; only cluster is supported: the driver runs as a pod");
    }
    if (spec.path("type").asText("").isEmpty()) {
      spec.put("type", "Scala");
    }
    if (spec.path("sparkVersion").isTextual()
        && !spec.get("sparkVersion").asText().matches(VERSION_PATTERN)) {
      notes.warn(
          path + ".sparkVersion",
          "is left out: '"
              + spec.get("sparkVersion").asText()
              + "' is not a version such as 4.1.0; it is a label only");
      spec.remove("sparkVersion");
    }
    if (spec.path("restartPolicy").isTextual()) {
      // v1alpha1 had the type alone.
      String type = spec.get("restartPolicy").asText();
      spec.putObject("restartPolicy").put("type", type);
    }
    for (String field : List.of("failureRetries", "retryInterval")) {
      if (spec.remove(field) != null) {
        notes.warn(
            path + "." + field,
            "is left out: kubeflow's operator does not read it either; use spec.restartPolicy");
      }
    }
    if (spec.remove("pythonVersion") != null) {
      notes.warn(path + ".pythonVersion", "is left out: the image decides the Python that runs");
    }
    if (spec.get("sparkConf") instanceof ObjectNode conf) {
      RunProperties.drop(conf, path + ".sparkConf", notes);
      if (conf.isEmpty()) {
        spec.remove("sparkConf");
      }
    }
    for (String side : List.of("driver", "executor")) {
      pod(spec, path, side, notes);
    }
  }

  private static void pod(ObjectNode spec, String path, String side, Notes notes) {
    if (!(spec.get(side) instanceof ObjectNode pod)) {
      return;
    }
    // v1beta1 and v1alpha1 had fractions here.
    if (pod.path("cores").isNumber() && !pod.get("cores").canConvertToExactIntegral()) {
      String request = pod.get("cores").asText();
      // A long, as the numbers of a YAML file are.
      pod.put("cores", Math.max(1, (long) Math.ceil(pod.get("cores").doubleValue())));
      if (!pod.has("coreRequest")) {
        pod.put("coreRequest", request);
      }
      notes.warn(
          path + "." + side + ".cores",
          "is " + request + ", but Spark counts whole cores; the fraction is the CPU request now");
    }
  }
}
