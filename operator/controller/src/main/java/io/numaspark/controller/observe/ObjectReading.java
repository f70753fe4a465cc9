package io.numaspark.controller.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkTrial;

/**
 * Reads objects without who wrote which of their fields: nobody here asks, and in a cached
 * application it takes more memory than all the rest.
 *
 * <p>An object that was read so may be written: the API server keeps managed fields that an update
 * does not give.
 */
public final class ObjectReading {
  private ObjectReading() {}

  /** The serialization of the operator's client. */
  public static KubernetesSerialization serialization() {
    ObjectMapper mapper = new ObjectMapper().addMixIn(ObjectMeta.class, NoManagedFields.class);
    KubernetesSerialization serialization = new KubernetesSerialization(mapper, true);
    // A watch reads a kind that it does not know as a generic resource first, and converts that.
    serialization.registerKubernetesResource(SparkApplication.class);
    serialization.registerKubernetesResource(ScheduledSparkApplication.class);
    serialization.registerKubernetesResource(SparkConnect.class);
    serialization.registerKubernetesResource(SparkNodeProfile.class);
    serialization.registerKubernetesResource(SparkNodeTopology.class);
    serialization.registerKubernetesResource(SparkTrial.class);
    return serialization;
  }

  @JsonIgnoreProperties("managedFields")
  private interface NoManagedFields {}
}
