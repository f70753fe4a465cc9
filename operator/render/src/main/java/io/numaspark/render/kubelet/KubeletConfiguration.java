package io.numaspark.render.kubelet;

import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.text.KubernetesQuantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a KubeletConfiguration that decides how CPUs and memory are handed out, with the
 * kubelet's defaults for what is absent (pkg/kubelet/apis/config/v1beta1/defaults.go).
 *
 * <p>Limit: it takes what is parsed already, as maps, lists, strings, numbers and booleans; where
 * that comes from is the caller's business.
 */
public final class KubeletConfiguration {
  private static final String HUGEPAGES = "hugepages-";
  static final String KIND = "KubeletConfiguration";
  private static final int LARGEST_COUNT = 1024;

  /** Kubernetes rounds up at 9 digits after the point; to round 1e-9999999 takes seconds. */
  private static final int MOST_DIGITS = 100;

  /** First words of the feature gates that decide about the resource managers. */
  private static final List<String> GATES =
      List.of("CPUManager", "MemoryManager", "TopologyManager", "PodLevel", "InPlacePodLevel");

  private KubeletConfiguration() {}

  /**
   * The resource managers of a kubelet with this configuration.
   *
   * @throws IllegalArgumentException naming the field, if it is not a KubeletConfiguration or has a
   *     value that no kubelet takes
   */
  public static KubeletSpec spec(Map<String, Object> config) {
    if (!KIND.equals(config.get("kind"))) {
      throw new IllegalArgumentException(
          "is not a KubeletConfiguration; give the file that the kubelet is started with");
    }
    String reservedCpus = reservedCpus(config);
    List<Map<String, Object>> reservations = list(config, "reservedMemory");
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
        null,
        reservedHugepages(reservations),
        featureGates(config),
        null);
  }

  /** The value of a field, or the first of the admitted ones, which is the default, if absent. */
  private static String oneOf(Map<String, Object> config, String field, String... admitted) {
    String text = text(config.get(field));
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

  private static Map<String, String> options(Map<String, Object> config, String field) {
    Map<String, String> byName = new TreeMap<>();
    for (Map.Entry<String, Object> option : object(config, field).entrySet()) {
      byName.put(option.getKey(), text(option.getValue()));
    }
    return byName.isEmpty() ? null : byName;
  }

  /** reservedSystemCPUs, which takes the place of the counted CPUs (server.go). */
  private static String reservedCpus(Map<String, Object> config) {
    String list = text(config.get("reservedSystemCPUs")).trim();
    try {
      return CpuSet.parse(list).isEmpty() ? null : list;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("reservedSystemCPUs: " + e.getMessage(), e);
    }
  }

  /**
   * ceil(kubeReserved.cpu + systemReserved.cpu), as container_manager_linux.go: numReservedCPUs.
   */
  private static Integer reservedCount(Map<String, Object> config) {
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

  private static BigDecimal cpu(Map<String, Object> config, String field) {
    return amount(field + ".cpu", text(object(config, field).getOrDefault("cpu", "0")));
  }

  private static BigDecimal amount(String field, String quantity) {
    BigDecimal amount;
    try {
      amount = KubernetesQuantity.parse(quantity);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is not a quantity; correct the file", e);
    }
    if (amount.signum() < 0
        || amount.scale() > MOST_DIGITS
        || amount.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          field
              + ": '"
              + quantity
              + "' is not an amount that a machine could have; correct the file");
    }
    return amount;
  }

  private static Map<String, Long> reservedMemory(List<Map<String, Object>> reservations) {
    Map<String, Long> bytes = new TreeMap<>();
    for (Map<String, Object> reservation : reservations) {
      Map<String, Object> limits = limits(reservation);
      if (limits.containsKey("memory")) {
        add(bytes, numaNode(reservation), limits.get("memory"));
      }
    }
    return bytes.isEmpty() ? null : bytes;
  }

  private static Map<String, Map<String, Long>> reservedHugepages(
      List<Map<String, Object>> reservations) {
    Map<String, Map<String, Long>> bytes = new TreeMap<>();
    for (Map<String, Object> reservation : reservations) {
      for (Map.Entry<String, Object> limit : limits(reservation).entrySet()) {
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

  private static Map<String, Object> limits(Map<String, Object> reservation) {
    return reservation.get("limits") instanceof Map<?, ?> limits ? named(limits) : Map.of();
  }

  private static void add(Map<String, Long> bytes, String key, Object quantity) {
    long more = amount("reservedMemory", text(quantity)).longValue();
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
  private static String numaNode(Map<String, Object> reservation) {
    if (!reservation.containsKey("numaNode")) {
      return "0";
    }
    Object id = reservation.get("numaNode");
    if (id instanceof Integer number && number >= 0) {
      return id.toString();
    }
    throw new IllegalArgumentException(
        "reservedMemory: numaNode '" + text(id) + "' is not a NUMA node id; write for example 0");
  }

  /** The gates that decide about the resource managers; all others are of no concern here. */
  private static Map<String, Boolean> featureGates(Map<String, Object> config) {
    Map<String, Boolean> byName = new TreeMap<>();
    for (Map.Entry<String, Object> gate : object(config, "featureGates").entrySet()) {
      if (GATES.stream().anyMatch(gate.getKey()::startsWith)) {
        byName.put(gate.getKey(), Boolean.parseBoolean(text(gate.getValue())));
      }
    }
    return byName.isEmpty() ? null : byName;
  }

  /** A string, number or boolean as it is written; empty for all else, as for null. */
  private static String text(Object value) {
    return value == null || value instanceof Map || value instanceof List ? "" : value.toString();
  }

  private static Map<String, Object> object(Map<String, Object> config, String field) {
    Object value = config.get(field);
    if (value != null && !(value instanceof Map)) {
      throw new IllegalArgumentException(field + ": is not a map; correct the file");
    }
    return value == null ? Map.of() : named((Map<?, ?>) value);
  }

  /** The maps of a list; what is not one of them reserves nothing. */
  private static List<Map<String, Object>> list(Map<String, Object> config, String field) {
    Object value = config.get(field);
    if (value != null && !(value instanceof List)) {
      throw new IllegalArgumentException(field + ": is not a list; correct the file");
    }
    List<Map<String, Object>> maps = new ArrayList<>();
    for (Object item : value == null ? List.of() : (List<?>) value) {
      maps.add(item instanceof Map<?, ?> map ? named(map) : Map.of());
    }
    return maps;
  }

  /** The keys of JSON are strings, those of YAML are made so. */
  private static Map<String, Object> named(Map<?, ?> map) {
    Map<String, Object> named = new LinkedHashMap<>();
    map.forEach((key, value) -> named.put(String.valueOf(key), value));
    return named;
  }
}
