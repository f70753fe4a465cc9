package io.numaspark.controller.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.numaspark.api.v1alpha1.SparkApplication;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a reconciler gets of a cached object. */
class SharingClonerTest {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();
  private final List<HasMetadata> delegated = new ArrayList<>();
  private final SharingCloner cloner =
      new SharingCloner(
          new Cloner() {
            @Override
            public <R extends HasMetadata> R clone(R object) {
              delegated.add(object);
              return JSON.clone(object);
            }
          });

  @Test
  void aCopyOfAnApplicationEqualsTheOriginalButSharesNoMetadata() {
    SparkApplication original =
        JSON.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkApplication
            metadata: {name: pi, namespace: default, uid: u, generation: 2, labels: {team: a}}
            spec: {type: Java, image: spark, arguments: ["12"]}
            status: {observedGeneration: 2, applicationState: {state: RUNNING}}
            """,
            SparkApplication.class);

    SparkApplication copy = cloner.clone(original);
    assertThat(JSON.asJson(copy)).isEqualTo(JSON.asJson(original));

    copy.getMetadata().getLabels().put("team", "b");
    copy.getMetadata().setName("other");
    assertThat(original.getMetadata().getLabels()).containsEntry("team", "a");
    assertThat(original.getMetadata().getName()).isEqualTo("pi");
    assertThat(delegated).isEmpty();
  }

  @Test
  void otherKindsAreCopiedByTheFrameworksWay() {
    Pod pod = new Pod();
    assertThat(cloner.clone(pod)).isEqualTo(pod).isNotSameAs(pod);
    assertThat(delegated).containsExactly(pod);
  }
}
