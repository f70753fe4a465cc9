package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The running lab, used as a person would: through kubectl, with manifests as text. */
final class Lab {
  static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));

  /** Of the chart, as lab/install.sh sets them. */
  static final String VALUES = "lab/manifests/numaspark-values.yaml";

  static final Path CHART = REPOSITORY.resolve("charts/numaspark");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(6);

  /** What takes seconds may take minutes on two busy CPUs, one of which emulates a machine. */
  private static final Duration LEAST_PATIENCE = Duration.ofMinutes(6);

  private Lab() {}

  /** What a command printed. */
  record Output(int exitCode, String out, String err) {
    Output orFail() {
      assertThat(exitCode).as("%s%s", out, err).isZero();
      return this;
    }
  }

  static Output kubectl(String... arguments) {
    return kubectlWith("", arguments);
  }

  /** Applies a manifest; the exit code and the error text are the test's to judge. */
  static Output apply(String manifest) {
    return kubectlWith(manifest, "apply", "-f", "-");
  }

  static Output kubectlWith(String input, String... arguments) {
    List<String> command = new ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(arguments));
    return run(command, input);
  }

  /** Runs the tests that the release brings along. */
  static Output testRelease() {
    return helm("test", "numaspark");
  }

  /** Runs helm in the operator's namespace. */
  static Output helm(String command, String... arguments) {
    return helmIn("numaspark-system", command, arguments);
  }

  static Output helmIn(String namespace, String command, String... arguments) {
    List<String> words = new ArrayList<>(List.of("helm", command, "--namespace=" + namespace));
    words.addAll(List.of(arguments));
    return run(words, "");
  }

  /** Makes the namespace of the agents enforce this pod security standard. */
  static void enforceStandard(String standard) {
    kubectl(
            "label",
            "namespace",
            "numaspark-agent",
            "--overwrite",
            "pod-security.kubernetes.io/enforce=" + standard)
        .orFail();
  }

  /** Runs git in the repository. */
  static Output git(String... arguments) {
    List<String> words = new ArrayList<>(List.of("git", "-C", REPOSITORY.toString()));
    words.addAll(List.of(arguments));
    return run(words, "");
  }

  /** The operator's pods. */
  static JsonNode operatorPods() {
    return json(kubectl(
                "get",
                "pods",
                "--namespace=numaspark-system",
                "--selector=app.kubernetes.io/name=numaspark",
                "-o",
                "json")
            .orFail()
            .out())
        .path("items");
  }

  /** A page of the operator, through the API server. */
  static String operatorPage(String path) {
    String pod = operatorPods().at("/0/metadata/name").asText();
    String proxy = "/api/v1/namespaces/numaspark-system/pods/" + pod + ":8080/proxy";
    return kubectl("get", "--raw", proxy + path).orFail().out();
  }

  /** Upgrades the release as lab/install.sh has installed it, with further settings. */
  static Output upgradeRelease(String... settings) {
    List<String> arguments =
        new ArrayList<>(
            List.of("numaspark", CHART.toString(), "--values=" + REPOSITORY.resolve(VALUES)));
    arguments.addAll(List.of(settings));
    return helm("upgrade", arguments.toArray(String[]::new));
  }

  /** Runs the numaspark command that was built from this tree. */
  static Output numaspark(String input, String... arguments) {
    List<String> command = new ArrayList<>(List.of("numaspark"));
    command.addAll(List.of(arguments));
    return run(command, input);
  }

  /** Runs a command on a node of the lab. */
  static Output nodeExec(String node, String... command) {
    List<String> words =
        new ArrayList<>(List.of(REPOSITORY.resolve("lab/lab").toString(), "node-exec", node));
    words.addAll(List.of(command));
    return run(words, "");
  }

  /** Runs a command of this machine. */
  static Output run(List<String> command, String input) {
    try {
      Path out = Files.createTempFile("e2e", ".out");
      Path err = Files.createTempFile("e2e", ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try (var stdin = process.getOutputStream()) {
          stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        if (!process.waitFor(COMMAND_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError(command + " did not end within " + COMMAND_TIMEOUT);
        }
        return new Output(process.exitValue(), Files.readString(out), Files.readString(err));
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The object as JSON; a missing node if there is none. */
  static JsonNode get(String kind, String name) {
    return json(kubectl("get", kind, name, "-o", "json", "--ignore-not-found").orFail().out());
  }

  /** The items of a list. */
  static List<JsonNode> list(String kind, String selector) {
    List<JsonNode> items = new ArrayList<>();
    json(kubectl("get", kind, "-l", selector, "-o", "json").orFail().out())
        .path("items")
        .forEach(items::add);
    return items;
  }

  static JsonNode json(String text) {
    try {
      return text.isBlank() ? JSON.missingNode() : JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for an object of the default namespace to look as wanted. */
  static JsonNode awaitObject(
      String kind, String name, Duration atMost, Predicate<JsonNode> wanted) {
    return awaitObject(kind, "default", name, atMost, wanted);
  }

  /** Waits for an object to look as wanted, and shows its status if it never does. */
  static JsonNode awaitObject(
      String kind, String namespace, String name, Duration atMost, Predicate<JsonNode> wanted) {
    JsonNode[] last = new JsonNode[1];
    await(kind + " " + name)
        .atMost(atMost.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : atMost)
        .pollInterval(Duration.ofSeconds(1))
        .conditionEvaluationListener(
            condition -> {
              if (condition.getRemainingTimeInMS() <= 0) {
                System.err.println(
                    last[0] == null ? "never read" : last[0].path("status").toPrettyString());
              }
            })
        .until(
            () -> {
              last[0] =
                  json(
                      kubectl(
                              "get",
                              kind,
                              name,
                              "-n",
                              namespace,
                              "-o",
                              "json",
                              "--ignore-not-found")
                          .orFail()
                          .out());
              return wanted.test(last[0]);
            });
    return last[0];
  }

  static JsonNode awaitState(String application, Duration atMost, String... states) {
    return awaitObject(
        "sparkapplications.numaspark.io",
        application,
        atMost,
        object -> List.of(states).contains(state(object)));
  }

  static String state(JsonNode application) {
    return application.at("/status/applicationState/state").asText();
  }

  /** Whether an application waits for something that its next attempt needs. */
  static boolean waits(JsonNode application) {
    return state(application).equals("SUBMITTED")
        && application.at("/status/applicationState/waitingSince").isTextual();
  }

  static JsonNode condition(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.missingNode();
  }

  /** Deletes an object and checks that it goes at once: nothing of ours may block deletion. */
  static void delete(String kind, String name) {
    kubectl("delete", kind, name, "--ignore-not-found", "--timeout=60s").orFail();
  }

  static String demo(String file) {
    try {
      return Files.readString(REPOSITORY.resolve("lab/demo").resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
