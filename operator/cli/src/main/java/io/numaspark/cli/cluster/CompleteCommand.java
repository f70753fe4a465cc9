package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.cli.text.InputException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What may come next on the command line, for kubectl's own completion: it runs {@code
 * kubectl_complete-numaspark} with the words so far, of which the last one is not complete.
 *
 * <p>Limit: names are those of the current context and namespace, whatever options stand before.
 */
@Command(
    name = "__complete",
    hidden = true,
    description = "Prints what may come next, for kubectl's completion.")
final class CompleteCommand implements Callable<Integer> {
  /** Cobra's directive: these are all, files are none. */
  private static final String NO_FILES = ":4";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "WORD", arity = "0..*")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    String begun = words.isEmpty() ? "" : words.get(words.size() - 1);
    candidates(begun).filter(word -> word.startsWith(begun)).sorted().forEach(out::println);
    out.println(NO_FILES);
    out.flush();
    return 0;
  }

  private Stream<String> candidates(String begun) {
    CommandLine top = spec.commandLine().getParent();
    if (words.size() < 2) {
      return top.getSubcommands().entrySet().stream()
          .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
          .map(Map.Entry::getKey);
    }
    CommandLine command = top.getSubcommands().get(words.get(0));
    if (command == null) {
      return Stream.of();
    }
    if (begun.startsWith("-")) {
      return command.getCommandSpec().options().stream()
          .flatMap(option -> Stream.of(option.names()));
    }
    return switch (words.get(0)) {
      case "why" -> names(Cluster::pods);
      case "plan" -> names(Cluster::profiles);
      case "trial" -> names(Cluster::trials);
      case "smt" -> names(Cluster::nodes);
      default -> Stream.of();
    };
  }

  /** A cluster that does not answer has no names; a completion is no place for messages. */
  private static Stream<String> names(Function<Cluster, List<? extends HasMetadata>> of) {
    try (Cluster cluster = new ClusterOption().open()) {
      return of.apply(cluster).stream()
          .map(object -> object.getMetadata().getName())
          .toList()
          .stream();
    } catch (InputException e) {
      return Stream.of();
    }
  }
}
