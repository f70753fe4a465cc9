package io.numaspark.render.rules;

import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Grants;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.ResourceNames;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds the Service of a server against what the platform grants to applications.
 *
 * <p>Limit: for a Service that belongs to no attempt; those of attempts are {@link GrantRules}'.
 */
public final class ServiceGrants {
  private final Grants grants;
  private final GrantPattern pattern;

  /** The grants of the application with this name. */
  public ServiceGrants(Grants grants, String namespace, String application, String uid) {
    this.grants = grants;
    pattern =
        new GrantPattern(
            new ApplicationIdentity(
                namespace,
                application,
                uid,
                1,
                ResourceNames.of(application, uid),
                Collections.unmodifiableSortedMap(new TreeMap<>())));
  }

  /**
   * The first thing that is not granted.
   *
   * @param field of the Service, which has the fields type, labels and annotations
   */
  public Optional<String> refusal(
      String field, ServiceType type, Map<String, String> labels, Map<String, String> annotations) {
    if (!grants.serviceTypes().contains(type)) {
      return Optional.of(GrantRules.notGranted(field + ".type: " + type + " ", "serviceTypes"));
    }
    return firstKey(field + ".labels", labels, grants.serviceLabels(), "serviceLabels")
        .or(
            () ->
                firstKey(
                    field + ".annotations",
                    annotations,
                    grants.serviceAnnotations(),
                    "serviceAnnotations"));
  }

  private Optional<String> firstKey(
      String field, Map<String, String> asked, List<String> granted, String value) {
    return new TreeSet<>(SparkProperties.orEmpty(asked).keySet())
        .stream()
            .filter(key -> !pattern.admitsName(granted, key))
            .findFirst()
            .map(key -> GrantRules.notGranted(field + "[\"" + key + "\"]: ", value));
  }
}
