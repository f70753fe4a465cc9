package io.numaspark.controller.metrics;

import static io.numaspark.controller.webhook.AdmissionHandler.Outcome.PINNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedKnobs.Scope;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.PinnedNodes;
import io.numaspark.controller.status.ForeignExecutors.Series;
import io.numaspark.controller.status.KnobReport;
import io.numaspark.controller.status.PinnerStates;
import io.numaspark.controller.status.SystemdStates;
import io.numaspark.controller.store.SlotBoard.ProfileSlots;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the table of metrics in docs/metrics.md to what the operator registers. */
class MetricsReferenceGoldenTest {
  private static final Path DOCS =
      Path.of(System.getProperty("repository.root")).resolve("docs/metrics.md");
  private static final String BEGIN =
      "<!-- Generated from the operator's registry: `make generate`. -->\n";
  private static final String END = "<!-- End of what is generated. -->\n";

  @Test
  void theTableOfMetricsIsWhatIsRegistered() throws IOException {
    String text = Files.readString(DOCS);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    String wanted = text.substring(0, begin) + table() + text.substring(text.indexOf(END));
    GoldenFile.hold(DOCS, wanted);
  }

  private static String table() {
    String rows =
        registry().scrape().stream()
            .sorted(Comparator.comparing(metric -> metric.getMetadata().getPrometheusName()))
            .map(MetricsReferenceGoldenTest::row)
            .collect(Collectors.joining());
    return "| name | type | labels | meaning |\n| --- | --- | --- | --- |\n" + rows;
  }

  private static String row(MetricSnapshot metric) {
    assertThat(metric.getDataPoints()).as(metric.getMetadata().getName()).isNotEmpty();
    String name = metric.getMetadata().getPrometheusName();
    String type = "gauge";
    if (metric instanceof CounterSnapshot) {
      name += "_total";
      type = "counter";
    } else if (metric instanceof HistogramSnapshot) {
      type = "histogram";
    } else if (metric instanceof InfoSnapshot) {
      name += "_info";
      type = "gauge, always 1";
    }
    return "| `%s` | %s | %s | %s |\n"
        .formatted(name, type, labels(metric), metric.getMetadata().getHelp());
  }

  private static String labels(MetricSnapshot metric) {
    DataPointSnapshot any = metric.getDataPoints().get(0);
    Labels labels = any.getLabels();
    return IntStream.range(0, labels.size())
        .mapToObj(i -> "`" + labels.getName(i) + "`")
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** With something in every series that exists only then. */
  private static PrometheusRegistry registry() {
    PrometheusRegistry registry = new PrometheusRegistry();
    ProfilePlan plan =
        ProfilePlanner.plan(
            Samples.profile("dual", "pool").getSpec(),
            List.of(new MatchedNode("a", Optional.of(Samples.dualSocketWithDefaultKubelet("a")))),
            false);
    OperatorMetrics metrics = new OperatorMetrics(registry, "1.2.3");
    metrics.registerObjects(
        registry,
        Stream::of,
        () -> Map.of("dual", 6),
        () -> Map.of("dual", new ProfileSlots(6, 1, 2, 3, 0)));
    metrics.countRejection("TopologyAffinityError", "dual");
    new PlanMetrics(registry, () -> Map.of("dual", plan)).timed(() -> plan);
    new StartMetrics(registry, Set::of);
    PinnerStates pinners =
        PinnerStates.of("dual", PinnedNodes.byRuntime(), node -> Optional.empty(), Instant.EPOCH);
    AgentMetrics.register(
        registry,
        Stream::of,
        () -> Map.of("dual", knobs()),
        () -> Map.of("dual", pinners),
        () -> Map.of("dual", new SystemdStates(1, new TreeMap<>())));
    new WebhookMetrics(registry, () -> Optional.of(Instant.EPOCH)).answered("Pod", PINNED, 1);
    ForeignMetrics.register(
        registry, () -> Map.of(new Series("team", "dual", "true"), 1), () -> Map.of("team", 1));
    return registry;
  }

  private static KnobReport knobs() {
    WantedKnobs wanted =
        new WantedKnobs(
            "dual", Scope.Node, Map.of("memory.swappiness", "1"), List.of("memory.swappiness"));
    TreeMap<String, Optional<SparkNodeTopology>> nodes = new TreeMap<>();
    nodes.put(
        "a",
        Optional.of(
            Serialization.unmarshal(
                "status: {knobs: [{name: memory.swappiness, wanted: '1', state: Applied}]}",
                SparkNodeTopology.class)));
    return new KnobReport(Optional.of(wanted), nodes, Instant.EPOCH);
  }
}
