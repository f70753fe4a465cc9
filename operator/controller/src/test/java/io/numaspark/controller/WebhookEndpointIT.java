package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.controller.apply.WebhookConfiguration;
import io.numaspark.controller.apply.WebhookSecret;
import io.numaspark.controller.certificate.CertificateLoop;
import io.numaspark.controller.certificate.SelfSignedCertificates;
import io.numaspark.controller.certificate.ServingKeys;
import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.watch.SecretWatch;
import io.numaspark.controller.webhook.AdmissionEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The webhook's certificates in a real API server, which calls the endpoint and verifies them.
 *
 * <p>The replicas have no rights but the few that the chart has to give.
 */
@ExtendWith(ApiServer.class)
class WebhookEndpointIT {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SECRET = "numaspark-webhook";
  private static final Duration SECONDS = Duration.ofSeconds(15);

  private final KubernetesClient admin = ApiServer.client();

  /** One that hides no failure of the webhook by trying again. */
  private final KubernetesClient creator =
      ApiServer.client(
          new ConfigBuilder(ApiServer.config()).withRequestRetryBackoffLimit(0).build());

  private final String namespace = "webhook-" + NUMBER.incrementAndGet();
  private final String configuration = namespace;
  private final List<AutoCloseable> opened = new ArrayList<>();

  /** A process with its own memory and client. */
  private final class Replica {
    final KubernetesClient client = webhookClient();
    final ServingKeys keys;
    final SelfSignedCertificates certificates;

    Replica(InstantSource clock) {
      opened.add(client);
      keys = new ServingKeys(clock);
      certificates =
          new SelfSignedCertificates(
              new WebhookSecret(client, namespace, SECRET),
              new WebhookConfiguration(client, configuration),
              "localhost",
              keys,
              clock);
    }

    Replica looking() {
      CertificateLoop loop = new CertificateLoop(certificates, keys);
      SecretWatch watch = new SecretWatch(client, namespace, SECRET, loop::lookNow);
      opened.add(loop);
      opened.add(watch);
      loop.start();
      watch.start();
      return this;
    }

    X509Certificate served() {
      String alias = keys.keyManager().chooseEngineServerAlias("EC", null, null);
      return alias == null ? null : keys.keyManager().getCertificateChain(alias)[0];
    }
  }

  @BeforeEach
  void prepare() {
    admin
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .addToLabels("webhook", namespace)
                .endMetadata()
                .build())
        .create();
    grant();
  }

  @AfterEach
  void close() throws Exception {
    admin
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName(configuration)
        .delete();
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    creator.close();
    admin.close();
  }

  private String user() {
    return "system:serviceaccount:" + namespace + ":webhook";
  }

  private KubernetesClient webhookClient() {
    return ApiServer.client(
        new ConfigBuilder(ApiServer.config()).withImpersonateUsername(user()).build());
  }

  /** All that a replica may do. */
  private void grant() {
    role(
        "Role",
        new PolicyRuleBuilder()
            .withApiGroups("")
            .withResources("secrets")
            .withResourceNames(SECRET)
            .withVerbs("get", "list", "watch", "update")
            .build(),
        new PolicyRuleBuilder()
            .withApiGroups("")
            .withResources("secrets")
            .withVerbs("create")
            .build());
    role(
        "ClusterRole",
        new PolicyRuleBuilder()
            .withApiGroups("admissionregistration.k8s.io")
            .withResources("mutatingwebhookconfigurations")
            .withResourceNames(configuration)
            .withVerbs("get", "patch")
            .build());
  }

  private void role(String kind, PolicyRule... rules) {
    boolean isOfCluster = kind.equals("ClusterRole");
    ObjectNode role = JSON.createObjectNode();
    role.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", kind);
    role.putObject("metadata").put("name", namespace);
    role.set("rules", JSON.valueToTree(rules));
    ObjectNode binding = JSON.createObjectNode();
    binding.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", kind + "Binding");
    binding.putObject("metadata").put("name", namespace);
    binding
        .putObject("roleRef")
        .put("apiGroup", "rbac.authorization.k8s.io")
        .put("kind", kind)
        .put("name", namespace);
    binding.putArray("subjects").addObject().put("kind", "User").put("name", user());
    for (ObjectNode object : List.of(role, binding)) {
      if (!isOfCluster) {
        ((ObjectNode) object.get("metadata")).put("namespace", namespace);
      }
      admin.resource(object.toString()).create();
    }
  }

  /** Two webhooks with all that people set, of which the second already trusts somebody. */
  private void configure(int port) {
    admin
        .resource(
            new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(configuration)
                .addToLabels("app", "numaspark")
                .addToAnnotations("kept", "yes")
                .endMetadata()
                .addNewWebhook()
                .withName("executors.numaspark.io")
                .withNewClientConfig()
                .withUrl("https://localhost:" + port + AdmissionEndpoint.PATH)
                .endClientConfig()
                .withFailurePolicy("Fail")
                .withSideEffects("None")
                .withTimeoutSeconds(5)
                .withAdmissionReviewVersions("v1")
                .withNewNamespaceSelector()
                .addToMatchLabels("webhook", namespace)
                .endNamespaceSelector()
                .addNewRule()
                .withApiGroups("")
                .withApiVersions("v1")
                .withOperations("CREATE")
                .withResources("configmaps")
                .endRule()
                .endWebhook()
                .addNewWebhook()
                .withName("another.numaspark.io")
                .withNewClientConfig()
                .withNewService()
                .withName("webhook")
                .withNamespace(namespace)
                .withPath("/mutate")
                .withPort(443)
                .endService()
                .endClientConfig()
                .withFailurePolicy("Ignore")
                .withSideEffects("None")
                .withAdmissionReviewVersions("v1")
                .endWebhook()
                .build())
        .create();
  }

  private MutatingWebhookConfiguration configured() {
    return admin
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName(configuration)
        .get();
  }

  private Secret secret() {
    return admin.secrets().inNamespace(namespace).withName(SECRET).get();
  }

  /** The API server lets nobody remove tls.crt and tls.key, but they may be any text. */
  private void lose(String value) {
    admin
        .secrets()
        .inNamespace(namespace)
        .withName(SECRET)
        .edit(secret -> new SecretBuilder(secret).addToData(value, "aGFsZg==").build());
  }

  @Test
  void replicasThatRaceEndWithOneSecretAndOneBundle() throws Exception {
    configure(1);
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      replicas.add(new Replica(InstantSource.system()));
    }
    ExecutorService threads = Executors.newFixedThreadPool(replicas.size());
    CyclicBarrier start = new CyclicBarrier(replicas.size());
    List<Future<Boolean>> looks = new ArrayList<>();
    for (Replica replica : replicas) {
      looks.add(
          threads.submit(
              () -> {
                start.await();
                return replica.certificates.look();
              }));
    }
    for (Future<Boolean> look : looks) {
      look.get();
    }
    threads.shutdown();
    String version = secret().getMetadata().getResourceVersion();
    assertThat(replicas).allMatch(replica -> replica.certificates.look());
    assertThat(replicas.stream().map(Replica::served).distinct()).hasSize(1);
    assertThat(secret().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(secret().getType()).isEqualTo("kubernetes.io/tls");
    assertThat(secret().getData()).containsOnlyKeys("tls.crt", "tls.key", "ca.crt", "ca.key");
    assertThat(configured().getWebhooks())
        .allMatch(
            hook -> hook.getClientConfig().getCaBundle().equals(secret().getData().get("ca.crt")));
  }

  @Test
  void aConflictLosesNothingThatSomebodyElseWrote() {
    WebhookSecret store = new WebhookSecret(admin, namespace, SECRET);
    Map<String, String> values = Map.of("tls.crt", "YQ==", "tls.key", "YQ==");
    assertThat(store.write(store.read(), values)).isTrue();
    assertThat(store.write(Optional.empty(), values)).as("it exists already").isFalse();
    Optional<Secret> old = store.read();
    admin
        .secrets()
        .inNamespace(namespace)
        .withName(SECRET)
        .edit(
            secret ->
                new SecretBuilder(secret)
                    .editMetadata()
                    .addToLabels("of", "a-person")
                    .endMetadata()
                    .addToData("note", "YQ==")
                    .build());
    assertThat(store.write(old, Map.of("tls.crt", "Yg=="))).as("on an old copy").isFalse();
    assertThat(store.write(store.read(), Map.of("tls.crt", "Yg=="))).isTrue();
    assertThat(secret().getData()).containsEntry("note", "YQ==").containsEntry("tls.crt", "Yg==");
    assertThat(secret().getMetadata().getLabels()).containsEntry("of", "a-person");
    Optional<Secret> gone = store.read();
    admin.secrets().inNamespace(namespace).withName(SECRET).delete();
    assertThat(store.write(gone, values)).as("it was deleted").isFalse();
  }

  @Test
  void onlyTheBundleOfTheConfigurationIsWritten() {
    configure(1);
    MutatingWebhookConfiguration before = configured();
    Replica replica = new Replica(InstantSource.system());
    assertThat(replica.certificates.look()).isTrue();
    MutatingWebhookConfiguration after = configured();
    String version = after.getMetadata().getResourceVersion();
    assertThat(replica.certificates.look()).isTrue();
    assertThat(configured().getMetadata().getResourceVersion()).isEqualTo(version);
    after.getWebhooks().forEach(hook -> hook.getClientConfig().setCaBundle(null));
    after.getMetadata().setResourceVersion(before.getMetadata().getResourceVersion());
    after.getMetadata().setGeneration(before.getMetadata().getGeneration());
    assertThat(after).isEqualTo(before);
    String stale =
        """
        [{"op": "test", "path": "/metadata/resourceVersion", "value": "%s"},
         {"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "YQ=="}]
        """
            .formatted(before.getMetadata().getResourceVersion());
    assertThat(new WebhookConfiguration(replica.client, configuration).patch(stale))
        .as("a patch for an older version")
        .isPresent();
    assertThat(configured().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void itComesLaterThanTheReplicas() {
    Replica replica = new Replica(InstantSource.system()).looking();
    await().atMost(SECONDS).until(() -> replica.served() != null);
    configure(1);
    await()
        .atMost(SECONDS)
        .until(() -> configured().getWebhooks().get(1).getClientConfig().getCaBundle() != null);
  }

  @Test
  void aRenewedCertificateIsTakenByAllReplicasWithinSeconds() {
    configure(1);
    Replica first = new Replica(InstantSource.system()).looking();
    await().atMost(SECONDS).until(() -> first.served() != null);
    Replica second = new Replica(InstantSource.system()).looking();
    await().atMost(SECONDS).until(() -> first.served().equals(second.served()));
    X509Certificate old = first.served();
    lose("tls.crt");
    await()
        .atMost(SECONDS)
        .until(() -> !first.served().equals(old) && first.served().equals(second.served()));
    X509Certificate next = first.served();
    admin.secrets().inNamespace(namespace).withName(SECRET).delete();
    assertThat(first.served()).as("what is served without the Secret").isEqualTo(next);
  }

  @Test
  void aReplicaMayDoNothingElse() {
    admin
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("another")
                .endMetadata()
                .build())
        .create();
    Replica replica = new Replica(InstantSource.system());
    assertThatThrownBy(() -> new WebhookSecret(replica.client, namespace, "another").read())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("forbidden");
    assertThatThrownBy(() -> new WebhookConfiguration(replica.client, "another").read())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("forbidden");
  }

  /**
   * The API server creates objects by way of the webhook all the time. The first certificates are
   * of a clock that is behind, so that what is due comes within the test: a serving certificate, an
   * authority, and a certificate that the new authority signs.
   */
  @Test
  void anAPIServerTrustsThroughAllRenewals() throws Exception {
    FakeClock clock = new FakeClock(Instant.now().minus(Duration.ofDays(244)));
    Replica replica = new Replica(clock);
    AdmissionEndpoint endpoint =
        new AdmissionEndpoint(0, replica.keys, WebhookEndpointIT::labelled);
    opened.add(endpoint);
    configure(endpoint.port());
    assertThat(replica.certificates.look()).isTrue();
    String bundle = secret().getData().get("ca.crt");
    assertThatThrownBy(() -> create("early"))
        .as("with a certificate that has expired")
        .hasMessageContaining("certificate has expired");

    clock.advance(Duration.ofDays(244));
    assertThat(replica.certificates.look()).isTrue();
    assertThat(secret().getData().get("ca.crt")).isEqualTo(bundle);
    await().atMost(SECONDS).until(() -> isCreated("first"));

    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger created = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Future<Void> traffic =
        threads.submit(
            () -> {
              while (!ended.get()) {
                ConfigMap made = create("traffic-" + created.get());
                assertThat(made.getMetadata().getLabels()).containsEntry("webhook", "was-here");
                created.incrementAndGet();
              }
              return null;
            });
    X509Certificate old = replica.served();
    awaitMore(created, traffic);
    clock.advance(Duration.ofSeconds(61));
    assertThat(replica.certificates.look()).isTrue();
    assertThat(replica.served()).as("after a new authority").isEqualTo(old);
    assertThat(certificates(secret().getData().get("ca.crt"))).isEqualTo(2);
    awaitMore(created, traffic);

    // Without this, the new authority would sign in a day.
    lose("tls.key");
    clock.advance(Duration.ofSeconds(61));
    assertThat(replica.certificates.look()).isTrue();
    assertThat(replica.served()).isNotEqualTo(old);
    assertThat(replica.served().getIssuerX500Principal())
        .isNotEqualTo(old.getIssuerX500Principal());
    awaitMore(created, traffic);
    ended.set(true);
    traffic.get();
    threads.shutdown();
  }

  private static void awaitMore(AtomicInteger created, Future<Void> traffic) {
    int before = created.get();
    await().atMost(SECONDS).until(() -> created.get() > before + 20 || traffic.isDone());
  }

  private static int certificates(String bundle) {
    return new String(Base64.getDecoder().decode(bundle)).split("BEGIN CERTIFICATE").length - 1;
  }

  private boolean isCreated(String name) {
    try {
      return create(name).getMetadata().getLabels().containsKey("webhook");
    } catch (KubernetesClientException e) {
      return false; // The API server has not seen the bundle yet.
    }
  }

  private ConfigMap create(String name) {
    return creator
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("of", "a-test")
                .endMetadata()
                .build())
        .create();
  }

  /** Adds a label to whatever comes. */
  private static byte[] labelled(byte[] review) {
    try {
      JsonNode request = JSON.readTree(review).get("request");
      String patch =
          "[{\"op\": \"add\", \"path\": \"/metadata/labels/webhook\", \"value\": \"was-here\"}]";
      ObjectNode answer = JSON.createObjectNode();
      answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
      answer
          .putObject("response")
          .put("uid", request.get("uid").asText())
          .put("allowed", true)
          .put("patchType", "JSONPatch")
          .put("patch", Base64.getEncoder().encodeToString(patch.getBytes()));
      return JSON.writeValueAsBytes(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
