package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.render.Bounds;
import io.numaspark.render.MemorySize;
import io.numaspark.render.application.RenderResult.Refusal;
import java.util.Optional;

/**
 * What the schema of SparkApplication admits, for files that never went through an API server, and
 * sizes that no pattern can bound.
 */
final class SpecRules {
  private static final String CPU = "[1-9][0-9]*m?|[0-9]+\\.[0-9]{1,3}";

  private SpecRules() {}

  static Optional<Refusal> check(SparkApplicationSpec spec) {
    try {
      checkWhatToRun(spec);
      checkDriver(spec.driver());
      checkExecutor(spec);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(new Refusal("SpecInvalid", e.getMessage()));
    }
  }

  private static void checkWhatToRun(SparkApplicationSpec spec) {
    require(spec.type() != null, "spec.type: is missing; give Java, Scala, Python or R");
    require(isSet(spec.image()), "spec.image: is missing; give an image with Spark");
    require(
        isSet(spec.mainApplicationFile()),
        "spec.mainApplicationFile: is missing; give the jar, Python or R file");
    require(
        spec.type() == Type.Python || spec.type() == Type.R || isSet(spec.mainClass()),
        "spec.mainClass: is missing; a Java or Scala application needs the class whose main method"
            + " is run");
  }

  private static void checkDriver(DriverSpec driver) {
    Bounds.within("spec.driver.cores", driver.cores(), 1, 1024);
    checkCpu("spec.driver.coreRequest", driver.coreRequest());
    checkCpu("spec.driver.coreLimit", driver.coreLimit());
    checkMemory("spec.driver.memory", driver.memory());
    checkMemory("spec.driver.memoryOverhead", driver.memoryOverhead());
  }

  private static void checkExecutor(SparkApplicationSpec spec) {
    ExecutorSpec executor = spec.executor();
    Bounds.within("spec.executor.instances", executor.instances(), 1, 100_000);
    Bounds.within("spec.executor.cores", executor.cores(), 1, 1024);
    Bounds.within("spec.executor.nodes", executor.nodes(), 1, 10_000);
    checkCpu("spec.executor.coreRequest", executor.coreRequest());
    checkCpu("spec.executor.coreLimit", executor.coreLimit());
    checkMemory("spec.executor.memory", executor.memory());
    checkMemory("spec.executor.memoryOverhead", executor.memoryOverhead());
    require(
        executor.instances() == null || executor.nodes() == null,
        "spec.executor: instances and nodes are both given; remove one");
    require(
        spec.nodeProfile() != null || executor.nodes() == null,
        "spec.executor.nodes: whole nodes can only be asked for with spec.nodeProfile; use"
            + " spec.executor.instances");
    require(
        spec.nodeProfile() != null || executor.sizing() != ExecutorSpec.Sizing.Exact,
        "spec.executor.sizing: Exact needs spec.nodeProfile; remove it");
  }

  private static void checkCpu(String field, String cpu) {
    require(
        cpu == null || cpu.matches(CPU),
        field + ": '" + cpu + "' is no amount of CPU; write for example 2 or 500m");
  }

  private static void checkMemory(String field, String size) {
    if (size == null) {
      return;
    }
    try {
      require(MemorySize.ofSpark(size) > 0, "'" + size + "' is too small; give 1m or more");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private static boolean isSet(String text) {
    return text != null && !text.isEmpty();
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
