package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pod template beside properties of spark-submit: when it is written, from what, and where. */
class InjectTemplateTest {
  private static final String TEMPLATE = "spark.kubernetes.executor.podTemplateFile";
  private static final String SLOT = "slots.numaspark.io~1dual-socket";

  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Cli inject(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("inject", "-f", InjectGoldenTest.NODES));
    all.addAll(List.of(arguments));
    return Cli.run(all.toArray());
  }

  private Path injected(Path properties) {
    Path pinned = folder.resolve("pinned.conf");
    Cli cli = inject("--properties", properties, "-o", pinned);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return pinned;
  }

  private static Properties properties(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return properties;
  }

  private static JsonNode pod(Path file) throws IOException {
    return new YAMLMapper().readTree(file.toFile());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aTemplateWithSlotAndTolerationsIsBesideTheResult() throws IOException {
    Path pinned = injected(write("spark.conf", "spark.executor.cores 4\n"));
    assertThat(names()).containsExactly("pinned-executor.yaml", "pinned.conf", "spark.conf");
    Path template = folder.resolve("pinned-executor.yaml");
    assertThat(properties(pinned)).containsEntry(TEMPLATE, template.toString());
    JsonNode pod = pod(template);
    assertThat(pod.path("kind").asText()).isEqualTo("Pod");
    assertThat(pod.at("/spec/tolerations/0/key").asText()).isEqualTo("example.com/spark");
    JsonNode container = pod.at("/spec/containers/0");
    assertThat(container.path("name").asText()).isEqualTo("spark-kubernetes-executor");
    assertThat(container.at("/resources/limits/" + SLOT).asText()).isEqualTo("1");
    assertThat(container.at("/resources/requests/" + SLOT).asText()).isEqualTo("1");
  }

  @Test
  void noPropertiesAtAllAreEnough() throws IOException {
    Path pinned = injected(Path.of("/dev/null"));
    assertThat(properties(pinned))
        .containsEntry("spark.executor.instances", "1")
        .containsEntry("spark.executor.cores", "6")
        .containsEntry("spark.kubernetes.executor.limit.cores", "6")
        .containsEntry("spark.kubernetes.executor.node.selector.node.example.com/pool", "spark")
        .containsKey(TEMPLATE);
  }

  @Test
  void aSecondRunChangesNothing() throws IOException {
    Path pinned = injected(write("spark.conf", ""));
    Path template = folder.resolve("pinned-executor.yaml");
    String properties = Files.readString(pinned);
    String pod = Files.readString(template);
    Cli cli = inject("-f", pinned, "--in-place");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(pinned).hasContent(properties);
    assertThat(template).hasContent(pod);
  }

  @Test
  void anotherProfileStartsFromTheUsersTemplate() throws IOException {
    Path own = write("own.yaml", "kind: Pod\nspec: {priorityClassName: batch}\n");
    Path pinned = injected(write("spark.conf", TEMPLATE + " " + own + "\n"));
    Path other =
        write(
            "nodes.yaml",
            Files.readString(InjectGoldenTest.NODES)
                .replace("name: dual-socket", "name: other")
                .replace("key: example.com/spark", "key: example.com/other"));
    Cli cli = Cli.run("inject", "-f", other, "-f", pinned, "--in-place");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode pod = pod(folder.resolve("pinned-executor.yaml"));
    assertThat(pod.at("/spec/priorityClassName").asText()).isEqualTo("batch");
    assertThat(pod.at("/spec/tolerations")).hasSize(1);
    assertThat(pod.at("/spec/tolerations/0/key").asText()).isEqualTo("example.com/other");
    assertThat(pod.at("/spec/containers/0/resources/limits")).hasSize(1);
    assertThat(own).hasContent("kind: Pod\nspec: {priorityClassName: batch}");
  }

  @Test
  void theContainerThatSparkTakesGetsTheSlot() throws IOException {
    Path own =
        write(
            "own.yaml",
            """
            apiVersion: v1
            kind: Pod
            spec:
              containers:
                - {name: logs, resources: {limits: {cpu: 100m, memory: 1Gi}}}
                - name: main
            """);
    Path pinned =
        injected(
            write(
                "spark.conf",
                TEMPLATE
                    + " file://"
                    + own
                    + "\nspark.kubernetes.executor.podTemplateContainerName main\n"));
    JsonNode pod = pod(Path.of(properties(pinned).getProperty(TEMPLATE)));
    assertThat(pod.at("/spec/containers/0/resources/limits")).hasSize(2);
    assertThat(pod.at("/spec/containers/1/resources/limits/" + SLOT).asText()).isEqualTo("1");
  }

  @Test
  void aTemplateThatHasAllOfItIsNotCopied() throws IOException {
    injected(write("spark.conf", ""));
    Path own =
        write(
            "own.yaml",
            Files.readString(folder.resolve("pinned-executor.yaml")).replaceFirst("#.*\n", ""));
    Path line = write("own.conf", TEMPLATE + " " + own + "\n");
    Cli cli = inject("-f", line);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).startsWith(TEMPLATE + " " + own + "\n");
  }

  @Test
  void aProfileThatNeedsNoneGetsNone() throws IOException {
    Path nodes =
        write(
            "nodes.yaml",
            Files.readString(InjectGoldenTest.NODES).replaceFirst("(?s)  tolerations:.*", ""));
    Path properties = write("spark.conf", "spark.executor.cores 4\n");
    Cli cli = Cli.run("inject", "-f", nodes, "-f", properties, "--no-slots");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).doesNotContain(TEMPLATE);
    Cli inPlace = Cli.run("inject", "-f", nodes, "-f", properties, "--no-slots", "--in-place");
    assertThat(inPlace.exitCode()).isZero();
    assertThat(names()).containsExactly("nodes.yaml", "spark.conf");
  }

  @Test
  void withoutSlotsTheTemplateHasTolerationsAlone() throws IOException {
    Path properties = write("spark.conf", "");
    Cli cli = inject("-f", properties, "--in-place", "--no-slots");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode pod = pod(folder.resolve("spark-executor.yaml"));
    assertThat(pod.at("/spec/tolerations")).hasSize(1);
    assertThat(pod.at("/spec/containers").isMissingNode()).isTrue();
  }

  @Test
  void thePropertiesSayWhereSparkSubmitFindsIt() throws IOException {
    Path template = folder.resolve("some where/executor.yaml");
    Files.createDirectory(template.getParent());
    Path properties = write("spark.conf", "");
    Cli cli = inject("-f", properties, "--template", template);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains(TEMPLATE + " " + template.toUri() + "\n");
    assertThat(template).exists();
    Cli elsewhere =
        inject("-f", properties, "--template", template, "--template-as", "/etc/executor.yaml");
    assertThat(elsewhere.out()).contains(TEMPLATE + " /etc/executor.yaml\n");
  }

  @Test
  void aTemplateInAFolderOfManifestsIsNone() throws IOException {
    Path properties = write("spark.conf", "");
    assertThat(inject("-f", properties, "--in-place").exitCode()).isZero();
    Cli again = inject("-f", folder, "-f", properties, "--in-place");
    assertThat(again.exitCode()).as(again.err()).isZero();
  }

  @Test
  void permissionsAndLinksOfAFileStay() throws IOException {
    Path properties = write("real.conf", "");
    Files.setPosixFilePermissions(properties, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(folder.resolve("spark.conf"), properties);
    Cli cli = inject("-f", link, "--in-place");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(properties)).contains(TEMPLATE);
    assertThat(Files.getPosixFilePermissions(properties)).hasSize(3);
    assertThat(names()).containsExactly("real.conf", "spark-executor.yaml", "spark.conf");
  }

  /** The template that the user names, and what is said of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          s3a://bucket/executor.yaml | it is read by Spark, and not from here; download it and name the copy by its path
          https://host/executor.yaml | it is read by Spark, and not from here; download it
          /dev/zero                  | /dev/zero is larger than 1 MiB, which no pod may be; name the pod template
          /none/such.yaml            | /none/such.yaml is not on this machine; copy it here and name the copy by its path
          FOLDER/a b.yaml            | it is not a URI, which Spark needs: Illegal character in path
          FOLDER/list.yaml           | is not one document of kind Pod; Spark reads no other
          FOLDER/two.yaml            | is not one document of kind Pod
          FOLDER/broken.yaml         | line 2, column 1: expected the node content
          FOLDER/sidecar.yaml        | spec.containers[1] (logs): has no cpu limit that equals its request
          FOLDER/label.yaml          | spec.nodeSelector["node.example.com/pool"]: is gpu, but the profile's nodes have spark
          FOLDER/resources.yaml      | spec.resources: pod-level resources
          """)
  void refused(String template, String message) throws IOException {
    write("list.yaml", "[a]\n");
    write("two.yaml", "kind: Pod\n---\nkind: Pod\n");
    write("broken.yaml", "kind: [\n");
    write("sidecar.yaml", "kind: Pod\nspec: {containers: [{name: a}, {name: logs}]}\n");
    write("label.yaml", "kind: Pod\nspec: {nodeSelector: {node.example.com/pool: gpu}}\n");
    write("resources.yaml", "kind: Pod\nspec: {resources: {}}\n");
    List<String> before = names();
    Path properties =
        write("spark.conf", TEMPLATE + " " + template.replace("FOLDER", folder.toString()) + "\n");
    Cli cli = inject("-f", properties, "-o", folder.resolve("pinned.conf"));
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(1);
    assertThat(cli.err()).contains("the application: " + TEMPLATE + ": ", message);
    assertThat(names()).hasSize(before.size() + 1);
  }

  @Test
  void aBrokenListInItNamesTheProperty() throws IOException {
    Path own = write("own.yaml", "kind: Pod\nspec: {tolerations: none}\n");
    Cli cli =
        inject("-f", write("spark.conf", TEMPLATE + " " + own + "\n"), "-o", folder.resolve("p"));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(TEMPLATE + ": spec.tolerations: it is not a list");
  }

  @Test
  void oneThatCannotBeReadMattersOnlyIfItIsNeeded() throws IOException {
    Path nodes =
        write(
            "nodes.yaml",
            Files.readString(InjectGoldenTest.NODES).replaceFirst("(?s)  tolerations:.*", ""));
    Path properties = write("spark.conf", TEMPLATE + " https://host/t.yaml\n");
    Cli cli = Cli.run("inject", "-f", nodes, "-f", properties, "--no-slots");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).startsWith(TEMPLATE + " https://host/t.yaml\n");
    assertThat(cli.err()).contains("warning: ", "until then it is unknown whether");
  }

  @Test
  void standardOutputHasNoRoomForIt() throws IOException {
    Cli cli = inject("-f", write("spark.conf", ""));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err())
        .contains("the executors need a pod template", "use -o or --in-place, or name its file");
  }

  @Test
  void aFileOfTheUsersIsNeverReplaced() throws IOException {
    Path own = write("pinned-executor.yaml", "kind: Pod\n");
    Path pinned = folder.resolve("pinned.conf");
    Cli cli = inject("-f", write("spark.conf", TEMPLATE + " " + own + "\n"), "-o", pinned);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .contains("was not written by numaspark inject, so it stays; name another");
    assertThat(own).hasContent("kind: Pod");
    assertThat(pinned).doesNotExist();
  }

  @Test
  void anEditOfTheCopyIsNotLost() throws IOException {
    Path pinned = injected(write("spark.conf", ""));
    Path template = folder.resolve("pinned-executor.yaml");
    Files.writeString(template, Files.readString(template) + "# mine\n");
    Cli cli = inject("-f", pinned, "--in-place");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .contains("was edited after the injection; write the edit into a template");
  }

  @Test
  void theCopyIsNoOriginal() throws IOException {
    Path pinned = injected(write("spark.conf", ""));
    Path unmarked =
        write(
            "unmarked.conf",
            Files.readString(pinned).replaceFirst("spark.numaspark.injected.*\n", ""));
    Cli cli = inject("-f", unmarked, "--in-place");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("is what numaspark inject wrote, but spark.numaspark.injected");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -f A.conf -f A.properties --in-place            | its pod template FOLDER/A-executor.yaml is the file of something else
          -f A.conf -o FOLDER/x --template FOLDER/x       | its pod template FOLDER/x is the file of something else
          -f A.conf -f B.conf --in-place --template x     | --template and --template-as are for one properties file
          -f app.yaml --template x                        | --template and --template-as are for one properties file
          -f A.conf -o FOLDER/x --template FOLDER/no/file | there is no folder FOLDER/no; make it
          """)
  void commandLine(String line, String message) throws IOException {
    write("A.conf", "");
    write("A.properties", "");
    write("B.conf", "");
    write(
        "app.yaml",
        "apiVersion: spark.apache.org/v1\nkind: SparkApplication\nmetadata: {name: pi}\nspec: {}\n");
    List<String> before = names();
    Object[] arguments =
        Stream.of(line.split(" "))
            .map(
                word ->
                    word.matches("(A|B|app)[.].*")
                        ? folder.resolve(word).toString()
                        : word.replace("FOLDER", folder.toString()))
            .toArray();
    Cli cli = inject(arguments);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(message.replace("FOLDER", folder.toString()));
    assertThat(names()).as("nothing is written").isEqualTo(before);
  }
}
