package io.numaspark.render.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The containers of a pod as the kubelet's resource managers see them; ephemeral ones do not count.
 *
 * @param all in the order in which they are admitted: init containers, then the others
 */
record PodContainers(List<Asking> all) {
  static final String SPARK_EXECUTOR = "spark-kubernetes-executor";
  static final String CPU = "cpu";
  static final String MEMORY = "memory";

  /** What kind of container it is. */
  enum Role {
    INIT("init container"),
    SIDECAR("sidecar"),
    MAIN("container"),
    HELPER("container");

    private final String words;

    Role(String words) {
      this.words = words;
    }
  }

  /** One container and what it asks for. */
  record Asking(Container container, Role role) {
    /** For example: init container setup. */
    String describe() {
      return role.words + " " + container.getName();
    }

    /** The request, which is the limit where only that is given (SetDefaults_Pod). */
    Optional<BigDecimal> request(String resource) {
      Optional<BigDecimal> request = amount(resources().getRequests(), "requests", resource);
      return request.isPresent() ? request : limit(resource);
    }

    Optional<BigDecimal> limit(String resource) {
      return amount(resources().getLimits(), "limits", resource);
    }

    /** Whole CPUs that it gets for itself in a Guaranteed pod (guaranteedCPUs); 0 if none. */
    int exclusiveCpus() {
      return request(CPU).filter(PodContainers::isWhole).map(BigDecimal::intValue).orElse(0);
    }

    private ResourceRequirements resources() {
      return Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new);
    }

    private Optional<BigDecimal> amount(
        Map<String, Quantity> amounts, String field, String resource) {
      Quantity quantity = amounts == null ? null : amounts.get(resource);
      if (quantity == null) {
        return Optional.empty();
      }
      try {
        return Optional.of(Quantity.getAmountInBytes(quantity));
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new IllegalArgumentException(
            "%s: resources.%s.%s: '%s' is no quantity; write for example 4 or 8Gi"
                .formatted(describe(), field, resource, quantity),
            e);
      }
    }
  }

  /**
   * The containers of a pod; the executor's, or else the first one, is the main container.
   *
   * @throws IllegalArgumentException naming what is missing, if the pod has no container or one has
   *     no name
   */
  static PodContainers of(Pod pod) {
    List<Container> containers =
        pod.getSpec() == null
            ? List.of()
            : Objects.requireNonNullElse(pod.getSpec().getContainers(), List.<Container>of());
    if (containers.isEmpty()) {
      throw new IllegalArgumentException("spec.containers: is empty; a pod needs a container");
    }
    Container main =
        containers.stream()
            .filter(container -> SPARK_EXECUTOR.equals(container.getName()))
            .findFirst()
            .orElse(containers.get(0));
    List<Asking> all = new ArrayList<>();
    for (Container init :
        Objects.requireNonNullElse(pod.getSpec().getInitContainers(), List.<Container>of())) {
      all.add(
          new Asking(init, "Always".equals(init.getRestartPolicy()) ? Role.SIDECAR : Role.INIT));
    }
    for (Container container : containers) {
      all.add(new Asking(container, container == main ? Role.MAIN : Role.HELPER));
    }
    return new PodContainers(List.copyOf(all));
  }

  Asking main() {
    return all.stream().filter(asking -> asking.role() == Role.MAIN).findFirst().orElseThrow();
  }

  /** Exclusive CPUs of the pod with scope pod (podGuaranteedCPUs). */
  long exclusiveCpus() {
    return peak(asking -> asking.exclusiveCpus());
  }

  /** Memory of the pod in bytes with scope pod (memorymanager: getPodRequestedResources). */
  long memoryBytes() {
    return peak(asking -> asking.request(MEMORY).map(BigDecimal::longValue).orElse(0L));
  }

  /**
   * The most at one time: every init container beside the sidecars before it, or all others
   * together.
   */
  private long peak(ToLongFunction<Asking> amount) {
    long sidecars = 0;
    long highest = 0;
    long running = 0;
    for (Asking asking : all) {
      switch (asking.role()) {
        case INIT -> highest = Math.max(highest, sidecars + amount.applyAsLong(asking));
        case SIDECAR -> {
          sidecars += amount.applyAsLong(asking);
          highest = Math.max(highest, sidecars);
        }
        case MAIN, HELPER -> running += amount.applyAsLong(asking);
      }
    }
    return Math.max(highest, running + sidecars);
  }

  private static boolean isWhole(BigDecimal cpus) {
    return cpus.signum() > 0
        && cpus.stripTrailingZeros().scale() <= 0
        && cpus.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) < 0;
  }
}
