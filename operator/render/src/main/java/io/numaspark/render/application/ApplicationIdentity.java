package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.ResourceNames;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
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

  /** Label that Airflow's SparkKubernetesOperator gives to the driver (_get_ti_pod_labels). */
  private static final String AIRFLOW = "spark_kubernetes_operator";

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
    return new ApplicationIdentity(
        namespace,
        name,
        uid,
        attempt,
        recordedDriver(application.getStatus(), attempt)
            .or(() -> givenDriver(application.getSpec().driver(), names, attempt))
            .map(names::withDriverPod)
            .orElse(names),
        podLabels(application));
  }

  /**
   * Of the attempt that the status is about: an edit of the spec, or an operator with other rules
   * for names, does not rename a pod that exists.
   */
  private static Optional<String> recordedDriver(SparkApplicationStatus status, int attempt) {
    return Optional.ofNullable(status)
        .filter(
            known -> known.run() != null && Integer.valueOf(attempt).equals(known.run().attempt()))
        .map(SparkApplicationStatus::driverInfo)
        .map(DriverInfo::podName);
  }

  /**
   * The user's name. Later attempts append their number, but for Airflow: it reads and deletes by
   * the name of the first.
   */
  private static Optional<String> givenDriver(DriverSpec driver, ResourceNames names, int attempt) {
    String first = Objects.requireNonNullElse(driver.podName(), names.label() + "-driver");
    if (isOfAirflow(driver)) {
      return Optional.of(first);
    }
    return Optional.ofNullable(driver.podName())
        .map(podName -> attempt == 1 ? podName : podName + "-" + attempt);
  }

  /** Whether a task of Airflow's SparkKubernetesOperator has made the application. */
  private static boolean isOfAirflow(DriverSpec driver) {
    return driver.labels() != null && driver.labels().containsKey(AIRFLOW);
  }

  /**
   * Whether an object is one of this attempt: two attempts may have drivers of the same name, one
   * after the other.
   */
  public boolean owns(HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> uid.equals(owner.getUid()))
        && names
            .sparkAppId()
            .equals(
                SparkProperties.orEmpty(object.getMetadata().getLabels())
                    .get(Labels.SPARK_APP_SELECTOR));
  }

  private static SortedMap<String, String> podLabels(SparkApplication application) {
    SortedMap<String, String> labels =
        new TreeMap<>(SparkProperties.orEmpty(application.getMetadata().getLabels()));
    labels.keySet().removeIf(ReservedLabels::contain);
    return Collections.unmodifiableSortedMap(labels);
  }
}
