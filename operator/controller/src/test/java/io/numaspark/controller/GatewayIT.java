package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Web UIs behind a Gateway of the Gateway API.
 *
 * <p>Its kind is a stand-in that takes any field, and nothing serves the routes.
 */
class GatewayIT extends OperatorAgainstApiServer {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "NUMASPARK_UI_INGRESS_URL_FORMAT", "example.com/{{$appNamespace}}/{{$appName}}",
          "NUMASPARK_UI_GATEWAY", "gateways/web/https");

  private static final String KIND =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: httproutes.gateway.networking.k8s.io
        annotations: {api-approved.kubernetes.io: unapproved}
      spec:
        group: gateway.networking.k8s.io
        names: {kind: HTTPRoute, listKind: HTTPRouteList, plural: httproutes, singular: httproute}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  @Test
  void aRouteIsMadeOnceTheApiServerHasTheKind() {
    start(SETTINGS);
    create(
        application(
            "routed",
            "restartPolicy: {type: OnFailure, onSubmissionFailureRetries: 20, onSubmissionFailureRetryInterval: 2}\nexecutor: {instances: 1}"));
    eventually(() -> assertThat(state("routed")).isEqualTo(State.SUBMISSION_FAILED));
    assertThat(condition(status("routed").conditions(), "Ready").getReason())
        .isEqualTo("SubmissionRefused");
    assertThat(condition(status("routed").conditions(), "Ready").getMessage())
        .contains("the API server serves no HTTPRoute of gateway.networking.k8s.io/v1; install it");

    CustomResourceDefinition crd =
        client.resource(Serialization.unmarshal(KIND, CustomResourceDefinition.class)).create();
    try {
      eventually(
          Duration.ofSeconds(90), () -> assertThat(state("routed")).isEqualTo(State.SUBMITTED));
      // The state is written before the objects are made.
      eventually(() -> assertThat(routes()).hasSize(1));
      HTTPRoute route = routes().get(0);
      assertThat(route.getSpec().getParentRefs().get(0).getName()).isEqualTo("web");
      assertThat(route.getMetadata().getOwnerReferences())
          .extracting(owner -> owner.getName())
          .containsExactly("routed");
      eventually(
          () ->
              assertThat(status("routed").driverInfo().webUIIngressName())
                  .isEqualTo(route.getMetadata().getName()));
    } finally {
      client.resource(crd).delete();
    }
  }

  private List<HTTPRoute> routes() {
    return client.resources(HTTPRoute.class).inNamespace(namespace).list().getItems();
  }
}
