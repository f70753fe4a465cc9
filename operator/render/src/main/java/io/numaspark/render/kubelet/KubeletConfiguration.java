package io.numaspark.render.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.planner.topology.CpuSet;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a KubeletConfiguration that decides how CPUs and memory are handed out, with the
 * kubelet's defaults for what is absent (pkg/kubelet/apis/config/v1beta1/defaults.go).
 *
 * <p>Limit: it takes JSON that is parsed already; where that comes from is the caller's business.
 */
public final class KubeletConfiguration {
  private static final String CONFIGZ = "kubeletconfig";
  private static final String HUGEPAGES = "hugepages-";
  private static final String KIND = "KubeletConfiguration";
  private static final int LARGEST_COUNT = 1024;

  /** Kubernetes rounds up at 9 digits after the point; to round 1e-9999999 takes seconds. */
  private static final int MOST_DIGITS = 100;

  /** First words of the feature gates that decide about the resource managers. */
  private static final List<String> GATES =
      List.of("CPUManager", "MemoryManager", "TopologyManager", "PodLevel");

  private KubeletConfiguration() {}

  /**
   * The resource managers of the kubelet that gave this answer to {@code GET /configz}: what it
   * really runs with, file, drop-ins and flags merged (cmd/kubelet/app/server.go: setConfigz).
   *
   * @throws IllegalArgumentException naming the field, if it is no such answer
   */
  public static KubeletSpec ofConfigz(JsonNode answer) {
    JsonNode config = answer == null ? null : answer.get(CONFIGZ);
    if (config == null || !config.isObject()) {
      throw new IllegalArgumentException(
          CONFIGZ + ": is missing; give what the kubelet answers to GET /configz");
    }
    return spec(config);
  }

  /**
   * The resource managers of a kubelet with this configuration.
   *
   * @throws IllegalArgumentException naming the field, if it is no KubeletConfiguration or has a
   *     value that no kubelet takes
   */
  public static KubeletSpec spec(JsonNode config) {
    if (!isKubeletConfiguration(config)) {
      throw new IllegalArgumentException(
          "is no KubeletConfiguration; give the file that the kubelet is started with");
    }
    String reservedCpus = reservedCpus(config);
    JsonNode reservations = list(config, "reservedMemory");
    return new KubeletSpec(
        oneOf(config, "cpuManagerPolicy", "none", "static"),
        options(config, "cpuManagerPolicyOptions"),
        oneOf(
            config,
            "topologyManagerPolicy",
            "none",
            "best-effort",
            "restricted",
            "single-numa-node"),
        oneOf(config, "topologyManagerScope", "container", "pod"),
        options(config, "topologyManagerPolicyOptions"),
        oneOf(config, "memoryManagerPolicy", "None", "Static"),
        reservedCpus,
        reservedCpus == null ? reservedCount(config) : null,
        reservedMemory(reservations),
        reservedHugepages(reservations),
        featureGates(config));
  }

  static boolean isKubeletConfiguration(JsonNode config) {
    return config != null && KIND.equals(config.path("kind").asText());
  }

  /** The value of a field, or the first of the admitted ones, which is the default, if absent. */
  private static String oneOf(JsonNode config, String field, String... admitted) {
    String text = config.path(field).asText("");
    if (text.isEmpty()) {
      return admitted[0];
    }
    if (!List.of(admitted).contains(text)) {
      throw new IllegalArgumentException(
          field
              + ": '"
              + text
              + "' is not known; the kubelet of a Linux node takes "
              + String.join(", ", admitted));
    }
    return text;
  }

  private static Map<String, String> options(JsonNode config, String field) {
    Map<String, String> byName = new TreeMap<>();
    for (Map.Entry<String, JsonNode> option : object(config, field).properties()) {
      byName.put(option.getKey(), option.getValue().asText());
    }
    return byName.isEmpty() ? null : byName;
  }

  /** reservedSystemCPUs, which takes the place of the counted CPUs (server.go). */
  private static String reservedCpus(JsonNode config) {
    String list = config.path("reservedSystemCPUs").asText("").trim();
    try {
      return CpuSet.parse(list).isEmpty() ? null : list;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("reservedSystemCPUs: " + e.getMessage(), e);
    }
  }

  /**
   * ceil(kubeReserved.cpu + systemReserved.cpu), as container_manager_linux.go: numReservedCPUs.
   */
  private static Integer reservedCount(JsonNode config) {
    BigDecimal cpus = cpu(config, "kubeReserved").add(cpu(config, "systemReserved"));
    BigDecimal count = cpus.setScale(0, RoundingMode.CEILING);
    if (count.compareTo(BigDecimal.valueOf(LARGEST_COUNT)) > 0) {
      throw new IllegalArgumentException(
          "kubeReserved.cpu + systemReserved.cpu: "
              + count
              + " CPUs are more than any machine has; correct the file");
    }
    return count.signum() == 0 ? null : Integer.valueOf(count.intValueExact());
  }

  private static BigDecimal cpu(JsonNode config, String field) {
    return amount(field + ".cpu", object(config, field).path("cpu").asText("0"));
  }

  private static BigDecimal amount(String field, String quantity) {
    BigDecimal amount;
    try {
      amount = Quantity.getAmountInBytes(Quantity.parse(quantity));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is no quantity; correct the file", e);
    }
    if (amount.signum() < 0
        || amount.scale() > MOST_DIGITS
        || amount.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is no amount that a machine could have; correct the file");
    }
    return amount;
  }

  private static Map<String, Long> reservedMemory(JsonNode reservations) {
    Map<String, Long> bytes = new TreeMap<>();
    for (JsonNode reservation : reservations) {
      JsonNode memory = reservation.path("limits").path("memory");
      if (!memory.isMissingNode()) {
        add(bytes, numaNode(reservation), memory);
      }
    }
    return bytes.isEmpty() ? null : bytes;
  }

  private static Map<String, Map<String, Long>> reservedHugepages(JsonNode reservations) {
    Map<String, Map<String, Long>> bytes = new TreeMap<>();
    for (JsonNode reservation : reservations) {
      for (Map.Entry<String, JsonNode> limit : reservation.path("limits").properties()) {
        if (limit.getKey().startsWith(HUGEPAGES)) {
          add(
              bytes.computeIfAbsent(numaNode(reservation), id -> new TreeMap<>()),
              limit.getKey().substring(HUGEPAGES.length()),
              limit.getValue());
        }
      }
    }
    return bytes.isEmpty() ? null : bytes;
  }

  private static void add(Map<String, Long> bytes, String key, JsonNode quantity) {
    long more = amount("reservedMemory", quantity.asText()).longValue();
    try {
      bytes.merge(key, more, Math::addExact);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "reservedMemory: the reservations of "
              + key
              + " are more than any machine has; correct the file",
          e);
    }
  }

  /** The NUMA node of a reservation; 0 where the kubelet's decoder finds none. */
  private static String numaNode(JsonNode reservation) {
    JsonNode id = reservation.path("numaNode");
    if (id.isMissingNode()) {
      return "0";
    }
    if (!id.canConvertToInt() || !id.isIntegralNumber() || id.intValue() < 0) {
      throw new IllegalArgumentException(
          "reservedMemory: numaNode '" + id.asText() + "' is no NUMA node id; write for example 0");
    }
    return id.asText();
  }

  /** The gates that decide about the resource managers; all others are of no concern here. */
  private static Map<String, Boolean> featureGates(JsonNode config) {
    Map<String, Boolean> byName = new TreeMap<>();
    for (Map.Entry<String, JsonNode> gate : object(config, "featureGates").properties()) {
      if (GATES.stream().anyMatch(gate.getKey()::startsWith)) {
        byName.put(gate.getKey(), gate.getValue().asBoolean());
      }
    }
    return byName.isEmpty() ? null : byName;
  }

  private static JsonNode object(JsonNode config, String field) {
    JsonNode value = config.path(field);
    if (!value.isMissingNode() && !value.isNull() && !value.isObject()) {
      throw new IllegalArgumentException(field + ": is no map; correct the file");
    }
    return value;
  }

  private static JsonNode list(JsonNode config, String field) {
    JsonNode value = config.path(field);
    if (!value.isMissingNode() && !value.isNull() && !value.isArray()) {
      throw new IllegalArgumentException(field + ": is no list; correct the file");
    }
    return value;
  }
}
