package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import java.util.List;
import java.util.Map;

/** Service and Ingress of the driver's web UI. */
public record UiOptions(
    @Min(1)
        @Max(65535)
        @JsonPropertyDescription("Port of the Service. Absent: the web UI's own, 4040.")
        Integer servicePort,
    @Size(min = 1, max = 15)
        @JsonPropertyDescription("Name of the Service's port. Absent: spark-driver-ui-port.")
        String servicePortName,
    @JsonPropertyDescription("Type of the Service. Absent: ClusterIP.") ServiceType serviceType,
    @JsonPropertyDescription("Annotations of the Service.") Map<String, String> serviceAnnotations,
    @JsonPropertyDescription("Labels of the Service.") Map<String, String> serviceLabels,
    @JsonPropertyDescription(
            "Annotations of the Ingress; it is made if the operator has an Ingress URL format.")
        Map<String, String> ingressAnnotations,
    @Size(max = 16) @JsonPropertyDescription("TLS of the Ingress.") List<IngressTLS> ingressTLS) {

  /** Types of a Service with cluster addresses. */
  public enum ServiceType {
    ClusterIP,
    NodePort,
    LoadBalancer
  }
}
