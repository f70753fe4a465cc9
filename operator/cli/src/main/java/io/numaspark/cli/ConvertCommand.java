package io.numaspark.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.cli.convert.ConvertedFile;
import io.numaspark.cli.text.InputException;
import io.numaspark.schema.CustomResourceSchema;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Turns the manifests of other Spark operators into numaspark's. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    description = {
      "Turns the manifests of other Spark operators into numaspark's.",
      "Takes SparkApplication and ScheduledSparkApplication of sparkoperator.k8s.io (v1beta2, v1beta1, v1alpha1) and SparkApplication"
          + " of spark.apache.org (v1, v1beta1, v1alpha1). All other documents stay as they are. If a field has a different"
          + " effect or none, standard error names it and the reason."
    },
    footer = {
      "",
      "Exit codes: 0 done; 1 a manifest cannot be converted; 2 a file is wrong.",
      "",
      "Examples:",
      "  numaspark convert -f pi.yaml | kubectl apply -f -",
      "  numaspark convert -f jobs/ --profile dual-socket > converted.yaml",
    })
final class ConvertCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description =
          "File or folder with manifests in YAML or JSON; - is standard input. May be given several times.")
  private List<String> files;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "SparkNodeProfile that all applications are to use (spec.nodeProfile). Absent: they stay unpinned.")
  private String profile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "YAML",
      description = "Format of the result: ${COMPLETION-CANDIDATES}.")
  private Format output;

  /** Formats of the result; only one keeps comments. */
  enum Format {
    YAML;

    @Override
    public String toString() {
      return "yaml";
    }
  }

  @Override
  public Integer call() {
    if (profile != null && !isProfileName(profile)) {
      throw new InputException(
          "--profile: '"
              + profile
              + "' is not a name of a SparkNodeProfile; write for example dual-socket");
    }
    List<ConvertedFile> converted = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    PrintWriter err = spec.commandLine().getErr();
    for (String file : names()) {
      ConvertedFile result = convert(file);
      result
          .warnings()
          .forEach(warning -> err.println("numaspark: warning: " + file + ": " + warning));
      result.refusals().forEach(refusal -> refusals.add(file + ": " + refusal));
      converted.add(result);
    }
    if (!refusals.isEmpty()) {
      refusals.forEach(refusal -> err.println("numaspark: " + refusal));
      return Main.EXIT_NO_PLAN;
    }
    if (converted.stream().mapToInt(ConvertedFile::converted).sum() == 0) {
      err.println("numaspark: warning: no manifest of another operator in the files");
    }
    print(converted);
    return 0;
  }

  /** Whether a profile of this name could be created. */
  private static boolean isProfileName(String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("name", name);
    object.putObject("spec").putObject("nodeSelector");
    return CustomResourceSchema.of(SparkNodeProfile.class).check(object).isEmpty();
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (String file : files) {
      if (file.equals("-")) {
        names.add(file);
      } else {
        Documents.files(Path.of(file)).forEach(path -> names.add(path.toString()));
      }
    }
    return names.stream().distinct().toList();
  }

  private ConvertedFile convert(String file) {
    try {
      return ConvertedFile.of(text(file), Optional.ofNullable(profile));
    } catch (IllegalArgumentException e) {
      throw new InputException(
          (file.equals("-") ? "standard input" : file) + ": " + e.getMessage(), e);
    }
  }

  private void print(List<ConvertedFile> converted) {
    PrintWriter out = spec.commandLine().getOut();
    boolean first = true;
    for (ConvertedFile file : converted) {
      if (!first && !file.text().startsWith("---")) {
        out.print("---\n");
      }
      out.print(file.text());
      if (!file.text().endsWith("\n")) {
        out.print("\n");
      }
      first = false;
    }
    out.flush();
  }

  private static String text(String file) {
    try (InputStream stream = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(stream.readAllBytes()))
          .toString();
    } catch (NoSuchFileException e) {
      throw new InputException(file + ": there is no such file; check the path", e);
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": is not in UTF-8; convert it", e);
    } catch (IOException e) {
      throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
