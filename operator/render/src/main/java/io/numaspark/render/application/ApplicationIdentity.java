package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.ResourceNames;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who one attempt of an application is: what names, labels and owner references are made from.
 *
 * @param podLabels the application's own labels that its pods carry too, as with kubeflow's
 *     operator; all but those by which Spark and this operator find pods
 */
public record ApplicationIdentity(
    String namespace,
    String name,
    String uid,
    int attempt,
    ResourceNames names,
    SortedMap<String, String> podLabels) {

  /** Identity of the attempt that an application's status names, or of its first. */
  public static ApplicationIdentity of(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    boolean started = status != null && status.run() != null && status.run().attempt() != null;
    return of(application, started ? status.run().attempt() : 1);
  }

  /**
   * Identity of one attempt of an application that an API server knows; a file's has a fixed uid
   * instead.
   *
   * @param attempt number of the attempt, from 1
   */
  public static ApplicationIdentity of(SparkApplication application, int attempt) {
    String name = application.getMetadata().getName();
    String uid = Objects.requireNonNullElse(application.getMetadata().getUid(), "none");
    String namespace =
        Objects.requireNonNullElse(application.getMetadata().getNamespace(), "default");
    ResourceNames names = ResourceNames.of(name, uid, attempt);
    String podName = application.getSpec().driver().podName();
    return new ApplicationIdentity(
        namespace,
        name,
        uid,
        attempt,
        podName == null ? names : names.withDriverPod(podName, attempt),
        podLabels(application));
  }

  private static SortedMap<String, String> podLabels(SparkApplication application) {
    SortedMap<String, String> labels =
        new TreeMap<>(SparkProperties.orEmpty(application.getMetadata().getLabels()));
    labels.keySet().removeIf(ReservedLabels::contain);
    return Collections.unmodifiableSortedMap(labels);
  }
}
