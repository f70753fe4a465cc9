package io.numaspark.bench;

import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.ShapePolicy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One layout search for the largest named machines: 384 threads. Goal: under 5 ms. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LayoutBenchmark {
  @Param({"epyc-2x96-nps1", "epyc-2x96-nps1-uncore", "epyc-2x96-nps4"})
  private String machine;

  private List<NodeClass> classes;
  private ShapePolicy policy;

  /** Makes the machine. */
  @Setup
  public void setUp() {
    classes = List.of(new NodeClass(machine, 1, NamedMachines.machine(machine)));
    policy = Policies.between(2, 6);
  }

  /** Plans it. */
  @Benchmark
  public PlanResult plan() {
    return LayoutPlanner.plan(classes, policy);
  }
}
