package io.numaspark.render.rules;

import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import io.numaspark.api.v1alpha1.DriverIngress;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.UiOptions;
import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.application.Attempt;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.DriverUi;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.driver.DriverEndpoints;
import io.numaspark.render.driver.IngressUrl;
import io.numaspark.render.driver.WebAccess;
import io.numaspark.render.scheduling.PodGroupApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Refuses what an application asks for and the platform did not grant.
 *
 * <p>Limit: the Ingress of a web UI is where the operator's own settings have it, so its URL is not
 * asked about.
 */
public final class GrantRules implements Concern {
  private static final String SERVICE_LABEL = "spark.kubernetes.driver.service.label.";
  private static final String SERVICE_ANNOTATION = "spark.kubernetes.driver.service.annotation.";

  /** The first field that is not granted; the driver's endpoints were found to be readable. */
  @Override
  public Optional<Refusal> refusal(Attempt attempt) {
    return new Check(attempt)
        .refused().stream()
            .findFirst()
            .map(message -> new Refusal(RefusalReason.NOT_GRANTED, message));
  }

  /** The fields of one attempt, held against the grants. */
  private static final class Check {
    private final SparkApplicationSpec spec;
    private final DriverEndpoints endpoints;
    private final Grants grants;
    private final GrantPattern pattern;
    private final List<String> refused = new ArrayList<>();

    Check(Attempt attempt) {
      this.spec = attempt.spec();
      this.endpoints = WebAccess.endpoints(attempt);
      this.grants = attempt.policies().grants();
      this.pattern = new GrantPattern(attempt.identity());
    }

    List<String> refused() {
      checkDriver();
      checkUi();
      checkFurtherPorts();
      checkScheduling();
      return refused;
    }

    private void checkDriver() {
      checkService(
          "spec.driver", spec.driver().serviceLabels(), spec.driver().serviceAnnotations());
      for (String key : new TreeSet<>(SparkProperties.orEmpty(spec.sparkConf()).keySet())) {
        checkProperty(key, SERVICE_LABEL, grants.serviceLabels(), "serviceLabels");
        checkProperty(key, SERVICE_ANNOTATION, grants.serviceAnnotations(), "serviceAnnotations");
      }
    }

    private void checkProperty(String key, String prefix, List<String> granted, String value) {
      require(
          !key.startsWith(prefix) || pattern.admitsName(granted, key.substring(prefix.length())),
          "spec.sparkConf[\"" + key + "\"]: ",
          value);
    }

    private void checkUi() {
      UiOptions ui = spec.sparkUIOptions();
      if (ui == null || !DriverUi.isEnabled(spec)) {
        return;
      }
      String field = "spec.sparkUIOptions";
      checkType(field, ui.serviceType());
      checkService(field, ui.serviceLabels(), ui.serviceAnnotations());
      endpoints
          .ingressUrl()
          .ifPresent(url -> checkIngress(field, url, ui.ingressAnnotations(), ui.ingressTLS()));
    }

    private void checkFurtherPorts() {
      List<DriverIngress> options =
          Objects.requireNonNullElse(spec.driverIngressOptions(), List.of());
      for (int i = 0; i < options.size(); i++) {
        DriverIngress option = options.get(i);
        String field = "spec.driverIngressOptions[" + i + "]";
        checkType(field, option.serviceType());
        checkService(field, option.serviceLabels(), option.serviceAnnotations());
        endpoints
            .url(field, option)
            .ifPresent(
                url -> {
                  require(
                      pattern.admitsUrl(grants.ingressHosts(), url),
                      field + ".ingressURLFormat: " + url.address() + " ",
                      "ingressHosts");
                  checkIngress(field, url, option.ingressAnnotations(), option.ingressTLS());
                });
      }
    }

    private void checkType(String field, ServiceType type) {
      ServiceType asked = Objects.requireNonNullElse(type, ServiceType.ClusterIP);
      require(
          grants.serviceTypes().contains(asked),
          field + ".serviceType: " + asked + " ",
          "serviceTypes");
    }

    private void checkService(
        String field, Map<String, String> labels, Map<String, String> annotations) {
      checkKeys(field + ".serviceLabels", labels, grants.serviceLabels(), "serviceLabels");
      checkKeys(
          field + ".serviceAnnotations",
          annotations,
          grants.serviceAnnotations(),
          "serviceAnnotations");
    }

    private void checkIngress(
        String field, IngressUrl url, Map<String, String> annotations, List<IngressTLS> tls) {
      checkKeys(
          field + ".ingressAnnotations",
          annotations,
          grants.ingressAnnotations(),
          "ingressAnnotations");
      for (int i = 0; tls != null && i < tls.size(); i++) {
        checkTls(field + ".ingressTLS[" + i + "]", tls.get(i), url.host());
      }
    }

    /**
     * A certificate is shown for the Ingress' own host only; with none named it could be for all.
     */
    private void checkTls(String field, IngressTLS tls, String host) {
      if (tls == null || !List.of(host).equals(tls.getHosts())) {
        refused.add(field + ".hosts: is not the host of the Ingress; write hosts: [" + host + "]");
        return;
      }
      String secret = tls.getSecretName();
      require(
          secret == null || pattern.admitsName(grants.ingressTlsSecrets(), secret),
          field + ".secretName: " + secret + " ",
          "ingressTlsSecrets");
    }

    private void checkScheduling() {
      require(
          grants.podDisruptionBudgets() || !Boolean.TRUE.equals(spec.driverPodDisruptionBudget()),
          "spec.driverPodDisruptionBudget: true ",
          "podDisruptionBudgets");
      require(
          grants.podGroups() || PodGroupApi.of(spec).isEmpty(),
          "spec.batchScheduler: the PodGroup of " + spec.batchScheduler() + " ",
          "podGroups");
    }

    private void checkKeys(
        String field, Map<String, String> asked, List<String> granted, String value) {
      for (String key : new TreeSet<>(SparkProperties.orEmpty(asked).keySet())) {
        require(pattern.admitsName(granted, key), field + "[\"" + key + "\"]: ", value);
      }
    }

    private void require(boolean granted, String asked, String value) {
      if (!granted) {
        refused.add(notGranted(asked, value));
      }
    }
  }

  /**
   * What is said of something that is not granted.
   *
   * @param asked the field and what it asks for, with a blank behind
   * @param value of the chart's grants
   */
  static String notGranted(String asked, String value) {
    return asked
        + "is not granted to applications; remove it, or ask the platform to grant it by the"
        + " chart's grants."
        + value;
  }
}
