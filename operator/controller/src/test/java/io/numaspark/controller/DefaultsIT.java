package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.controller.apply.ConnectObjects;
import io.numaspark.controller.apply.ConnectObjects.Held.Kept;
import io.numaspark.controller.apply.ScheduledRuns;
import io.numaspark.controller.apply.TrialRuns;
import io.numaspark.render.connect.ConnectApplication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a real API server stores of our applications, with the {@link InstalledWebhook}. */
@ExtendWith(ApiServer.class)
class DefaultsIT {
  private static final String JOBS = "defaults-jobs";
  private static final String OTHERS = "defaults-others";
  private static final String NOTE = "numaspark.io/defaults-applied";
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "defaults.numaspark.io/image", "example.com/spark:4.3.0",
          "defaults.numaspark.io/spark-version", "4.3.0",
          "defaults.numaspark.io/image-pull-secrets", "regcred, mirror",
          "defaults.numaspark.io/service-account", "spark-jobs",
          "defaults.numaspark.io/node-profile", "dual-socket",
          "defaults.numaspark.io/event-log-dir", "s3a://logs/spark",
          "defaults.numaspark.io/time-to-live-seconds", "86400");
  private static final String ALL =
      "image, sparkVersion, imagePullSecrets, driver.serviceAccount, nodeProfile, spark.eventLog.dir, timeToLiveSeconds"
          + " from namespace defaults-jobs";

  /** Without an image, which the schema demands, and with a field that only pinned ones have. */
  private static final String LEAST =
      """
      apiVersion: numaspark.io/v1alpha1
      kind: SparkApplication
      metadata: {name: pi, namespace: %s%s}
      spec: {type: Python, mainApplicationFile: 'local:///pi.py', executor: {nodes: 1}%s}
      """;

  private static KubernetesClient client;
  private static InstalledWebhook webhook;
  private static Path kubeConfig;

  @TempDir private Path folder;

  @BeforeAll
  static void install() throws IOException {
    client = ApiServer.client();
    kubeConfig = ApiServer.kubeConfigFile();
    namespace(OTHERS, Map.of(), DEFAULTS);
    webhook = new InstalledWebhook(client);
  }

  @BeforeEach
  void useDefaults() {
    use(DEFAULTS, "", ALL);
  }

  /**
   * API servers and the webhook learn of a change by watches.
   *
   * @param spec of an application that may be created then
   * @param note that it has then
   */
  private static void use(Map<String, String> annotations, String spec, String note) {
    namespace(JOBS, Map.of("numaspark.io/defaults", "true"), annotations);
    SparkApplication probe = application(spec);
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(note(client.resource(probe).dryRun().create())).isEqualTo(note));
  }

  private static void namespace(
      String name, Map<String, String> labels, Map<String, String> annotations) {
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .withAnnotations(annotations)
                .endMetadata()
                .build())
        .serverSideApply();
  }

  @AfterEach
  void deleteApplications() {
    client.resources(SparkApplication.class).inNamespace(JOBS).delete();
  }

  @AfterAll
  static void uninstall() {
    if (webhook != null) {
      webhook.close();
    }
    client.close();
  }

  private static SparkApplication application(String spec) {
    return Serialization.unmarshal(
        LEAST.formatted(JOBS, "", spec).replace("name: pi", "name: probe"), SparkApplication.class);
  }

  private static SparkApplication stored(String name) {
    return client.resources(SparkApplication.class).inNamespace(JOBS).withName(name).get();
  }

  private static String note(SparkApplication application) {
    Map<String, String> annotations = application.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(NOTE, "");
  }

  private static void assertFilled(SparkApplicationSpec spec) {
    assertThat(spec.image()).isEqualTo("example.com/spark:4.3.0");
    assertThat(spec.sparkVersion()).isEqualTo("4.3.0");
    assertThat(spec.imagePullSecrets()).containsExactly("regcred", "mirror");
    assertThat(spec.driver().serviceAccount()).isEqualTo("spark-jobs");
    assertThat(spec.nodeProfile()).isEqualTo("dual-socket");
    assertThat(spec.sparkConf())
        .containsEntry("spark.eventLog.enabled", "true")
        .containsEntry("spark.eventLog.dir", "s3a://logs/spark");
    assertThat(spec.timeToLiveSeconds()).isEqualTo(86400);
  }

  /** The output of kubectl, with its exit code in the last line. */
  private String kubectl(String manifest, String... arguments) throws Exception {
    Path file = Files.writeString(folder.resolve("manifest.yaml"), manifest);
    List<String> command = new ArrayList<>(List.of(ApiServer.kubectl()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--filename", file.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", kubeConfig.toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output + process.waitFor();
  }

  @Test
  void whatIsAbsentIsFilledBeforeTheSchemaIsChecked() throws Exception {
    assertThat(kubectl(LEAST.formatted(JOBS, "", ""), "create"))
        .isEqualTo("sparkapplication.numaspark.io/pi created\n0");
    assertFilled(stored("pi").getSpec());
    assertThat(note(stored("pi"))).isEqualTo(ALL);
    assertThat(kubectl(LEAST.formatted(OTHERS, "", ", nodeProfile: a"), "create"))
        .as("a namespace without the label")
        .contains("spec.image: is missing");
    assertThat(
            kubectl(
                LEAST.formatted(JOBS, ", labels: {numaspark.io/defaults: 'false'}", ""), "create"))
        .contains("spec.image: is missing");
  }

  @Test
  void whatIsWrittenStays() throws Exception {
    String own =
        ", image: own, nodeProfile: own, driver: {serviceAccount: own}, imagePullSecrets: [],"
            + " sparkConf: {spark.eventLog.enabled: 'false'}, timeToLiveSeconds: 5";
    assertThat(kubectl(LEAST.formatted(JOBS, "", own), "create")).endsWith("created\n0");
    SparkApplicationSpec spec = stored("pi").getSpec();
    assertThat(spec.image()).isEqualTo("own");
    assertThat(spec.sparkVersion()).isNull();
    assertThat(spec.nodeProfile()).isEqualTo("own");
    assertThat(spec.driver().serviceAccount()).isEqualTo("own");
    assertThat(spec.imagePullSecrets()).isEmpty();
    assertThat(spec.sparkConf()).isEqualTo(Map.of("spark.eventLog.enabled", "false"));
    assertThat(spec.timeToLiveSeconds()).isEqualTo(5);
    assertThat(note(stored("pi"))).isEmpty();
  }

  @Test
  void aDryRunHasTheSameAnswerAndStoresNothing() throws Exception {
    String manifest = LEAST.formatted(JOBS, "", "");
    String shown = kubectl(manifest, "create", "--dry-run=server", "--output=json");
    assertThat(shown)
        .contains("\"" + NOTE + "\": \"" + ALL + "\"")
        .contains("\"serviceAccount\": \"spark-jobs\"");
    assertThat(stored("pi")).isNull();
    kubectl(manifest, "create");
    assertFilled(stored("pi").getSpec());
  }

  @Test
  void theSameManifestAgainChangesNothing() throws Exception {
    for (String way : List.of("--server-side=false", "--server-side=true")) {
      String manifest = LEAST.formatted(JOBS, "", "");
      assertThat(kubectl(manifest, "apply", way)).endsWith("0");
      SparkApplication once = stored("pi");
      assertFilled(once.getSpec());
      use(
          Map.of("defaults.numaspark.io/image", "new"),
          ", nodeProfile: a",
          "image from namespace " + JOBS);
      assertThat(kubectl(manifest, "diff", way)).as(way).isEqualTo("0");
      assertThat(kubectl(manifest, "apply", way)).as(way).endsWith("0");
      assertThat(stored("pi").getMetadata().getGeneration()).as(way).isEqualTo(1);
      assertFilled(stored("pi").getSpec());

      String edited = LEAST.formatted(JOBS, "", ", arguments: ['7'], sparkConf: {a: b}");
      assertThat(kubectl(edited, "apply", way)).endsWith("0");
      assertFilled(stored("pi").getSpec());
      assertThat(stored("pi").getSpec().arguments()).containsExactly("7");
      assertThat(note(stored("pi"))).isEqualTo(ALL);
      deleteApplications();
      useDefaults();
    }
  }

  /** A replacement is a whole object, and a change is not filled. */
  @Test
  void aReplacementLosesWhatItDoesNotSay() throws Exception {
    kubectl(LEAST.formatted(JOBS, "", ""), "create");
    assertThat(kubectl(LEAST.formatted(JOBS, "", ", nodeProfile: a"), "replace"))
        .contains("spec.image: is missing");
    assertThat(kubectl(LEAST.formatted(JOBS, "", ", nodeProfile: a, image: b"), "replace"))
        .endsWith("0");
    assertThat(stored("pi").getSpec().timeToLiveSeconds()).isNull();
    assertThat(note(stored("pi"))).isEmpty();
  }

  @Test
  void theApplicationOfAServerStaysAndIsNotWrittenAgain() {
    SparkConnect connect =
        client
            .resource(
                Serialization.unmarshal(
                    """
                    apiVersion: numaspark.io/v1alpha1
                    kind: SparkConnect
                    metadata: {name: notebooks, namespace: defaults-jobs}
                    spec: {sparkVersion: 4.3.0, image: spark}
                    """,
                    SparkConnect.class))
            .create();
    try {
      ConnectObjects objects = new ConnectObjects(client);
      SparkApplicationSpec spec = ConnectApplication.spec(connect);
      SparkApplication created =
          ((Kept) objects.application(connect, spec, Optional.empty())).application();
      assertThat(note(created)).isEmpty();
      assertThat(created.getSpec().timeToLiveSeconds()).isNull();
      assertThat(created.getSpec().driver().serviceAccount()).isNull();
      SparkApplication again =
          ((Kept) objects.application(connect, spec, Optional.of(created))).application();
      assertThat(again.getMetadata().getResourceVersion())
          .isEqualTo(created.getMetadata().getResourceVersion());
    } finally {
      client.resource(connect).delete();
    }
  }

  @Test
  void runsOfAScheduleAreFilledAndRunsOfATrialAreNot() {
    ScheduledSparkApplication schedule =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: ScheduledSparkApplication
            metadata: {name: nightly, namespace: defaults-jobs, uid: u-1}
            spec:
              schedule: '@daily'
              template: {type: Python, mainApplicationFile: 'local:///pi.py', image: own, nodeProfile: own}
            """,
            ScheduledSparkApplication.class);
    assertThat(new ScheduledRuns(client).create(schedule, "nightly-1", Instant.EPOCH)).isEmpty();
    assertThat(note(stored("nightly-1")))
        .isEqualTo(
            "imagePullSecrets, driver.serviceAccount, spark.eventLog.dir, timeToLiveSeconds from namespace "
                + JOBS);
    assertThat(stored("nightly-1").getSpec().driver().serviceAccount()).isEqualTo("spark-jobs");

    SparkTrial trial = new SparkTrial();
    trial.setMetadata(
        new ObjectMetaBuilder().withName("sizes").withNamespace(JOBS).withUid("u-2").build());
    SparkApplicationSpec template = schedule.getSpec().template();
    assertThat(new TrialRuns(client).create(trial, "sizes-1", "base", template)).isEmpty();
    assertThat(note(stored("sizes-1"))).isEmpty();
    assertThat(stored("sizes-1").getSpec().timeToLiveSeconds()).isNull();
  }

  @Test
  void hostileAnnotationsAreWarningsAndNothingIsRefused() throws Exception {
    use(
        Map.of(
            "defaults.numaspark.io/image", "x".repeat(100_000),
            "defaults.numaspark.io/image-pull-secrets", "a,".repeat(50_000),
            "defaults.numaspark.io/service-account", "a\u0000\u001b[31m\u0085\r\nX-Header: é",
            "defaults.numaspark.io/node-profile", "{\"a\": 1}",
            "defaults.numaspark.io/event-log-dir", "s3a://logs",
            "defaults.numaspark.io/time-to-live-seconds", "1e3",
            "defaults.numaspark.io/imgae", "spark"),
        ", image: own, nodeProfile: own",
        "spark.eventLog.dir from namespace " + JOBS);
    String output = kubectl(LEAST.formatted(JOBS, "", ", image: own, nodeProfile: own"), "create");
    assertThat(output)
        .contains(
            "Warning: numaspark: namespace defaults-jobs, annotation defaults.numaspark.io/image: is '"
                + "x".repeat(40)
                + "' and so on, 100000 characters, so nothing is filled in")
        .contains("service-account: is 'a??[31m")
        .contains("imgae: is not known")
        .contains("time-to-live-seconds: is '1e3'")
        .endsWith("created\n0");
    assertThat(output.lines().filter(line -> line.startsWith("Warning:")))
        .hasSize(6)
        .allMatch(line -> line.matches("[ -~]+"));
    assertThat(stored("pi").getSpec().image()).isEqualTo("own");
  }

  @Test
  void hostileApplicationsAreRefusedByTheSchemaAsWithoutAWebhook() throws Exception {
    assertThat(
            kubectl(
                LEAST.formatted(JOBS, "", ", image: 7, driver: [], sparkConf: text"),
                "create",
                "--validate=false"))
        .contains("spec.image: Invalid value: \"integer\"")
        .contains("spec.driver: Invalid value: \"array\"")
        .contains("spec.sparkConf: Invalid value: \"string\"");
  }
}
