package io.numaspark.render.scheduling;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.numaspark.render.application.Request.PodSize;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.MemorySize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a scheduler reserves for a pod: the sum over its containers, or what the largest init
 * container asks for if that is more (k8s.io/component-helpers: PodRequests).
 *
 * <p>Limit: the overhead of a RuntimeClass and containers that an admission webhook adds are not
 * known here.
 *
 * @param amounts by resource, in its base unit: cores, bytes, pieces
 */
record PodRequests(SortedMap<String, BigDecimal> amounts) {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** Of a driver pod, which says everything itself. */
  static PodRequests ofDriver(Pod driver) {
    return of(driver.getSpec(), "", Map.of());
  }

  /**
   * Of an executor, whose CPUs and memory Spark writes over those of the template
   * (BasicExecutorFeatureStep).
   */
  static PodRequests ofExecutor(Pod template, PodSize size) {
    return of(
        template.getSpec(),
        Labels.EXECUTOR_CONTAINER,
        Map.of(CPU, size.cpus(), MEMORY, BigDecimal.valueOf(size.memory().podBytes())));
  }

  /** The same n times. */
  PodRequests times(int n) {
    SortedMap<String, BigDecimal> product = new TreeMap<>();
    amounts.forEach((name, amount) -> product.put(name, amount.multiply(BigDecimal.valueOf(n))));
    return new PodRequests(product);
  }

  PodRequests plus(PodRequests other) {
    SortedMap<String, BigDecimal> sum = new TreeMap<>(amounts);
    other.amounts.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add));
    return new PodRequests(sum);
  }

  /** As Kubernetes writes them: memory in the largest exact binary unit, the rest in units or m. */
  SortedMap<String, String> quantities() {
    SortedMap<String, String> quantities = new TreeMap<>();
    amounts.forEach((name, amount) -> quantities.put(name, quantity(name, amount)));
    return quantities;
  }

  private static String quantity(String name, BigDecimal amount) {
    if (name.equals(MEMORY) || name.startsWith("hugepages-") || name.equals("ephemeral-storage")) {
      long bytes = amount.longValue();
      return bytes % MemorySize.MIB == 0 ? MemorySize.toQuantity(bytes) : String.valueOf(bytes);
    }
    BigDecimal whole = amount.stripTrailingZeros();
    return whole.scale() <= 0
        ? whole.toBigInteger().toString()
        : amount.movePointRight(3).setScale(0, RoundingMode.UP).toBigInteger() + "m";
  }

  private static PodRequests of(
      PodSpec spec, String sparkContainer, Map<String, BigDecimal> sparkAmounts) {
    SortedMap<String, BigDecimal> sum = new TreeMap<>();
    for (Container container : spec.getContainers()) {
      SortedMap<String, BigDecimal> requests = requests(container);
      if (container.getName().equals(sparkContainer)) {
        requests.putAll(sparkAmounts);
      }
      requests.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add));
    }
    for (Container container : spec.getInitContainers()) {
      requests(container).forEach((name, amount) -> sum.merge(name, amount, BigDecimal::max));
    }
    return new PodRequests(sum);
  }

  /** A limit without a request is requested too. */
  private static SortedMap<String, BigDecimal> requests(Container container) {
    SortedMap<String, BigDecimal> requests = new TreeMap<>();
    ResourceRequirements resources = container.getResources();
    if (resources != null) {
      Stream.of(resources.getLimits(), resources.getRequests())
          .map(SparkProperties::orEmpty)
          .forEach(
              amounts ->
                  amounts.forEach(
                      (name, amount) -> requests.put(name, Quantity.getAmountInBytes(amount))));
    }
    return requests;
  }
}
