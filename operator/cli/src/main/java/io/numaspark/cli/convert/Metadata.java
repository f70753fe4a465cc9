package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.notes.Notes;
import java.util.List;

/** Takes out of an object's metadata what the API server and other controllers have put there. */
final class Metadata {
  private static final List<String> SERVER =
      List.of(
          "creationTimestamp",
          "deletionGracePeriodSeconds",
          "deletionTimestamp",
          "generation",
          "managedFields",
          "resourceVersion",
          "selfLink",
          "uid");

  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private Metadata() {}

  /** Changes the metadata of the document in place, and removes its status. */
  static void clean(ObjectNode document, Notes notes) {
    document.remove("status");
    if (!(document.get("metadata") instanceof ObjectNode metadata)) {
      notes.refuse("metadata", "is missing; give the application a name");
      return;
    }
    metadata.remove(SERVER);
    if (!metadata.path("name").isTextual() && !metadata.path("generateName").isTextual()) {
      notes.refuse("metadata.name", "is missing; give the application a name");
    }
    for (String field : List.of("finalizers", "ownerReferences")) {
      if (metadata.remove(field) != null) {
        notes.warn("metadata." + field, "is left out: it names a controller of the old cluster");
      }
    }
    if (metadata.get("annotations") instanceof ObjectNode annotations
        && annotations.remove(LAST_APPLIED) != null
        && annotations.isEmpty()) {
      metadata.remove("annotations");
    }
  }
}
