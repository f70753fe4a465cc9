package io.numaspark.controller.observe;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.numaspark.render.inject.InjectionNotes;
import io.numaspark.render.text.ForeignText;
import io.numaspark.render.text.Labels;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads of a pod only what the operator looks at, so that a cached executor costs little memory,
 * and a stranger's pod with 256 KiB of annotations no more.
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
  private static final Set<String> LABELS =
      Set.of(
          Labels.APPLICATION,
          Labels.ATTEMPT,
          Labels.PROFILE,
          Labels.SCHEDULE,
          Labels.INJECT,
          Labels.MANAGED_BY,
          Labels.SPARK_APP_SELECTOR,
          Labels.SPARK_ROLE,
          Labels.SPARK_EXECUTOR_ID);

  private static final Set<String> ANNOTATIONS =
      Set.of(Labels.PIN, InjectionNotes.SUMMARY, InjectionNotes.REASON);

  /** Of an annotation; the webhook writes no longer one, and others may. */
  private static final int LONGEST = 1024;

  private TrimmedPods() {}

  /** The serialization for a client that watches pods. */
  public static KubernetesSerialization serialization() {
    ObjectMapper mapper =
        new ObjectMapper()
            .addMixIn(ObjectMeta.class, KeptMetadata.class)
            .addMixIn(PodSpec.class, KeptSpec.class)
            .addMixIn(Container.class, KeptContainer.class)
            .addMixIn(PodStatus.class, KeptStatus.class)
            .addMixIn(ContainerStatus.class, KeptContainerStatus.class);
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
  private interface KeptMetadata {
    @JsonDeserialize(using = KeptLabels.class)
    void setLabels(Map<String, String> labels);

    @JsonDeserialize(using = KeptAnnotations.class)
    void setAnnotations(Map<String, String> annotations);
  }

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

  @JsonIncludeProperties({
    "phase",
    "reason",
    "message",
    "podIP",
    "qosClass",
    "startTime",
    "conditions",
    "containerStatuses"
  })
  private interface KeptStatus {}

  @JsonIncludeProperties({"name", "state", "containerID"})
  private interface KeptContainerStatus {}

  private static final class KeptLabels extends KeptEntries {
    KeptLabels() {
      super(LABELS);
    }
  }

  private static final class KeptAnnotations extends KeptEntries {
    KeptAnnotations() {
      super(ANNOTATIONS);
    }
  }

  /** A pod may have as many as fit into a request; those that are asked for are few. */
  private abstract static class KeptEntries extends JsonDeserializer<Map<String, String>> {
    private final Set<String> kept;

    KeptEntries(Set<String> kept) {
      this.kept = kept;
    }

    @Override
    public Map<String, String> deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      Map<String, String> entries = new LinkedHashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        String value = parser.nextTextValue();
        if (kept.contains(name)) {
          entries.put(name, ForeignText.line(value, LONGEST));
        }
      }
      return entries;
    }
  }
}
