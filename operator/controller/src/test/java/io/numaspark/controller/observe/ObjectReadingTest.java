package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import org.junit.jupiter.api.Test;

/** What is read of objects, and as which class. */
class ObjectReadingTest {
  private static final String METADATA =
      """
      {"name": "x", "uid": "u1", "resourceVersion": "7", "generation": 2, "labels": {"a": "b"},
       "annotations": {"c": "d"}, "finalizers": ["e"],
       "managedFields": [{"manager": "kubectl", "operation": "Update", "fieldsV1": {"f:spec": {"f:type": {}}}}]}
      """;
  private static final String APPLICATION =
      """
      {"apiVersion": "numaspark.io/v1alpha1", "kind": "SparkApplication", "metadata": %s,
       "spec": {"type": "Java"}, "status": {"applicationState": {"state": "RUNNING"}}}
      """
          .formatted(METADATA);

  private final KubernetesSerialization reading = ObjectReading.serialization();

  @Test
  void onlyManagedFieldsAreDropped() {
    SparkApplication whole =
        new KubernetesSerialization().unmarshal(APPLICATION, SparkApplication.class);
    SparkApplication read = reading.unmarshal(APPLICATION, SparkApplication.class);
    assertThat(whole.getMetadata().getManagedFields()).hasSize(1);
    assertThat(read.getMetadata().getManagedFields()).isEmpty();
    whole.getMetadata().setManagedFields(null);
    read.getMetadata().setManagedFields(null);
    assertThat(read).isEqualTo(whole);
  }

  @Test
  void aWatchReadsTheKindItself() {
    String event = "{\"type\": \"MODIFIED\", \"object\": %s}".formatted(APPLICATION);
    assertThat(reading.unmarshal(event, WatchEvent.class).getObject())
        .isInstanceOfSatisfying(
            SparkApplication.class,
            read -> assertThat(read.getMetadata().getManagedFields()).isEmpty());
  }

  @Test
  void kindsOfKubernetesAreKnown() {
    String node =
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": %s}".formatted(METADATA);
    String event = "{\"type\": \"ADDED\", \"object\": %s}".formatted(node);
    assertThat(reading.unmarshal(event, WatchEvent.class).getObject()).isInstanceOf(Node.class);
  }
}
