package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.cli.access.KubeconfigOption;
import io.numaspark.cli.text.InputException;
import io.numaspark.render.text.OneLine;
import java.io.Console;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Switches SMT of a node off or on, or shows its state. */
@Command(
    name = "smt",
    mixinStandardHelpOptions = true,
    description = {
      "Shows SMT of a node, or switches it off or on with your rights: cordons and drains the node, stops the kubelet,"
          + " switches, changes reservedSystemCPUs, starts the kubelet, verifies, uncordons.",
      "If it was killed, the same command continues. A kubelet that does not start is returned to its former settings.",
      "Exit code 0 done, 1 not switched, 2 not possible or the cluster does not answer."
    },
    footer = {
      "",
      "Examples:",
      "  numaspark smt numa-0",
      "  numaspark smt numa-0 --to off --dry-run",
      "  numaspark smt numa-0 --to off --delete-emptydir-data --yes",
    })
public final class SmtCommand implements Callable<Integer> {
  private static final int NOT_SWITCHED = 1;

  @Mixin private KubeconfigOption kubeconfig;
  @Mixin private DrainOptions drain;
  @Spec private CommandSpec command;

  @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node.")
  private String name;

  @Option(
      names = "--to",
      paramLabel = "STATE",
      description = "off or on; without it, the state is shown and nothing changes.")
  private SmtTarget target;

  @Option(names = "--dry-run", description = "Show what would be done, and change nothing.")
  private boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask; needed if there is no terminal.")
  private boolean yes;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description =
          "Image of the node agent, which has the program that switches (default: that of the agent on the node).")
  private String image;

  @Override
  public Integer call() {
    try (KubernetesCluster cluster = new KubernetesCluster(kubeconfig.config().build())) {
      if (target == null) {
        show(cluster);
        return 0;
      }
      new SmtSwitch(
              cluster,
              new SmtSwitch.Request(
                  name,
                  target,
                  dryRun,
                  Optional.ofNullable(image).map(given -> new AgentImage(given, "IfNotPresent")),
                  drain,
                  UUID.randomUUID().toString()),
              new Terminal(),
              Pace.OF_THE_CLOCK)
          .run();
      return 0;
    } catch (NotSwitched e) {
      command.commandLine().getErr().println("numaspark: " + OneLine.of(e.getMessage()));
      return NOT_SWITCHED;
    }
  }

  private void show(KubernetesCluster cluster) {
    Node node =
        cluster
            .node(name)
            .orElseThrow(
                () ->
                    new InputException(
                        "there is no node %s; see: kubectl get nodes".formatted(name)));
    PrintWriter out = command.commandLine().getOut();
    out.print(SmtText.of(node, SmtSwitch.state(cluster, node)));
    out.flush();
  }

  /** Standard output, and a question if somebody can answer it. */
  private final class Terminal implements Person {
    @Override
    public void say(String line) {
      PrintWriter out = command.commandLine().getOut();
      out.println(OneLine.of(line));
      out.flush();
    }

    @Override
    public boolean agrees(String question) {
      if (yes) {
        return true;
      }
      Console console = System.console();
      if (console == null) {
        throw new InputException("--yes is missing, and there is no terminal to ask at: add --yes");
      }
      String answer = console.readLine("%s [y/N] ", question);
      return answer != null
          && List.of("y", "yes").contains(answer.strip().toLowerCase(Locale.ROOT));
    }
  }
}
