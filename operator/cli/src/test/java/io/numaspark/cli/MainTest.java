package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "help"})
  void helpListsTheCommands(String argument) {
    Cli cli = Cli.run(argument);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("Usage: numaspark")
        .containsPattern("\n  topology +Prints the SparkNodeTopology")
        .containsPattern("\n  plan +Shows how a SparkNodeProfile")
        .containsPattern("\n  inject +Splits the executors")
        .containsPattern("\n  convert +Turns the manifests")
        .containsPattern("\n  doctor +Lists what keeps executors")
        .containsPattern("\n  kubelet-config +Prints the kubelet settings")
        .containsPattern("\n  smt +Shows SMT of a node")
        .containsPattern("\n  help ")
        .containsPattern("\n  generate-completion ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plan     | --filename --output Examples: topologies/
          inject   | --filename --properties --output --in-place --no-slots Examples: kubectl
          convert  | --filename --profile --output Examples: kubectl yaml
          doctor   | --filename --output Examples: topologies/
          kubelet-config | --filename --for kubelet-drop-in, --reserve-cores Example: topologies/
          smt      | NODE --to --dry-run --yes --delete-emptydir-data --force --timeout --image --kubeconfig --context Examples:
          topology | --sysfs --kubelet-config --node --output Examples: kubectl
          """)
  void helpOfACommandListsItsOptions(String command, String texts) {
    Cli cli = Cli.run(command, "--help");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains(texts.split(" "));
  }

  @Test
  void versionIsPrinted() {
    Cli cli = Cli.run("--version");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).startsWith("numaspark ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plan -f",
        "plan -f x -o xml",
        "inject",
        "inject -f x -o",
        "topology --sysfs",
        "smt",
        "smt numa-0 --to sideways",
        "smt numa-0 --timeout 5",
        "topology x"
      })
  void wrongCommandLineShowsUsage(String line) {
    Cli cli = Cli.run((Object[]) (line.isEmpty() ? new String[0] : line.split(" ")));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).contains("Usage: numaspark").doesNotContain("\tat ");
  }

  @Test
  void aMistypedCommandIsSuggested() {
    Cli cli = Cli.run("plam");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("'plam'", "numaspark plan");
  }

  @Test
  void completionIsPrinted() {
    Cli cli = Cli.run("generate-completion");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("plan", "--kubelet-config", "doctor", "--reserve-cores", "kubelet-drop-in");
  }
}
