package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.render.autoscaler.AutoscalerPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds what {@code plan --for-autoscaler} prints for each autoscaler to files; {@code
 * -Dgolden.update} writes them anew, and {@code make autoscaler-check} gives them to autoscalers'
 * own code.
 */
class AutoscalerGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/autoscaler");
  private static final Path PLAN = Path.of("src/test/resources/plan");
  private static final Path RENDERED = Path.of("../render/src/test/resources/golden/pinned-scala");
  private static final Path ONE_NODE = PLAN.resolve("topology.yaml");
  private static final Path OTHER_NODES = PLAN.resolve("worse-topologies.yaml");

  static Stream<String> platforms() {
    return Arrays.stream(AutoscalerPlatform.values()).map(AutoscalerPlatform::id);
  }

  @ParameterizedTest
  @MethodSource("platforms")
  void printsAsCommitted(String platform) throws IOException {
    Cli cli = plan(List.of(ONE_NODE), "--for-autoscaler", platform, "--node-group", "spark");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    GoldenFile.hold(FOLDER.resolve("expected").resolve(platform + ".txt"), cli.out());
  }

  /** The nodes of executors that are committed as rendered, so that the two can be put together. */
  @ParameterizedTest
  @MethodSource("platforms")
  void printsWhatRenderedExecutorsNeed(String platform) throws IOException {
    Cli cli =
        Cli.run(
            "plan",
            "-f",
            RENDERED.resolve("topology.yaml"),
            "-f",
            RENDERED.resolve("profile.yaml"),
            "--for-autoscaler",
            platform,
            "--node-group",
            "spark");
    assertThat(cli.err()).isEmpty();
    GoldenFile.hold(FOLDER.resolve("expected/pinned-scala").resolve(platform + ".txt"), cli.out());
  }

  /** A second kind of nodes may change the shape of all, so it is planned with the others. */
  @ParameterizedTest
  @CsvSource({"lab-vm, 2 slots of profile lab", "b-warned, 3 slots of profile lab"})
  void theGroupHasTheKindOfTheNodeThatIsNamed(String node, String slots) {
    Cli cli =
        plan(
            List.of(ONE_NODE, OTHER_NODES),
            "--for-autoscaler=karpenter",
            "--node-group=spark",
            "--node=" + node);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out()).contains(slots).contains("for nodes like " + node);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--node-group=spark | --node-group needs --for-autoscaler",
        "--node=lab-vm | --node needs --for-autoscaler",
        "--for-autoscaler=aws | --for-autoscaler aws needs the name of the Auto Scaling group; add --node-group NAME",
        "--for-autoscaler=gce --node-group=a -o=json | --for-autoscaler has a format of its own; leave --output out",
        "--for-autoscaler=gce --node-group=a --explain | --for-autoscaler has a format of its own; leave --explain out",
        "--for-autoscaler=gce --node=lab-vm --node-group=a;b | --node-group: 'a;b' is not the name of a node group",
        "--for-autoscaler=karpenter --node=lab-vm --node-group=A_b | --node-group: 'A_b' is not the name of a NodePool",
        "--for-autoscaler=aws --node-group=a --node=x | --node: no SparkNodeTopology in the files is named x; there is a-unpinned, b-warned, lab-vm and 1 more",
        "--for-autoscaler=aws --node-group=a | the files have nodes of 4 kinds, and a node group has one; choose it with --node, for example --node a-unpinned (no slots), --node b-warned (3 slots), --node lab-vm (2 slots)"
      })
  void optionsThatDoNotGoTogetherAreNamed(String options, String message) {
    Cli.assertRefused(plan(List.of(ONE_NODE, OTHER_NODES), options.split(" ")), message);
  }

  @Test
  void anUnknownPlatformIsAnsweredWithTheKnownOnes() {
    Cli cli = plan(List.of(ONE_NODE), "--for-autoscaler=gke", "--node-group=a");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("'gke' is not one of aws, azure, gce, cluster-api, karpenter");
  }

  /** Nothing is printed that would make a group grow for executors that its nodes cannot pin. */
  @Test
  void aNodeWithAnErrorHasNoSlotsToPublish() {
    Cli cli =
        plan(
            List.of(ONE_NODE, OTHER_NODES),
            "--for-autoscaler=aws",
            "--node-group=spark",
            "--node=a-unpinned");
    assertThat(cli.exitCode()).isEqualTo(Main.EXIT_NO_PLAN);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err())
        .startsWith("numaspark: a node like a-unpinned has no slots of profile lab: ")
        .contains("; ");
  }

  @Test
  void itNeedsAProfileWithAName() {
    Cli cli = Cli.run("plan", "-f", ONE_NODE, "--for-autoscaler", "aws", "--node-group", "spark");
    Cli.assertRefused(cli, "no SparkNodeProfile in the files; add one with -f");
  }

  @Test
  void completionKnowsThePlatforms() throws IOException {
    assertThat(Cli.run("generate-completion").out())
        .contains(String.join("\" \"", platforms().toList()));
  }

  private static Cli plan(List<Path> topologies, String... options) {
    Stream<Object> files =
        Stream.concat(topologies.stream(), Stream.of(FOLDER.resolve("profile.yaml")))
            .flatMap(file -> Stream.of("-f", file));
    return Cli.run(
        Stream.concat(Stream.concat(Stream.of("plan"), files), Arrays.stream(options)).toArray());
  }
}
