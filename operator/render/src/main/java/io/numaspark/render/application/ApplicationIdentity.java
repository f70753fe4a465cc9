package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.ResourceNames;

/** Who an application is: what names, labels and owner references are made from. */
public record ApplicationIdentity(String namespace, String name, String uid, ResourceNames names) {

  /** Identity of an application that an API server knows; a file's has a fixed uid instead. */
  public static ApplicationIdentity of(SparkApplication application) {
    String name = application.getMetadata().getName();
    String uid =
        application.getMetadata().getUid() == null ? "none" : application.getMetadata().getUid();
    String namespace =
        application.getMetadata().getNamespace() == null
            ? "default"
            : application.getMetadata().getNamespace();
    return new ApplicationIdentity(namespace, name, uid, ResourceNames.of(name, uid));
  }
}
