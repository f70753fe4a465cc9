package io.numaspark.controller;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.controller.observe.ObjectReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real kube-apiserver and etcd with our CRDs, started once for all test classes.
 *
 * <p>Their binaries are taken from the folder that KUBE_API_TEST_DIR names, as an environment
 * variable or a system property; {@code lab/lab tools --kube-api-test} makes one. Without it the
 * tests are skipped. There is no controller manager, scheduler or kubelet: tests play their parts.
 */
final class ApiServer implements BeforeAllCallback, ExecutionCondition {
  private static final String FOLDER = "KUBE_API_TEST_DIR";
  private static final Path CRDS = Path.of(System.getProperty("repository.root"), "crds");
  private static final String NO_FOLDER =
      FOLDER
          + " is not set, so there is no kube-apiserver to test against; set it to what"
          + " `lab/lab tools --kube-api-test` prints";

  private static String kubeConfig;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (folder().isPresent()) {
      return ConditionEvaluationResult.enabled(FOLDER + " is set");
    }
    if (context.getTestMethod().isEmpty()) {
      System.out.println("[WARNING] " + context.getDisplayName() + " is skipped: " + NO_FOLDER);
    }
    return ConditionEvaluationResult.disabled(NO_FOLDER);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    synchronized (ApiServer.class) {
      if (kubeConfig == null) {
        start(folder().orElseThrow());
      }
    }
  }

  /** A client of an administrator that reads as the operator's does; the caller closes it. */
  static KubernetesClient client() {
    return client(config());
  }

  /** How an administrator reaches the API server. */
  static Config config() {
    return Config.fromKubeconfig(kubeConfig);
  }

  /** The same by another way to the API server. */
  static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(ObjectReading.serialization())
        .build();
  }

  /** The committed CRDs. */
  static List<HasMetadata> crds() throws IOException {
    try (Stream<Path> files = Files.list(CRDS)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .sorted()
          .map(ApiServer::read)
          .toList();
    }
  }

  /** The kubectl that belongs to the API server. */
  static String kubectl() throws IOException {
    try (Stream<Path> files = Files.find(Path.of(folder().orElseThrow()), 3, (f, a) -> true)) {
      return files
          .filter(file -> file.endsWith("kubectl"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no kubectl in " + FOLDER))
          .toString();
    }
  }

  /** A file with an administrator's credentials. */
  static Path kubeConfigFile() throws IOException {
    Path file = Files.createTempFile("numaspark", ".kubeconfig");
    file.toFile().deleteOnExit();
    return Files.writeString(file, kubeConfig);
  }

  private static Optional<String> folder() {
    return Stream.of(System.getProperty(FOLDER), System.getenv(FOLDER))
        .filter(folder -> folder != null && !folder.isBlank())
        .findFirst();
  }

  private static void start(String folder) throws IOException {
    KubeAPIServer server =
        new KubeAPIServer(
            KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(withServiceAccountAdmission(folder).toString())
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .build());
    Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
    server.start();
    kubeConfig = server.getKubeConfigYaml();
    try (KubernetesClient client = client()) {
      for (HasMetadata crd : crds()) {
        client.resource(crd).create();
      }
      for (HasMetadata crd : crds()) {
        client
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName(crd.getMetadata().getName())
            .waitUntilCondition(ApiServer::isEstablished, 60, TimeUnit.SECONDS);
      }
    }
  }

  /**
   * A copy of the folder whose API server has ServiceAccount admission on as in every cluster; the
   * library always passes the flag that switches it off. It also has Kubernetes' own gangs, which
   * are off unless they are switched on.
   */
  private static Path withServiceAccountAdmission(String folder) throws IOException {
    Path copy = Path.of("target", "api-server").toAbsolutePath();
    Path original;
    try (Stream<Path> versions = Files.list(Path.of(folder, "k8s"))) {
      original = versions.sorted(Comparator.reverseOrder()).findFirst().orElseThrow();
    }
    Path binaries = Files.createDirectories(copy.resolve("k8s").resolve(original.getFileName()));
    for (String name : List.of("etcd", "kubectl")) {
      Files.deleteIfExists(binaries.resolve(name));
      Files.createSymbolicLink(binaries.resolve(name), original.resolve(name));
    }
    Path server = binaries.resolve("kube-apiserver");
    Files.writeString(
        server,
        """
        #!/bin/sh
        for argument; do
          shift
          [ "$argument" != ServiceAccount ] || argument=TaintNodesByCondition
          set -- "$@" "$argument"
        done
        exec '%s' "$@" --feature-gates=GenericWorkload=true --runtime-config=scheduling.k8s.io/v1alpha2=true
        """
            .formatted(original.resolve(server.getFileName())));
    Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwxr-xr-x"));
    return copy;
  }

  private static boolean isEstablished(CustomResourceDefinition crd) {
    return crd != null
        && crd.getStatus() != null
        && crd.getStatus().getConditions().stream()
            .anyMatch(c -> "Established".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  private static HasMetadata read(Path file) {
    try {
      return Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reasons of the events of an object; those of cluster-scoped ones are in namespace default. */
  static List<String> events(KubernetesClient client, String namespace, String name) {
    return client.events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> name.equals(event.getRegarding().getName()))
        .map(Event::getReason)
        .toList();
  }
}
