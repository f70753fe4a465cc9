package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.render.scheduling.KueueWorkload;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications that wait for quota of Kueue's own controllers, with a quota of slots.
 *
 * <p>Kueue is taken from the folder that KUEUE_TEST_DIR names; {@code oracles/kueue/kueue.sh} makes
 * one, and {@code make kueue-check} runs this test with it. Limit: its webhooks are not called.
 */
@EnabledIfEnvironmentVariable(named = "KUEUE_TEST_DIR", matches = ".+")
class KueueItselfIT extends OperatorAgainstApiServer {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String SPEC = "nodeProfile: dual\nexecutor: {instances: %d}\n";

  private static final String SETTINGS =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      leaderElection: {leaderElect: false}
      health: {healthProbeBindAddress: "127.0.0.1:0"}
      metrics: {bindAddress: "0"}
      webhook: {port: 0, host: 127.0.0.1, certDir: CERTIFICATE}
      internalCertManagement: {enable: false}
      integrations: {frameworks: [batch/job]}
      """;

  @TempDir Path work;
  private final List<HasMetadata> installed = new ArrayList<>();
  private Process kueue;

  @BeforeEach
  void aClusterWithKueueAndThreeSlotsOfWhichTwoAreQuota() throws IOException {
    Path folder = Path.of(System.getenv("KUEUE_TEST_DIR"));
    try (Stream<Path> kinds = Files.list(folder.resolve("crds"))) {
      for (Path kind : kinds.sorted().toList()) {
        install(Files.readString(kind));
      }
    }
    eventually(
        () ->
            assertThat(client.getApiResources(KueueWorkload.API_VERSION).getResources())
                .extracting(APIResource::getKind)
                .containsAll(kinds()));
    String settings = SETTINGS.replace("CERTIFICATE", folder.resolve("certificate").toString());
    ProcessBuilder process =
        new ProcessBuilder(
                Path.of(System.getProperty("repository.root"), "oracles", "kueue", "run.sh")
                    .toString(),
                folder.toString(),
                "--feature-gates=VisibilityOnDemand=false",
                "--config",
                Files.writeString(work.resolve("kueue.yaml"), settings).toString())
            .redirectErrorStream(true)
            .redirectOutput(log());
    process.environment().put("KUBECONFIG", ApiServer.kubeConfigFile().toString());
    kueue = process.start();
    install(queues());
    node("kueue-1", "a");
    create(Samples.dualSocket("kueue-1"));
    create(Samples.profile("dual", "a"));
    start(Map.of("NUMASPARK_KUEUE", "true"));
    eventually(() -> assertThat(slots("kueue-1", "dual")).isEqualTo("3"));
  }

  @AfterEach
  void kueueIsGone() throws InterruptedException {
    stop();
    kueue.destroy();
    if (!kueue.waitFor(20, TimeUnit.SECONDS)) {
      kueue.destroyForcibly();
    }
    // Nobody is left who would take its finalizers off.
    Collections.reverse(installed);
    for (HasMetadata object : installed) {
      client
          .resource(object)
          .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");
      client.resource(object).delete();
    }
    eventually(
        PATIENCE,
        () -> assertThat(installed).allMatch(object -> client.resource(object).get() == null));
  }

  @Test
  void applicationsShareAQuotaOfSlots() {
    create(queued("first", 2));
    eventually(
        PATIENCE, () -> assertThat(drivers()).as(this::said).containsExactly("first-driver"));
    create(queued("second", 1));
    eventually(
        PATIENCE,
        () ->
            assertThat(condition(status("second").conditions(), "Ready").getMessage())
                .as(this::said)
                .contains("slots.numaspark.io/dual"));
    assertWaits("second", "WaitingForKueue");

    patchDriver("first", driver -> driver.getStatus().setPhase("Succeeded"));
    eventually(PATIENCE, () -> assertThat(drivers()).as(this::said).contains("second-driver"));

    // What an administrator does to have it stop.
    client
        .genericKubernetesResources(KueueWorkload.API_VERSION, KueueWorkload.KIND)
        .inNamespace(namespace)
        .withName(KueueWorkload.name("second"))
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"active\": false}}");
    eventually(
        PATIENCE, () -> assertThat(drivers()).as(this::said).doesNotContain("second-driver"));
    eventually(PATIENCE, () -> assertWaits("second", "WaitingForKueue"));
    create(queued("third", 2));
    eventually(PATIENCE, () -> assertThat(drivers()).as(this::said).contains("third-driver"));
  }

  private SparkApplication queued(String name, int executors) {
    SparkApplication application = application(name, SPEC.formatted(executors));
    application.getMetadata().setLabels(Map.of(KueueWorkload.QUEUE, "team"));
    return application;
  }

  private List<String> drivers() {
    return client
        .pods()
        .inNamespace(namespace)
        .withLabel("spark-role", "driver")
        .list()
        .getItems()
        .stream()
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  private List<String> kinds() {
    return installed.stream()
        .map(kind -> ((GenericKubernetesResource) kind).<String>get("spec", "names", "kind"))
        .toList();
  }

  /** Those of docs/kueue.md, with the names and the number of slots of this test. */
  private String queues() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("repository.root"), "docs", "kueue.md"));
    Matcher block = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(page);
    assertThat(block.find()).isTrue();
    String queues =
        block
            .group(1)
            .replace(
                "slots.numaspark.io/dual-socket, nominalQuota: 12",
                "slots.numaspark.io/dual, nominalQuota: 2")
            .replace("dual-socket", "dual")
            .replace("team-a", "team")
            .replace("namespace: default", "namespace: " + namespace);
    assertThat(queues).contains("nominalQuota: 2}", "namespace: " + namespace);
    return queues;
  }

  private void install(String yaml) {
    for (String document : yaml.split("(?m)^---$")) {
      if (!document.isBlank()) {
        HasMetadata object = Serialization.unmarshal(document, GenericKubernetesResource.class);
        installed.add(client.resource(object).create());
      }
    }
  }

  private File log() {
    return work.resolve("kueue.log").toFile();
  }

  /** The end of Kueue's log. */
  private String said() {
    try {
      String all = Files.readString(log().toPath());
      return all.substring(Math.max(0, all.length() - 3000));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
