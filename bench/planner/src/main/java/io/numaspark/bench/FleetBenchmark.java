package io.numaspark.bench;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One profile on 10,000 nodes of 100 classes, each with 8 NUMA nodes of 24 cores and another size
 * of memory. Goal: under 1 s on one core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class FleetBenchmark {
  private static final int NODES = 10_000;
  private static final int CLASSES = 100;
  private static final int NUMA_NODES = 8;
  private static final int CORES = 24;

  private final SparkNodeProfileSpec profile =
      new SparkNodeProfileSpec(null, null, null, null, null, null, null, null, null, null, null);
  private List<MatchedNode> nodes;

  /** Makes the nodes anew, as they would come from an API server: no object is shared. */
  @Setup(Level.Invocation)
  public void setUp() {
    nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      SparkNodeTopology topology = new SparkNodeTopology();
      topology.setMetadata(new ObjectMetaBuilder().withName("node-" + i).build());
      topology.setSpec(spec(i % CLASSES));
      nodes.add(new MatchedNode("node-" + i, Optional.of(topology)));
    }
  }

  /** Plans the profile. */
  @Benchmark
  public ProfilePlan plan() {
    return ProfilePlanner.plan(profile, nodes, false);
  }

  private static SparkNodeTopologySpec spec(int nodeClass) {
    return new SparkNodeTopologySpec(
        null,
        IntStream.range(0, NUMA_NODES).mapToObj(id -> numaNode(id, nodeClass)).toList(),
        new KubeletSpec(
            "static",
            Map.of("full-pcpus-only", "true"),
            "single-numa-node",
            "pod",
            null,
            "Static",
            "0,192",
            null,
            Map.of("0", 1L << 30),
            null,
            null,
            null,
            null));
  }

  private static NumaNodeSpec numaNode(int id, int nodeClass) {
    List<String> cores =
        IntStream.range(id * CORES, (id + 1) * CORES)
            .mapToObj(core -> core + "," + (core + NUMA_NODES * CORES))
            .toList();
    return new NumaNodeSpec(
        id, id / 4, (128L + nodeClass) << 30, null, List.of(), cores, List.of());
  }
}
