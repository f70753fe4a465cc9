package io.numaspark.planner.admission;

import static io.numaspark.planner.admission.MemoryCell.MEMORY;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What containers and pods ask of the Memory Manager: bytes of memory and of each huge page. */
final class MemoryRequests {
  private MemoryRequests() {}

  /**
   * Bytes of each resource that a container asks for (getContainerRequestedResources).
   *
   * @throws AdmissionFailure if an amount is not a whole number of bytes
   */
  static SortedMap<String, Long> of(ContainerRequest container) throws AdmissionFailure {
    SortedMap<String, BigDecimal> amounts = new TreeMap<>();
    container.requests().memory().ifPresent(bytes -> amounts.put(MEMORY, bytes));
    container
        .requests()
        .hugepages()
        .forEach((size, bytes) -> amounts.put("hugepages-" + size, bytes));
    SortedMap<String, Long> requests = new TreeMap<>();
    for (Map.Entry<String, BigDecimal> amount : amounts.entrySet()) {
      try {
        requests.put(amount.getKey(), amount.getValue().longValueExact());
      } catch (ArithmeticException e) {
        throw AdmissionFailure.unexpected("[memorymanager] failed to represent quantity as int64");
      }
    }
    return requests;
  }

  /**
   * The most that a pod asks for at a time; only resources that an app container asks for count
   * (getPodRequestedResources).
   *
   * @throws AdmissionFailure if an amount is not a whole number of bytes
   */
  static SortedMap<String, Long> of(PodRequest pod) throws AdmissionFailure {
    Map<String, SortedMap<String, Long>> byContainer = new HashMap<>();
    for (ContainerRequest container : pod.containers()) {
      byContainer.put(container.name(), of(container));
    }
    SortedMap<String, Long> peaks = new TreeMap<>();
    for (ContainerRequest app : pod.of(ContainerRequest.Role.APP)) {
      for (String resource : byContainer.get(app.name()).keySet()) {
        peaks.computeIfAbsent(
            resource,
            r -> pod.peak(container -> byContainer.get(container.name()).getOrDefault(r, 0L)));
      }
    }
    return peaks;
  }
}
