package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import java.util.List;
import java.util.Set;

/**
 * What the platform lets applications have by the operator's hand although their authors may have
 * no right to make it themselves: who may create a SparkApplication needs none on Services,
 * Ingresses, PodDisruptionBudgets or PodGroups.
 *
 * <p>Names may end in {@code *}. Hosts may have {@code *} for a whole label, and a path below which
 * all is granted. {@code {{$appName}}} and {@code {{$appNamespace}}} are the application's own.
 *
 * @param serviceTypes of Services for its web UI and further ports
 * @param serviceAnnotations keys, on all of its Services
 * @param serviceLabels keys, on all of its Services
 * @param ingressHosts HOST or HOST/PATH of Ingresses that an application asks for
 * @param ingressAnnotations keys, on all of its Ingresses
 * @param ingressTlsSecrets Secrets with certificates, of all of its Ingresses
 * @param podDisruptionBudgets whether a driver may have one
 * @param podGroups whether there may be one for Volcano, the coscheduling plugin or Kubernetes' own
 *     gangs
 */
public record Grants(
    Set<ServiceType> serviceTypes,
    List<String> serviceAnnotations,
    List<String> serviceLabels,
    List<String> ingressHosts,
    List<String> ingressAnnotations,
    List<String> ingressTlsSecrets,
    boolean podDisruptionBudgets,
    boolean podGroups) {

  /** Services inside of the cluster, and nothing else. */
  public static final Grants LEAST =
      new Grants(
          Set.of(ServiceType.ClusterIP),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          false,
          false);

  private static final List<String> ALL_NAMES = List.of("*");

  /** What is asked for: for files without an operator, whose platform is not known. */
  public static final Grants AS_ASKED =
      new Grants(
          Set.of(ServiceType.values()),
          ALL_NAMES,
          ALL_NAMES,
          ALL_NAMES,
          ALL_NAMES,
          ALL_NAMES,
          true,
          true);
}
