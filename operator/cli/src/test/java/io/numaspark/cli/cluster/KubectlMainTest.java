package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KubectlMainTest {
  @TempDir Path folder;

  private record Output(int exitCode, String out, String err) {}

  @Test
  void completionKnowsCommandsAndOptions() {
    assertThat(run("__complete", "--", "").out())
        .isEqualTo("apps\ndoctor\nhelp\nnodes\nplan\nsmt\ntrial\nwhy\n:4\n");
    assertThat(run("__complete", "--", "no").out()).isEqualTo("nodes\n:4\n");
    assertThat(run("__complete", "--", "apps", "--all").out()).isEqualTo("--all-namespaces\n:4\n");
    assertThat(run("__complete", "--", "unknown", "").out()).isEqualTo(":4\n");
  }

  @Test
  void everyCommandHasHelp() {
    for (String command : new String[] {"apps", "nodes", "plan", "doctor", "why", "trial", "smt"}) {
      Output help = run(command, "--help");
      assertThat(help.exitCode()).isZero();
      assertThat(help.out()).contains("Usage: kubectl numaspark " + command, "--context");
    }
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamedWithTheRemedy() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    Path kubeconfig = folder.resolve("config");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: u, user: {}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(closed));
    Output output = run("apps", "--kubeconfig", kubeconfig.toString(), "-n", "team");
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.err())
        .contains(
            "cannot list sparkapplications.numaspark.io in namespace team at http://127.0.0.1:"
                + closed)
        .contains("check --kubeconfig and --context")
        .doesNotContain("\tat ");
  }

  @Test
  void aMissingKubeconfigIsNamed() {
    Output output = run("apps", "--kubeconfig", folder.resolve("none").toString());
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.err()).contains("none: there is no such file");
  }

  private static Output run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        KubectlMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    int exitCode = command.execute(arguments);
    return new Output(exitCode, out.toString(), err.toString());
  }
}
