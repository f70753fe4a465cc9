package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.notes.Notes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SparkApplication of Apache's spark-kubernetes-operator.
 *
 * <p>Limit: what its operator sets without being asked, such as spark.authenticate and
 * spark.io.encryption.enabled, is not added.
 */
final class ApacheConversion {
  static final String GROUP = "spark.apache.org";
  static final Set<String> VERSIONS =
      Set.of(GROUP + "/v1", GROUP + "/v1beta1", GROUP + "/v1alpha1");

  private static final String PYTHON_RUNNER = "org.apache.spark.deploy.PythonRunner";

  /** Spark's name for the absence of a file: the class is in the image (SparkLauncher). */
  private static final String NO_RESOURCE = "spark-internal";

  private static final List<String> FIRST =
      List.of("nodeProfile", "type", "sparkVersion", "image", "imagePullPolicy");

  private static final List<String> LAST = List.of("driver", "executor");

  private static final Set<String> HANDLED =
      Set.of(
          "mainClass",
          "jars",
          "pyFiles",
          "sparkRFiles",
          "files",
          "proxyUser",
          "driverArgs",
          "sparkConf",
          "runtimeVersions",
          "deploymentMode",
          "driverSpec",
          "executorSpec",
          "applicationTolerations",
          "suspend",
          "driverServiceIngressList",
          "configMapSpecs");

  private final ObjectNode source;
  private final JsonNode old;
  private final Notes notes;
  private final ObjectNode spec = JsonNodeFactory.instance.objectNode();

  private ApacheConversion(ObjectNode source, Notes notes) {
    this.source = source;
    this.old = source.path("spec");
    this.notes = notes;
  }

  /** The application, and the ConfigMaps that were part of it. */
  static List<JsonNode> convert(ObjectNode document, Optional<String> profile, Notes notes) {
    notes.dropNulls(document);
    return new ApacheConversion(document, notes).convert(profile);
  }

  private List<JsonNode> convert(Optional<String> profile) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.put("apiVersion", ApiGroup.NAME + "/" + ApiGroup.VERSION);
    result.put("kind", "SparkApplication");
    if (source.get("metadata") instanceof ObjectNode metadata) {
      result.set("metadata", metadata.deepCopy());
    }
    Metadata.clean(result, notes);
    if (!old.isObject()) {
      notes.refuse("spec", "is missing; give it one");
      return List.of();
    }
    whatToRun();
    spec.set("driver", pod("driver"));
    spec.set("executor", pod("executor"));
    new ApacheConf(spec, notes).move(old.path("sparkConf"), sparkVersion());
    instances();
    new ApacheTolerations(spec, notes).convert(old.path("applicationTolerations"));
    if (old.path("suspend").isBoolean()) {
      spec.set("suspend", old.get("suspend"));
    }
    ArrayNode ingresses = new ApacheIngresses(notes).convert(old.path("driverServiceIngressList"));
    if (!ingresses.isEmpty()) {
      spec.set("driverIngressOptions", ingresses);
    }
    old.fieldNames()
        .forEachRemaining(
            field -> {
              if (!HANDLED.contains(field) && says(old.get(field))) {
                notes.warn("spec." + field, "is left out: numaspark has nothing like it");
              }
            });
    profile.ifPresent(name -> spec.put("nodeProfile", name));
    KnownFields.keep(spec, false, notes);
    result.set("spec", ordered());
    List<JsonNode> documents = new ArrayList<>(configMaps(result.path("metadata")));
    documents.add(result);
    return documents;
  }

  /** As people write it: what is run first, the pods last. */
  private ObjectNode ordered() {
    ObjectNode ordered = JsonNodeFactory.instance.objectNode();
    for (String field : FIRST) {
      if (spec.has(field)) {
        ordered.set(field, spec.get(field));
      }
    }
    spec.properties()
        .forEach(
            entry -> {
              if (!LAST.contains(entry.getKey())) {
                ordered.set(entry.getKey(), entry.getValue());
              }
            });
    for (String field : LAST) {
      if (spec.path(field).isObject() && !spec.get(field).isEmpty()) {
        ordered.set(field, spec.get(field));
      }
    }
    return ordered;
  }

  /** The order in which Apache's operator looks: jars, then Python, then R, then nothing. */
  private void whatToRun() {
    String mainClass = text("mainClass");
    boolean python = mainClass.equals(PYTHON_RUNNER);
    List<String> jars = list(text("jars"));
    List<String> pyFiles = list(text("pyFiles"));
    List<String> rFiles = list(text("sparkRFiles"));
    String type = "Scala";
    String file = NO_RESOURCE;
    if (!jars.isEmpty() && !python) {
      file = jars.remove(0);
    } else if (!pyFiles.isEmpty()) {
      type = "Python";
      file = pyFiles.remove(0);
    } else if (!rFiles.isEmpty()) {
      type = "R";
      file = rFiles.remove(0);
    }
    spec.put("type", type);
    sparkVersion().ifPresent(version -> spec.put("sparkVersion", version));
    if (!mainClass.isEmpty() && !python) {
      spec.put("mainClass", mainClass);
    }
    spec.put("mainApplicationFile", file);
    if (old.path("driverArgs").isArray() && !old.get("driverArgs").isEmpty()) {
      spec.set("arguments", old.get("driverArgs"));
    }
    if (!text("proxyUser").isEmpty()) {
      spec.put("proxyUser", text("proxyUser"));
    }
    deps(jars, pyFiles, list(text("files")));
    if (text("deploymentMode").equals("ClientMode")) {
      notes.warn("spec.deploymentMode", "is ClientMode; here the driver always runs as a pod");
    }
    for (String field : List.of("scalaVersion", "jdkVersion")) {
      if (old.path("runtimeVersions").has(field)) {
        notes.warn("spec.runtimeVersions." + field, "is left out: the image decides it");
      }
    }
  }

  private void deps(List<String> jars, List<String> pyFiles, List<String> files) {
    ObjectNode deps = JsonNodeFactory.instance.objectNode();
    put(deps, "jars", jars);
    put(deps, "pyFiles", pyFiles);
    put(deps, "files", files);
    if (!deps.isEmpty()) {
      spec.set("deps", deps);
    }
    if (!files.isEmpty()) {
      notes.warn(
          "spec.files", "becomes spec.deps.files and has an effect; Apache's operator ignores it");
    }
  }

  private static void put(ObjectNode deps, String name, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(deps.putArray(name)::add);
    }
  }

  private Optional<String> sparkVersion() {
    String version = old.path("runtimeVersions").path("sparkVersion").asText("");
    // Some of its own tests write v4_1_0.
    String plain = version.replaceFirst("^v", "").replace('_', '.');
    if (plain.matches("[0-9]+\\.[0-9]+(\\.[0-9]+)?([-.][0-9A-Za-z.-]+)?")) {
      return Optional.of(plain);
    }
    return Optional.empty();
  }

  private ObjectNode pod(String side) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    JsonNode template = old.path(side + "Spec").path("podTemplateSpec");
    if (!(template instanceof ObjectNode found)) {
      return pod;
    }
    ObjectNode copy = found.deepCopy();
    name(
        copy.path("spec").path("containers"),
        old.path("sparkConf")
            .path("spark.kubernetes." + side + ".podTemplateContainerName")
            .asText(""),
        "spark-kubernetes-" + side);
    pod.set("template", copy);
    return pod;
  }

  /** Spark takes the container of the given name, else the first; here it has a fixed name. */
  private static void name(JsonNode containers, String given, String wanted) {
    for (JsonNode container : containers) {
      if (container.path("name").asText("").equals(wanted)) {
        return;
      }
    }
    for (JsonNode container : containers) {
      if (container instanceof ObjectNode object
          && (given.isEmpty() || object.path("name").asText("").equals(given))) {
        object.put("name", wanted);
        return;
      }
    }
    if (!containers.isEmpty() && containers.get(0) instanceof ObjectNode first) {
      first.put("name", wanted);
    }
  }

  /** Spark's own default (SchedulerBackendUtils.DEFAULT_NUMBER_EXECUTORS); numaspark's is 1. */
  private void instances() {
    boolean dynamic = spec.path("dynamicAllocation").path("enabled").asBoolean();
    ObjectNode executor = (ObjectNode) spec.get("executor");
    if (!dynamic
        && !executor.has("instances")
        && !spec.path("sparkConf").has("spark.executor.instances")) {
      executor.put("instances", 2L);
    }
  }

  private List<JsonNode> configMaps(JsonNode metadata) {
    List<JsonNode> configMaps = new ArrayList<>();
    for (JsonNode described : old.path("configMapSpecs")) {
      ObjectNode configMap = JsonNodeFactory.instance.objectNode();
      configMap.put("apiVersion", "v1").put("kind", "ConfigMap");
      ObjectNode named = configMap.putObject("metadata");
      named.put("name", described.path("name").asText(""));
      if (metadata.path("namespace").isTextual()) {
        named.set("namespace", metadata.get("namespace"));
      }
      for (String field : List.of("labels", "annotations")) {
        if (described.path(field).isObject()) {
          named.set(field, described.get(field));
        }
      }
      if (described.path("data").isObject()) {
        configMap.set("data", described.get("data"));
      }
      configMaps.add(configMap);
    }
    if (!configMaps.isEmpty()) {
      notes.warn(
          "spec.configMapSpecs",
          "becomes ConfigMaps of their own, which stay when the application is deleted");
    }
    return configMaps;
  }

  private String text(String field) {
    return old.path(field).isValueNode() ? old.path(field).asText("").strip() : "";
  }

  private static boolean says(JsonNode value) {
    return value.isContainerNode() ? !value.isEmpty() : !value.isNull();
  }

  private static List<String> list(String commaSeparated) {
    List<String> items = new ArrayList<>();
    for (String item : commaSeparated.split(",")) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return items;
  }
}
