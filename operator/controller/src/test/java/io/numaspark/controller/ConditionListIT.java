package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Why only the kind whose status is replaced has lists of conditions that are merged by type: what
 * was applied to a list before its schema said so stays there, though nobody applies it any more.
 */
@ExtendWith(ApiServer.class)
class ConditionListIT {
  private static final String GROUP = "upgrade.example.com";
  private static final String VERSION = GROUP + "/v1alpha1";
  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("operator")
          .withForce(true)
          .build();

  private final KubernetesClient client = ApiServer.client();
  private CustomResourceDefinition crd;

  @BeforeEach
  void installTheFormerCrd() throws IOException {
    crd =
        ApiServer.crds().stream()
            .map(CustomResourceDefinition.class::cast)
            .filter(each -> each.getSpec().getNames().getKind().equals("SparkNodeProfile"))
            .findFirst()
            .orElseThrow();
    crd.getMetadata().setName(crd.getSpec().getNames().getPlural() + "." + GROUP);
    crd.getSpec().setGroup(GROUP);
    crd.getSpec().getNames().setShortNames(List.of());
    crd.getSpec().getNames().setCategories(List.of());
    conditions(crd).setXKubernetesListType(null);
    conditions(crd).setXKubernetesListMapKeys(null);
    client.resource(crd).create();
    GenericKubernetesResource profile = new GenericKubernetesResource();
    profile.setApiVersion(VERSION);
    profile.setKind("SparkNodeProfile");
    profile.setMetadata(new ObjectMetaBuilder().withName("p").build());
    profile.setAdditionalProperty(
        "spec", Map.of("nodeSelector", Map.of("matchLabels", Map.of("pool", "none"))));
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreException(KubernetesClientException.class)
        .untilAsserted(() -> client.resource(profile).create());
  }

  @AfterEach
  void remove() {
    client.resource(crd).delete();
    await().atMost(Duration.ofSeconds(30)).until(() -> client.resource(crd).get() == null);
    client.close();
  }

  @Test
  void aReplacedStatusHasWhatIsWrittenAlsoAfterTheUpgrade() {
    apply("Ready", "Planned", "PinnersConnected");
    upgrade();
    replace("Ready", "Planned");
    assertThat(types()).isEqualTo("Ready Planned");
    replace("Ready", "Reconciling");
    assertThat(types()).isEqualTo("Ready Reconciling");
  }

  @Test
  void anAppliedStatusKeepsWhatNobodyAppliesAnyMore() {
    apply("Ready", "Planned", "PinnersConnected");
    upgrade();
    apply("Ready", "Planned");
    assertThat(types()).isEqualTo("Ready Planned PinnersConnected");
  }

  /** The new schema counts as soon as a type may be there only once. */
  private void upgrade() {
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(crd.getMetadata().getName())
        .edit(
            former -> {
              conditions(former).setXKubernetesListType("map");
              conditions(former).setXKubernetesListMapKeys(List.of("type"));
              return former;
            });
    await().atMost(Duration.ofSeconds(30)).until(() -> refuses("Ready", "Ready"));
  }

  private boolean refuses(String... types) {
    try {
      apply(types);
      apply("Ready", "Planned", "PinnersConnected");
      return false;
    } catch (KubernetesClientException e) {
      return true;
    }
  }

  /** As the operator writes the status of an application. */
  private void replace(String... types) {
    GenericKubernetesResource profile = profile();
    profile.setAdditionalProperty(
        "status",
        Map.of(
            "conditions",
            Stream.of(types).map(type -> Map.of("type", type, "status", "True")).toList()));
    client.resource(profile).updateStatus();
  }

  /** As the operator writes the status of a profile. */
  private void apply(String... types) {
    String conditions =
        Stream.of(types)
            .map("{\"type\": \"%s\", \"status\": \"True\"}"::formatted)
            .collect(Collectors.joining(", "));
    client
        .genericKubernetesResources(VERSION, "SparkNodeProfile")
        .withName("p")
        .subresource("status")
        .patch(
            APPLY,
            "{\"apiVersion\": \"%s\", \"kind\": \"SparkNodeProfile\", \"metadata\": {\"name\": \"p\"}, \"status\": {\"conditions\": [%s]}}"
                .formatted(VERSION, conditions));
  }

  private String types() {
    List<?> conditions = profile().get("status", "conditions");
    return conditions.stream()
        .map(condition -> (String) ((Map<?, ?>) condition).get("type"))
        .collect(Collectors.joining(" "));
  }

  private GenericKubernetesResource profile() {
    return client.genericKubernetesResources(VERSION, "SparkNodeProfile").withName("p").get();
  }

  private static JSONSchemaProps conditions(CustomResourceDefinition of) {
    return of.getSpec()
        .getVersions()
        .get(0)
        .getSchema()
        .getOpenAPIV3Schema()
        .getProperties()
        .get("status")
        .getProperties()
        .get("conditions");
  }
}
