package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import java.util.List;
import java.util.Map;

/** A Service and an Ingress of one more port of the driver. */
public record DriverIngress(
    @Required @Min(1) @Max(65535) @JsonPropertyDescription("Port of driver and Service.")
        Integer servicePort,
    @Required
        @Size(min = 1, max = 15)
        @JsonPropertyDescription("Name of the port; part of the Service's name.")
        String servicePortName,
    @JsonPropertyDescription("Type of the Service. Absent: ClusterIP.")
        UiOptions.ServiceType serviceType,
    @JsonPropertyDescription("Annotations of the Service.") Map<String, String> serviceAnnotations,
    @JsonPropertyDescription("Labels of the Service.") Map<String, String> serviceLabels,
    @Size(min = 1, max = 1024)
        @JsonPropertyDescription(
            "HOST/PATH of the Ingress; {{$appName}}, {{$appNamespace}} and {{$appId}} are replaced. Absent: no Ingress.")
        String ingressURLFormat,
    @JsonPropertyDescription("Annotations of the Ingress.") Map<String, String> ingressAnnotations,
    @Size(max = 16) @JsonPropertyDescription("TLS of the Ingress.") List<IngressTLS> ingressTLS) {}
