package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.numaspark.controller.fixture.ChartTree;
import io.numaspark.controller.process.RightsCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An API server takes what the chart renders to, to the last field, and gives operator and agents
 * the rights that the pods of {@code helm test} expect, and no others.
 */
@ExtendWith(ApiServer.class)
class ChartIT {
  private static final Path MONITORING =
      Path.of("src", "test", "resources", "monitoring-crds.yaml").toAbsolutePath();
  private static final String STANDARD = "pod-security.kubernetes.io/";

  private final KubernetesClient client = ApiServer.client();
  private final Path kubeConfig;
  private final List<ChartTree> installed = new ArrayList<>();

  ChartIT() throws IOException {
    kubeConfig = ApiServer.kubeConfigFile();
  }

  @AfterEach
  void uninstall() throws Exception {
    for (ChartTree tree : installed) {
      kubectl("delete", "--wait=false", "--recursive", "-f", tree.folder().toString());
    }
    client.close();
  }

  static Stream<ChartTree> trees() throws IOException {
    return ChartTree.all();
  }

  @ParameterizedTest
  @MethodSource("trees")
  void isTakenAsItStandsAndGivesTheRightsThatItsTestsExpect(ChartTree tree) throws Exception {
    install(tree);
    for (Pod pod : tree.tests()) {
      List<String> arguments = pod.getSpec().getContainers().get(0).getArgs();
      assertThat(arguments).hasSizeGreaterThan(10).startsWith(RightsCheck.COMMAND);
      Checked checked = check(pod, arguments.subList(1, arguments.size()));
      assertThat(checked.exitCode()).as(checked.printed()).isZero();
    }
  }

  @Test
  void oneRightTooManyIsFound() throws Exception {
    ChartTree tree = ChartTree.of("team-b");
    install(tree);
    Pod pod = tree.tests().get(0);
    var tooMuch =
        new ClusterRoleBindingBuilder()
            .withNewMetadata()
            .withName("too-much")
            .endMetadata()
            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
            .addNewSubject(
                null,
                "ServiceAccount",
                pod.getSpec().getServiceAccountName(),
                pod.getMetadata().getNamespace())
            .build();
    client.resource(tooMuch).create();
    try {
      // The API server's authorizer learns of a binding by its own watch.
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                Checked checked = check(pod, List.of("may list pods", "may not get secrets"));
                assertThat(checked.exitCode()).isEqualTo(1);
                assertThat(checked.printed())
                    .contains("ok    may list pods")
                    .contains("WRONG may not get secrets: it is allowed, RBAC: allowed by")
                    .contains("too-much");
              });
    } finally {
      client.resource(tooMuch).delete();
    }
  }

  private void install(ChartTree tree) throws Exception {
    installed.add(tree);
    kubectl("apply", "-f", MONITORING.toString()).orFail();
    for (String namespace : tree.namespaces()) {
      client
          .resource(
              new NamespaceBuilder()
                  .withNewMetadata()
                  .withName(namespace)
                  .withLabels(standards(tree, namespace))
                  .endMetadata()
                  .build())
          .serverSideApply();
    }
    String folder = tree.folder().toString();
    Output output =
        kubectl("apply", "--server-side", "--validate=strict", "--recursive", "-f", folder)
            .orFail();
    assertThat(output.text()).doesNotContain("Warning");
  }

  /**
   * The strictest standard that the documentation promises. It refuses the pods of the tests, and
   * warns of workloads whose pods it would refuse.
   */
  private static Map<String, String> standards(ChartTree tree, String namespace) {
    List<GenericKubernetesResource> inside =
        tree.objects().stream()
            .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
            .toList();
    if (inside.stream().noneMatch(object -> object.getKind().matches("Deployment|DaemonSet"))) {
      return Map.of();
    }
    String standard =
        inside.stream().noneMatch(object -> object.getKind().equals("DaemonSet"))
            ? "restricted"
            : inside.stream()
                    .noneMatch(object -> object.getMetadata().getName().endsWith("-enforce"))
                ? "baseline"
                : "privileged";
    return Map.of(STANDARD + "enforce", standard, STANDARD + "warn", standard);
  }

  /** Speaks as the pod would. */
  private Checked check(Pod pod, List<String> claims) {
    String namespace = pod.getMetadata().getNamespace();
    Config config = ApiServer.config();
    config.setImpersonateUsername(
        "system:serviceaccount:" + namespace + ":" + pod.getSpec().getServiceAccountName());
    config.setImpersonateGroups(
        "system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (KubernetesClient asPod = ApiServer.client(config)) {
      int exitCode =
          RightsCheck.of(asPod, new PrintStream(printed, true, StandardCharsets.UTF_8)).run(claims);
      return new Checked(exitCode, printed.toString(StandardCharsets.UTF_8));
    }
  }

  private record Checked(int exitCode, String printed) {}

  private record Output(int exitCode, String text) {
    Output orFail() {
      assertThat(exitCode).as(text).isZero();
      return this;
    }
  }

  private Output kubectl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(ApiServer.kubectl()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", kubeConfig.toString());
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Output(process.waitFor(), text);
  }
}
