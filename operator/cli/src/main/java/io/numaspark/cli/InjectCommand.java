package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.cli.inject.ManifestFile;
import io.numaspark.cli.inject.ManifestFile.Outcome;
import io.numaspark.cli.inject.TemplateFile;
import io.numaspark.cli.text.InputException;
import io.numaspark.cli.text.OutputFiles;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.render.inject.Injection;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the manifests of other Spark operators back with pinned executors. */
@Command(
    name = "inject",
    mixinStandardHelpOptions = true,
    description = {
      "Splits the executors of other operators' manifests into a profile's shape and pins them.",
      "Takes SparkApplication and ScheduledSparkApplication of sparkoperator.k8s.io/v1beta2, SparkApplication of"
          + " spark.apache.org/v1, and properties files of spark-submit. Comments, order and whatever is not changed stay"
          + " as they are; so do all other documents of a file. Injecting again changes nothing.",
      "With a properties file, a pod template for the executors is written, which the properties name: then one flag"
          + " of spark-submit, --properties-file, pins a submission."
    },
    footer = {
      "",
      "Exit codes: 0 done; 1 no executor fits, or a manifest cannot be pinned; 2 a file is wrong.",
      "",
      "Examples:",
      "  numaspark inject -f nodes/ -f profile.yaml -f pi.yaml | kubectl apply -f -",
      "  numaspark inject -f nodes/ -f profile.yaml -f jobs/ --in-place",
      "  numaspark inject -f nodes/ -f profile.yaml -f spark.conf -o pinned.conf",
      "  numaspark inject -f nodes/ -f profile.yaml --properties /dev/null -o pinned.conf",
    })
final class InjectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description =
          "File or folder with SparkNodeTopology, one SparkNodeProfile, or manifests of other operators; a file that ends"
              + " in .conf or .properties is one of spark-submit; - is standard input. May be given several times.")
  private List<String> files;

  @Option(
      names = "--properties",
      paramLabel = "FILE",
      description = "Properties file of spark-submit, whatever its name.")
  private List<String> propertiesFiles = List.of();

  @Option(
      names = "--template",
      paramLabel = "FILE",
      description =
          "Where to write the pod template for the executors of a properties file; if not given, it is in the"
              + " folder of the result: pinned-executor.yaml for pinned.conf.")
  private Path template;

  @Option(
      names = "--template-as",
      paramLabel = "PATH",
      description =
          "What the properties say where the template is, if spark-submit finds it elsewhere than where it is written,"
              + " for example in its image.")
  private String templateAs;

  @Option(
      names = "--no-slots",
      description =
          "Do not request the profile's slot resource: for clusters in which the numaspark operator does not run, and"
              + " thus no node has slots.")
  private boolean withoutSlots;

  @ArgGroup private Target target = new Target();

  /** Where the result goes; standard output if nothing is said. */
  private static final class Target {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        description = "Write the manifest here instead of standard output.")
    private Path output;

    @Option(
        names = "--in-place",
        description = "Write every manifest back into its file; none if one is refused.")
    private boolean inPlace;
  }

  @Override
  public Integer call() {
    byte[] standardInput = files.contains("-") ? bytes("standard input", System.in) : new byte[0];
    Map<String, String> texts = new LinkedHashMap<>();
    Map<String, ManifestFile> manifests = new LinkedHashMap<>();
    List<String> others = new ArrayList<>();
    for (String file : names()) {
      String text = text(file, standardInput);
      if (TemplateFile.isWritten(text)) {
        continue; // An earlier injection has put it into one of the folders.
      }
      Optional<ManifestFile> manifest = inFile(file, () -> manifest(file, text));
      if (manifest.isPresent()) {
        texts.put(file, text);
        manifests.put(file, manifest.get());
      } else {
        others.add(file);
      }
    }
    Documents documents = Documents.read(others, new ByteArrayInputStream(standardInput));
    checkTarget(manifests.keySet().stream().toList());
    SparkNodeProfile profile = PlanCommand.one(documents.profiles());
    ProfilePlan plan = PlanCommand.plan(profile, documents);
    if (plan.result() instanceof Shortfall shortfall) {
      return refuse(
          List.of(
              "SparkNodeProfile %s: %s; %s"
                  .formatted(
                      profile.getMetadata().getName(), shortfall.message(), shortfall.remedy())));
    }
    Injection injection =
        new Injection(
            PlanReport.context(profile, plan, (Plan) plan.result()),
            profile.getSpec().nodeSelector(),
            !withoutSlots);
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    manifests.forEach(
        (file, manifest) -> outcomes.put(file, inFile(file, () -> manifest.inject(injection))));
    return finish(texts, outcomes);
  }

  /** Files in folders, and nothing else, are known by their suffix. */
  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (String file : files) {
      if (file.equals("-")) {
        names.add(file);
      } else {
        Documents.files(Path.of(file)).forEach(path -> names.add(path.toString()));
      }
    }
    names.addAll(propertiesFiles);
    return names.stream().distinct().toList();
  }

  private Optional<ManifestFile> manifest(String file, String text) {
    return isProperties(file)
        ? Optional.of(ManifestFile.properties(text, templateLocation(file)))
        : ManifestFile.yaml(text);
  }

  private boolean isProperties(String file) {
    return propertiesFiles.contains(file) || file.matches(".*\\.(conf|properties)");
  }

  /** Where the template of a properties file is written; empty if nothing says where. */
  private Optional<Path> templateFile(String file) {
    if (template != null) {
      return Optional.of(template);
    }
    return result(file)
        .map(
            path ->
                path.resolveSibling(
                    path.getFileName().toString().replaceFirst("(?<=.)[.][^.]*$", "")
                        + "-executor.yaml"));
  }

  private String templateLocation(String file) {
    return templateAs == null
        ? templateFile(file).map(TemplateFile::location).orElse("")
        : templateAs;
  }

  /** Where the result for a file goes; empty for standard output. */
  private Optional<Path> result(String file) {
    return target.inPlace ? Optional.of(Path.of(file)) : Optional.ofNullable(target.output);
  }

  private void checkTarget(List<String> manifests) {
    if (manifests.isEmpty()) {
      throw new InputException(
          "no manifest in the files; add one of another operator or a properties file with -f");
    }
    if (target.inPlace && manifests.contains("-")) {
      throw new InputException("standard input cannot be written in place; leave out --in-place");
    }
    if (!target.inPlace && manifests.size() > 1) {
      throw new InputException(
          "more than one file with manifests: "
              + String.join(", ", manifests)
              + "; give one, or use --in-place");
    }
    if ((template != null || templateAs != null)
        && (manifests.size() > 1 || !isProperties(manifests.get(0)))) {
      throw new InputException(
          "--template and --template-as are for one properties file, but there is "
              + String.join(", ", manifests)
              + "; leave them out, or inject files one by one");
    }
  }

  private int finish(Map<String, String> texts, Map<String, Outcome> outcomes) {
    List<String> refusals = new ArrayList<>();
    PrintWriter err = spec.commandLine().getErr();
    outcomes.forEach(
        (file, outcome) -> {
          outcome.refusals().forEach(refusal -> refusals.add(file + ": " + refusal));
          outcome
              .warnings()
              .forEach(warning -> err.println("numaspark: warning: " + file + ": " + warning));
        });
    if (!refusals.isEmpty()) {
      return refuse(refusals);
    }
    OutputFiles results = new OutputFiles();
    Map<Path, String> templates = new LinkedHashMap<>();
    outcomes.forEach(
        (file, outcome) ->
            outcome.podTemplate().ifPresent(text -> addTemplate(file, text, templates)));
    refusals.addAll(notReplaced(templates.keySet()));
    if (!refusals.isEmpty()) {
      return refuse(refusals);
    }
    templates.forEach(results::add);
    outcomes.forEach(
        (file, outcome) ->
            result(file)
                .filter(path -> !target.inPlace || !texts.get(file).equals(outcome.text()))
                .ifPresent(path -> results.add(path, outcome.text())));
    results.write();
    outcomes.forEach(
        (file, outcome) -> {
          if (result(file).isEmpty()) {
            spec.commandLine().getOut().print(outcome.text());
            spec.commandLine().getOut().flush();
          }
          outcome.summaries().forEach(summary -> err.println("numaspark: " + summary));
        });
    templates.keySet().forEach(file -> err.println("numaspark: pod template: " + file));
    return 0;
  }

  private void addTemplate(String file, String text, Map<Path, String> templates) {
    Path path =
        templateFile(file)
            .orElseThrow(
                () ->
                    new InputException(
                        file
                            + ": the executors need a pod template, for which standard output has no room;"
                            + " use -o or --in-place, or name its file with --template"));
    if (templates.putIfAbsent(path, text) != null || result(file).equals(Optional.of(path))) {
      throw new InputException(
          file
              + ": its pod template "
              + path
              + " is the file of something else, too; inject the file alone, with another --template");
    }
  }

  private static List<String> notReplaced(Collection<Path> templates) {
    List<String> reasons = new ArrayList<>();
    for (Path file : templates) {
      try {
        TemplateFile.whyNotReplaced(file).ifPresent(reasons::add);
      } catch (IOException e) {
        throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
      }
    }
    return reasons;
  }

  private int refuse(List<String> reasons) {
    reasons.forEach(reason -> spec.commandLine().getErr().println("numaspark: " + reason));
    return Main.EXIT_NO_PLAN;
  }

  private static <T> T inFile(String file, Supplier<T> work) {
    try {
      return work.get();
    } catch (IllegalArgumentException e) {
      throw new InputException(
          (file.equals("-") ? "standard input" : file) + ": " + e.getMessage(), e);
    }
  }

  private static String text(String file, byte[] standardInput) {
    byte[] bytes;
    if (file.equals("-")) {
      bytes = standardInput;
    } else {
      try (InputStream stream = Files.newInputStream(Path.of(file))) {
        bytes = bytes(file, stream);
      } catch (NoSuchFileException e) {
        throw new InputException(file + ": there is no such file; check the path", e);
      } catch (IOException e) {
        throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": is not in UTF-8; convert it", e);
    }
  }

  private static byte[] bytes(String name, InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new InputException(name + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
