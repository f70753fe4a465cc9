package io.numaspark.render.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.numaspark.planner.admission.ContainerRequest;
import io.numaspark.planner.admission.ContainerRequest.Role;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.admission.ResourceAmounts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Pod as the kubelet's resource managers see it.
 *
 * <p>Limit: of the API server's validation only what the managers depend on is checked here.
 */
public final class PodTranslator {
  private static final String HUGEPAGES = "hugepages-";

  /** Quantities above it are capped by Kubernetes (2^63 - 1). */
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  /** What Kubernetes rounds smaller quantities up to: 1n. */
  private static final BigDecimal SMALLEST = BigDecimal.ONE.movePointLeft(9);

  private PodTranslator() {}

  /**
   * What a pod asks for.
   *
   * @throws IllegalArgumentException naming the field, if the API server would refuse the pod
   */
  public static PodRequest request(Pod pod) {
    PodSpec spec = pod.getSpec();
    if (spec == null || spec.getContainers() == null || spec.getContainers().isEmpty()) {
      throw new IllegalArgumentException("spec.containers: is empty; a pod needs a container");
    }
    refuseUnknown("spec", spec.getAdditionalProperties());
    List<ContainerRequest> containers = new ArrayList<>();
    List<Container> inits = Objects.requireNonNullElse(spec.getInitContainers(), List.of());
    for (int i = 0; i < inits.size(); i++) {
      containers.add(
          container("spec.initContainers[" + i + "]", inits.get(i), initRole(inits.get(i))));
    }
    for (int i = 0; i < spec.getContainers().size(); i++) {
      containers.add(
          container("spec.containers[" + i + "]", spec.getContainers().get(i), Role.APP));
    }
    Set<String> names = new HashSet<>();
    for (ContainerRequest container : containers) {
      if (!names.add(container.name())) {
        throw new IllegalArgumentException(
            "spec: two containers are named " + container.name() + "; rename one");
      }
    }
    return new PodRequest(key(pod), containers, spec.getResources() != null);
  }

  /** Namespace and name, which a node has once at a time. */
  public static String key(Pod pod) {
    return Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default")
        + "/"
        + pod.getMetadata().getName();
  }

  private static Role initRole(Container container) {
    return "Always".equals(container.getRestartPolicy()) ? Role.SIDECAR : Role.INIT;
  }

  private static ContainerRequest container(String field, Container container, Role role) {
    if (container == null || container.getName() == null || container.getName().isEmpty()) {
      throw new IllegalArgumentException(field + ".name: is missing; give the container a name");
    }
    refuseUnknown(field, container.getAdditionalProperties());
    ResourceRequirements resources =
        Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new);
    refuseUnknown(field + ".resources", resources.getAdditionalProperties());
    ContainerRequest request =
        new ContainerRequest(
            container.getName(),
            role,
            amounts(field + ".resources.requests", resources.getRequests()),
            amounts(field + ".resources.limits", resources.getLimits()));
    checkLimits(field + ".resources", request);
    return request;
  }

  private static void refuseUnknown(String field, Map<String, Object> unknown) {
    if (unknown != null && !unknown.isEmpty()) {
      throw new IllegalArgumentException(
          field
              + "."
              + new TreeMap<>(unknown).firstKey()
              + ": a Pod has no such field; correct or remove it");
    }
  }

  private static void checkLimits(String field, ContainerRequest container) {
    checkLimit(field + ".requests.cpu", container.requests().cpu(), container.limits().cpu());
    checkLimit(
        field + ".requests.memory", container.requests().memory(), container.limits().memory());
    container
        .requests()
        .hugepages()
        .forEach(
            (size, bytes) -> {
              BigDecimal limit = container.limits().hugepages().get(size);
              if (limit == null || limit.compareTo(bytes) != 0) {
                throw new IllegalArgumentException(
                    field
                        + ".requests."
                        + HUGEPAGES
                        + size
                        + ": must equal the limit; huge pages cannot be overcommitted");
              }
            });
  }

  private static void checkLimit(
      String field, Optional<BigDecimal> request, Optional<BigDecimal> limit) {
    if (request.isPresent() && limit.isPresent() && request.get().compareTo(limit.get()) > 0) {
      throw new IllegalArgumentException(
          "%s: %s is more than the limit %s; lower it or raise the limit"
              .formatted(field, request.get().toPlainString(), limit.get().toPlainString()));
    }
  }

  private static ResourceAmounts amounts(String field, Map<String, Quantity> quantities) {
    Map<String, Quantity> given = Objects.requireNonNullElse(quantities, Map.of());
    SortedMap<String, BigDecimal> hugepages = new TreeMap<>();
    given.forEach(
        (name, quantity) -> {
          if (name.startsWith(HUGEPAGES)) {
            hugepages.put(name.substring(HUGEPAGES.length()), amount(field + "." + name, quantity));
          }
        });
    return new ResourceAmounts(
        Optional.ofNullable(given.get("cpu")).map(cpu -> amount(field + ".cpu", cpu)),
        Optional.ofNullable(given.get("memory")).map(memory -> amount(field + ".memory", memory)),
        hugepages);
  }

  /** Kubernetes keeps nine decimal places and rounds up (quantity.go: ParseQuantity). */
  private static BigDecimal amount(String field, Quantity quantity) {
    BigDecimal amount;
    try {
      amount = Quantity.getAmountInBytes(quantity);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is not a quantity; write for example 2, 500m or 4Gi", e);
    }
    if (amount.signum() < 0) {
      throw new IllegalArgumentException(field + ": " + quantity + " is negative");
    }
    // Before anything is computed with it: of 1e999999999 and its inverse not even a sum could be
    // made.
    BigDecimal bounded = amount.min(LARGEST);
    return bounded.signum() > 0 && bounded.compareTo(SMALLEST) < 0
        ? SMALLEST
        : bounded.setScale(9, RoundingMode.UP).stripTrailingZeros();
  }
}
