package io.numaspark.controller.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/**
 * What the API server asks a webhook.
 *
 * @param uid of the request, which the answer repeats
 * @param group of the object's kind; empty for pods
 * @param operation CREATE, UPDATE, DELETE or CONNECT
 * @param object as it is to be stored
 * @param old as it is stored; empty for a new object
 */
record AdmissionRequest(
    String uid,
    String group,
    String kind,
    String namespace,
    String operation,
    ObjectNode object,
    Optional<ObjectNode> old) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads an AdmissionReview.
   *
   * @throws IllegalArgumentException if it is none of admission.k8s.io/v1, or has no object
   */
  static AdmissionRequest parse(byte[] body) {
    JsonNode review;
    try {
      review = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the body is not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("the body is not JSON", e);
    }
    if (review == null
        || !review.path("apiVersion").asText().equals("admission.k8s.io/v1")
        || !review.path("kind").asText().equals("AdmissionReview")) {
      throw new IllegalArgumentException(
          "the body is not an AdmissionReview of admission.k8s.io/v1");
    }
    JsonNode request = review.path("request");
    if (request.path("uid").asText().isEmpty()
        || !(request.path("object") instanceof ObjectNode object)) {
      throw new IllegalArgumentException("the AdmissionReview has no request with uid and object");
    }
    return new AdmissionRequest(
        request.get("uid").asText(),
        request.path("kind").path("group").asText(),
        request.path("kind").path("kind").asText(),
        request.path("namespace").asText(),
        request.path("operation").asText(),
        object,
        request.path("oldObject") instanceof ObjectNode old ? Optional.of(old) : Optional.empty());
  }

  /** A label of the object; empty if it is not there. */
  String label(String name) {
    return object.path("metadata").path("labels").path(name).asText("");
  }

  boolean isCreate() {
    return operation.equals("CREATE");
  }
}
