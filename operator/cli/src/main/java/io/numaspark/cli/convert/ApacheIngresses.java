package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.notes.Notes;
import java.util.Set;

/**
 * spec.driverServiceIngressList of an Apache application as spec.driverIngressOptions.
 *
 * <p>Limit: there, whole Services and Ingresses are written; here, one port and one URL each.
 */
final class ApacheIngresses {
  private static final String FIELD = "spec.driverServiceIngressList";
  private static final int LONGEST_PORT_NAME = 15;
  private static final Set<String> TYPES = Set.of("ClusterIP", "NodePort", "LoadBalancer");

  private final Notes notes;

  ApacheIngresses(Notes notes) {
    this.notes = notes;
  }

  ArrayNode convert(JsonNode list) {
    ArrayNode options = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < list.size(); i++) {
      JsonNode item = list.get(i);
      String field = FIELD + "[" + i + "]";
      JsonNode ports = item.path("serviceSpec").path("ports");
      if (!ports.path(0).path("port").isIntegralNumber()) {
        notes.warn(field, "is left out: its Service has no port");
        continue;
      }
      if (ports.size() > 1) {
        notes.warn(
            field + ".serviceSpec.ports",
            "all but the first are left out; write one item for each");
      }
      options.add(option(item, ports.get(0), field));
    }
    return options;
  }

  private ObjectNode option(JsonNode item, JsonNode port, String field) {
    ObjectNode option = JsonNodeFactory.instance.objectNode();
    option.set("servicePort", port.get("port"));
    String name = port.path("name").asText("");
    option.put(
        "servicePortName",
        name.isEmpty() || name.length() > LONGEST_PORT_NAME
            ? "port-" + port.get("port").asText()
            : name);
    if (port.has("targetPort") && !port.get("targetPort").equals(port.get("port"))) {
      notes.warn(
          field + ".serviceSpec.ports[0].targetPort",
          "is left out: here the port of the Service is the driver's; change one of them");
    }
    String type = item.path("serviceSpec").path("type").asText("");
    if (TYPES.contains(type)) {
      option.put("serviceType", type);
    }
    copy(item.path("serviceMetadata"), "annotations", option, "serviceAnnotations");
    copy(item.path("serviceMetadata"), "labels", option, "serviceLabels");
    named(item, "serviceMetadata", field);
    if (item.path("ingressSpec").isObject()) {
      ingress(item, option, field);
    }
    return option;
  }

  private void ingress(JsonNode item, ObjectNode option, String field) {
    JsonNode spec = item.path("ingressSpec");
    JsonNode rules = spec.path("rules");
    JsonNode paths = rules.path(0).path("http").path("paths");
    if (rules.size() != 1 || paths.size() > 1 || !rules.path(0).path("host").isTextual()) {
      notes.warn(
          field + ".ingressSpec.rules",
          "has not one host with one path; write it as ingressURLFormat: HOST/PATH");
    } else {
      String path = paths.path(0).path("path").asText("/");
      option.put(
          "ingressURLFormat",
          rules.get(0).get("host").textValue() + (path.startsWith("/") ? path : "/" + path));
    }
    copy(item.path("ingressMetadata"), "annotations", option, "ingressAnnotations");
    named(item, "ingressMetadata", field);
    if (spec.path("tls").isArray() && !spec.get("tls").isEmpty()) {
      option.set("ingressTLS", spec.get("tls"));
    }
    if (spec.has("ingressClassName")) {
      notes.warn(
          field + ".ingressSpec.ingressClassName",
          "is left out: write the annotation kubernetes.io/ingress.class in ingressAnnotations");
    }
  }

  private void named(JsonNode item, String metadata, String field) {
    if (item.path(metadata).has("name")) {
      notes.warn(
          field + "." + metadata + ".name", "is left out: numaspark names what it creates itself");
    }
  }

  private static void copy(JsonNode metadata, String from, ObjectNode option, String to) {
    if (metadata.path(from).isObject() && !metadata.get(from).isEmpty()) {
      option.set(to, metadata.get(from));
    }
  }
}
