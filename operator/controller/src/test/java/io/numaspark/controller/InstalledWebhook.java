package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.controller.config.WebhookConfig;
import io.numaspark.controller.fixture.ChartTree;
import io.numaspark.controller.wiring.WebhookAssembly;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The webhook, wired as in its image and with the rights and the configuration of the chart, which
 * a real API server asks.
 *
 * <p>Limit: its Service leads to this machine, as there is no network of pods.
 */
final class InstalledWebhook implements AutoCloseable {
  static final String SYSTEM = "numaspark-system";
  static final String NAME = "numaspark-webhook";
  private static final Duration SECONDS = Duration.ofSeconds(60);
  private static final Set<String> KINDS =
      Set.of(
          "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Secret");

  private final KubernetesClient client;
  private final KubernetesClient ownClient;
  private final WebhookAssembly webhook;

  /**
   * Installs it, and waits until it answers.
   *
   * @param client of an administrator
   */
  InstalledWebhook(KubernetesClient client) throws IOException {
    this.client = client;
    List<GenericKubernetesResource> tree =
        ChartTree.of("webhook").objects().stream()
            .filter(object -> object.getMetadata().getName().equals(NAME))
            .toList();
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(SYSTEM).endMetadata().build())
        .serverSideApply();
    tree.stream()
        .filter(object -> KINDS.contains(object.getKind()))
        .forEach(object -> client.resource(object).serverSideApply());
    Config account =
        new ConfigBuilder(ApiServer.config())
            .withImpersonateUsername("system:serviceaccount:" + SYSTEM + ":" + NAME)
            .build();
    ownClient = ApiServer.client(account);
    webhook =
        new WebhookAssembly(
            new WebhookConfig(0, 1, 2, false, NAME, SYSTEM, NAME, true),
            ownClient,
            new PrometheusRegistry(),
            Clock.systemUTC());
    configure(tree);
    await().atMost(SECONDS).untilAsserted(() -> assertThat(webhook.reasonsNotReady()).isEmpty());
    await().atMost(SECONDS).until(() -> !bundle().isEmpty());
  }

  /** The chart's own, by a Service that leads to this process. */
  private void configure(List<GenericKubernetesResource> tree) {
    client
        .resource(
            new ServiceBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withNamespace(SYSTEM)
                .endMetadata()
                .withNewSpec()
                .withType("ExternalName")
                .withExternalName("localhost")
                .endSpec()
                .build())
        .serverSideApply();
    MutatingWebhookConfiguration wanted =
        tree.stream()
            .filter(object -> object.getKind().equals("MutatingWebhookConfiguration"))
            .map(Serialization::asYaml)
            .map(yaml -> Serialization.unmarshal(yaml, MutatingWebhookConfiguration.class))
            .findFirst()
            .orElseThrow();
    wanted.getWebhooks().forEach(one -> one.getClientConfig().getService().setPort(webhook.port()));
    client.resource(wanted).createOr(existing -> existing.update());
  }

  /** The authority that the API server trusts; empty if nobody has written it yet. */
  String bundle() {
    String bundle =
        client
            .admissionRegistration()
            .v1()
            .mutatingWebhookConfigurations()
            .withName(NAME)
            .get()
            .getWebhooks()
            .get(0)
            .getClientConfig()
            .getCaBundle();
    return bundle == null ? "" : bundle;
  }

  @Override
  public void close() {
    client.admissionRegistration().v1().mutatingWebhookConfigurations().withName(NAME).delete();
    webhook.close();
    ownClient.close();
  }
}
