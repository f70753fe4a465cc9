package io.numaspark.controller.observe;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * Reads of a pod only what the operator looks at, so that a cached executor costs little memory.
 *
 * <p>Dropped while parsing, not in an item store: what is never made needs neither time nor
 * garbage, and the one item store that the framework takes would be shared by the informers of
 * several namespaces, each of which deletes on its next list what it did not list itself (fabric8's
 * ProcessorStore.retainAll).
 *
 * <p>Limit: for a client that only watches pods. A pod that was read so must never be written back,
 * and no other kind may be read with it.
 */
public final class TrimmedPods {
  private TrimmedPods() {}

  /** The serialization for a client that watches pods. */
  public static KubernetesSerialization serialization() {
    ObjectMapper mapper =
        new ObjectMapper()
            .addMixIn(ObjectMeta.class, KeptMetadata.class)
            .addMixIn(PodSpec.class, KeptSpec.class)
            .addMixIn(Container.class, KeptContainer.class);
    KubernetesSerialization serialization = new KubernetesSerialization(mapper, false);
    serialization.registerKubernetesResource(Pod.class);
    serialization.registerKubernetesResource(PodList.class);
    serialization.registerKubernetesResource(Status.class); // how a watch tells that it has ended
    return serialization;
  }

  @JsonIncludeProperties({
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionTimestamp",
    "labels",
    "annotations",
    "ownerReferences"
  })
  private interface KeptMetadata {}

  @JsonIncludeProperties({
    "nodeName",
    "serviceAccountName",
    "containers",
    "initContainers",
    "resources"
  })
  private interface KeptSpec {}

  @JsonIncludeProperties({"name", "image", "resources", "restartPolicy"})
  private interface KeptContainer {}
}
