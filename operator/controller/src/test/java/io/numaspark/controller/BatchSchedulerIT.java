package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.render.executors.ExecutorPodTemplate;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** PodGroups of batch schedulers that the API server serves, and of those that it does not. */
class BatchSchedulerIT extends OperatorAgainstApiServer {
  private static final Map<String, String> GRANTED = Map.of("NUMASPARK_GRANT_POD_GROUPS", "true");

  /** Kubernetes 1.36 knows the fields; an unknown one would be refused. */
  @Test
  void executorsAreAGangOfKubernetesItself() {
    start(GRANTED);
    create(application("gang", "batchScheduler: workload\nexecutor: {instances: 2}"));
    eventually(() -> assertThat(state("gang")).isEqualTo(State.SUBMITTED));
    eventually(() -> assertThat(group("scheduling.k8s.io/v1alpha2", "gang-pg")).isNotNull());
    GenericKubernetesResource group = group("scheduling.k8s.io/v1alpha2", "gang-pg");
    assertThat(group.<Integer>get("spec", "schedulingPolicy", "gang", "minCount")).isEqualTo(2);
    assertThat(group.getMetadata().getOwnerReferences())
        .extracting(owner -> owner.getName())
        .containsExactly("gang");

    Pod executor = client.resource(executorOfTemplate("gang")).create();
    assertThat(executor.getSpec().getAdditionalProperties())
        .isEqualTo(Map.of("schedulingGroup", Map.of("podGroupName", "gang-pg")));
  }

  @Test
  void whoseSchedulerIsNotInstalledWaitsUntilItIs() {
    start(GRANTED);
    create(application("waiting", "batchScheduler: volcano\nexecutor: {instances: 1}"));
    eventually(() -> assertWaits("waiting", "BatchSchedulerMissing"));
    assertThat(condition(status("waiting").conditions(), "Ready").getMessage())
        .isEqualTo(
            "spec.batchScheduler: volcano needs the kind PodGroup of scheduling.volcano.sh/v1beta1,"
                + " which the API server does not serve; install Volcano");
    HasMetadata crd = client.resource(volcanosPodGroup()).create();
    try {
      eventually(
          Duration.ofSeconds(60), () -> assertThat(state("waiting")).isEqualTo(State.SUBMITTED));
      eventually(
          () -> assertThat(group("scheduling.volcano.sh/v1beta1", "waiting-pg")).isNotNull());
    } finally {
      client.resource(crd).delete();
    }
  }

  private GenericKubernetesResource group(String apiVersion, String name) {
    return client
        .genericKubernetesResources(apiVersion, "PodGroup")
        .inNamespace(namespace)
        .withName(name)
        .get();
  }

  /** Spark adds a name, an image and more; only what the operator gives matters here. */
  private Pod executorOfTemplate(String application) {
    String template =
        client.configMaps().inNamespace(namespace).list().getItems().stream()
            .filter(map -> map.getMetadata().getName().startsWith(application))
            .findFirst()
            .orElseThrow()
            .getData()
            .get(ExecutorPodTemplate.FILE);
    return new PodBuilder(Serialization.unmarshal(template, Pod.class))
        .editOrNewMetadata()
        .withName(application + "-exec-1")
        .withNamespace(namespace)
        .endMetadata()
        .editSpec()
        .editFirstContainer()
        .withImage("i")
        .endContainer()
        .endSpec()
        .build();
  }

  private static CustomResourceDefinition volcanosPodGroup() {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName("podgroups.scheduling.volcano.sh")
        .endMetadata()
        .withNewSpec()
        .withGroup("scheduling.volcano.sh")
        .withScope("Namespaced")
        .withNewNames()
        .withKind("PodGroup")
        .withPlural("podgroups")
        .withSingular("podgroup")
        .endNames()
        .addNewVersion()
        .withName("v1beta1")
        .withServed(true)
        .withStorage(true)
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .withXKubernetesPreserveUnknownFields(true)
        .endOpenAPIV3Schema()
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }
}
